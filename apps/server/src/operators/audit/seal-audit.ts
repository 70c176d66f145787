/**
 * The seals of the audit trail. The transactions that make the changes write the entries concurrently. Shortly
 * afterwards, one process at a time chains them: each seal is the SHA-256 of the previous seal and the entry. The
 * newest seal is also written outside of the database, into a file and once a minute into the log, so that a removed
 * end of the trail is noticed too.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, replaceFile } from '@roomkeeper/durable-file'
import { type Database, type Db, queryRows } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { hasCode } from '#platform/system-error.ts'

/** A seal that was written down outside of the database. The trail in the database must always contain it. */
export interface Anchor {
  /** Counts from 1. */
  position: number
  /** Hexadecimal. */
  hash: string
}

const sealEveryMilliseconds = 1000
const logEveryMilliseconds = 60_000

/**
 * Seals up to 10,000 committed entries. Every reader of the trail calls this first, so that nobody reads an entry that
 * has no seal yet.
 * @returns the newest seal; null if nothing was left to seal, or if another process is sealing and `waits` is false
 */
export async function sealAudit(db: Db, { waits }: { waits: boolean } = { waits: true }): Promise<Anchor | null> {
  const [head] = await queryRows<Anchor>(db, `select position, encode(hash, 'hex') as hash from seal_audit($1)`, [
    waits,
  ])
  return head ?? null
}

/** Seals until nothing is left to seal. */
export async function sealWholeAudit(db: Db, options?: { waits: boolean }): Promise<Anchor | null> {
  let newest: Anchor | null = null
  for (;;) {
    const sealed = await sealAudit(db, options)
    if (sealed === null) return newest
    newest = sealed
  }
}

/**
 * Seals once a second.
 * @param folder where the newest seal is kept, see `readAnchor`
 * @returns a function that stops it
 */
export function startSealing({ db }: Database, folder: string, log: Log): () => Promise<void> {
  let loggedAt = 0
  let isStopped = false
  const sealAndKeepAnchor = async () => {
    try {
      const newest = await sealWholeAudit(db, { waits: false })
      if (newest === null) return
      await keepAnchor(folder, newest)
      if (Date.now() - loggedAt < logEveryMilliseconds) return
      loggedAt = Date.now()
      log.info({ position: newest.position, hash: newest.hash }, 'audit trail sealed')
    } catch (error) {
      log.warn({ err: error }, 'sealing the audit trail failed')
    }
  }
  let running = sealAndKeepAnchor()
  const timer = setInterval(() => {
    // The runs never overlap, however long one takes.
    running = running.then(() => (isStopped ? undefined : sealAndKeepAnchor()))
  }, sealEveryMilliseconds)
  return async () => {
    clearInterval(timer)
    isStopped = true
    await running
    await sealAndKeepAnchor()
  }
}

const fileOf = (folder: string) => join(folder, 'audit-anchor.json')

/** Written atomically and flushed to disk, because an anchor that a power cut undoes would prove nothing. */
async function keepAnchor(folder: string, { position, hash }: Anchor): Promise<void> {
  await makeFolder(folder)
  await replaceFile(fileOf(folder), `${JSON.stringify({ position, hash })}\n`)
}

/** The newest seal that was written to this folder, or null if none ever was. */
export async function readAnchor(folder: string): Promise<Anchor | null> {
  try {
    const { position, hash } = JSON.parse(await readFile(fileOf(folder), 'utf8')) as Anchor
    return { position, hash }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}
