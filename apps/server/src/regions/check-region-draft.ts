/** Checks of a region's settings that only the server can make. */
import { type FieldError, fieldError } from '@roomkeeper/contract'
import type { Tx } from '#platform/database.ts'
import { refuseInput } from '#platform/refuse.ts'

/**
 * Passwords are sent to a region: unencrypted only within this machine, or anywhere with ALLOW_HTTP_REGIONS.
 * @returns the URL in its stored form
 * @throws Refusal `invalid-input`
 */
export function checkUrl(url: string, allowHttp: boolean): string {
  if (URL.canParse(url)) {
    if (new URL(url).protocol === 'https:' || isLoopback(url) || allowHttp) return url.replace(/\/$/, '')
  }
  throw refuseInput([fieldError('regionIPorURL', 'url-not-allowed')])
}

/** Whether this address means the machine of whoever uses it, and so another one on every machine. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

interface Login {
  url: string
  userName: string
}

/**
 * Stored passwords must not be sent to another host or tried on another account.
 * @throws Refusal `invalid-input`
 */
export function checkPasswords(stored: Login, wanted: Login, sent: { password: string; passwordSystem: string }): void {
  if (stored.url === wanted.url && stored.userName === wanted.userName) return
  const missing: FieldError[] = []
  if (sent.password === '') missing.push(fieldError('password', 'superuser-password-again'))
  if (sent.passwordSystem === '') missing.push(fieldError('passwordSystem', 'system-password-again'))
  if (missing.length > 0) throw refuseInput(missing)
}

/** @returns the ids without duplicates. @throws Refusal `invalid-input` when a region does not exist */
export async function checkSourceRegions(tx: Tx, wanted: readonly number[]): Promise<number[]> {
  const ids = [...new Set(wanted)]
  if (ids.length === 0) return ids
  const rows = await tx.selectFrom('regions').select('id').where('id', 'in', ids).execute()
  const known = new Set(rows.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length === 0) return ids
  throw refuseInput([fieldError('selectedSourceRegion', 'regions-unknown', { ids: unknown.join(', ') })])
}
