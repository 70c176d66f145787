/** The console's sessions: compared in constant time, kept in memory by hash, forgotten at a restart. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { RegionSession } from '@roomkeeper/region-protocol'
import { refuse } from '#refusals.ts'
import type { RegionSettings } from '#settings.ts'

export interface SignIn {
  /** @throws {Refusal} 'wrong-credentials', 'too-many-attempts' */
  open(credentials: { userName: string; password: string }, address: string): RegionSession
  /** Checks an `Authorization` header. @throws {Refusal} 'signed-out' */
  authorise(header: string | undefined): void
}

const sessionSeconds = 3600
const failuresPerMinute = 10

export function createSignIn(settings: Pick<RegionSettings, 'userName' | 'password'>, now = Date.now): SignIn {
  const credentials = fingerprint(settings.userName, settings.password)
  /** Hash of the token → when it ends. */
  const sessions = new Map<string, number>()
  const failures = createFailures(now)
  return {
    open({ userName, password }, address) {
      if (failures.count(address) >= failuresPerMinute) throw refuse('too-many-attempts')
      if (!timingSafeEqual(fingerprint(userName, password), credentials)) {
        failures.add(address)
        throw refuse('wrong-credentials')
      }
      for (const [key, end] of sessions) if (end <= now()) sessions.delete(key)
      const token = randomBytes(32).toString('base64url')
      const end = now() + sessionSeconds * 1000
      sessions.set(hashOf(token), end)
      return { token, expiresAt: new Date(end).toISOString() }
    },
    authorise(header) {
      const token = bearerToken(header)
      const end = token === null ? undefined : sessions.get(hashOf(token))
      if (end === undefined || end <= now()) throw refuse('signed-out')
    },
  }
}

/** The token in an `Authorization: Bearer …` header. */
export function bearerToken(header: string | undefined): string | null {
  return /^Bearer ([A-Za-z0-9_-]{1,200})$/i.exec(header ?? '')?.[1] ?? null
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Of equal length for any credentials; the length of the first part keeps `a` + `bc` apart from `ab` + `c`. */
function fingerprint(userName: string, password: string): Buffer {
  return createHash('sha256').update(`${userName.length}:${userName}${password}`).digest()
}

function createFailures(now: () => number) {
  const times = new Map<string, number[]>()
  const recent = (address: string) => (times.get(address) ?? []).filter((at) => at > now() - 60_000)
  return {
    count: (address: string) => recent(address).length,
    add(address: string) {
      if (times.size > 10_000) times.clear()
      times.set(address, [...recent(address), now()])
    },
  }
}
