/**
 * The seals of the audit trail. Entries are written by the transactions of the changes, concurrently; right afterwards
 * one process at a time chains them: each seal is the SHA-256 over the seal before it and its entry. The newest seal is
 * also written where the database cannot reach: into a file and, once a minute, into the log, so that a removed end is
 * noticed, too.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, replaceFile } from '@roomkeeper/durable-file'
import { type Database, type Db, queryRows } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { hasCode } from '#platform/system-error.ts'

/** A seal that was written down: the trail in the database must always lead to it. */
export interface Anchor {
  /** From 1. */
  position: number
  /** Hexadecimal. */
  hash: string
}

const everyMilliseconds = 1000
const loggedEveryMilliseconds = 60_000

/**
 * Seals what is committed, up to 10,000 entries. Every reader of the trail does this first, so that nothing is read
 * before it has a seal.
 * @returns the newest seal; null when nothing was left to seal, or another process is sealing and `waits` is false
 */
export async function sealAudit(db: Db, { waits }: { waits: boolean } = { waits: true }): Promise<Anchor | null> {
  const [head] = await queryRows<Anchor>(db, `select position, encode(hash, 'hex') as hash from seal_audit($1)`, [
    waits,
  ])
  return head ?? null
}

/** Until nothing is left. */
export async function sealWholeAudit(db: Db, options?: { waits: boolean }): Promise<Anchor | null> {
  let newest: Anchor | null = null
  for (;;) {
    const sealed = await sealAudit(db, options)
    if (sealed === null) return newest
    newest = sealed
  }
}

/** Every second. @param folder where the newest seal is kept, see `readAnchor` @returns the call that ends it */
export function startSealing({ db }: Database, folder: string, log: Log): () => Promise<void> {
  let loggedAt = 0
  let isStopped = false
  const pass = async () => {
    try {
      const newest = await sealWholeAudit(db, { waits: false })
      if (newest === null) return
      await keepAnchor(folder, newest)
      if (Date.now() - loggedAt < loggedEveryMilliseconds) return
      loggedAt = Date.now()
      log.info({ position: newest.position, hash: newest.hash }, 'audit trail sealed')
    } catch (error) {
      log.warn({ err: error }, 'sealing the audit trail failed')
    }
  }
  let passing = pass()
  const timer = setInterval(() => {
    // One after the other, however long one takes.
    passing = passing.then(() => (isStopped ? undefined : pass()))
  }, everyMilliseconds)
  return async () => {
    clearInterval(timer)
    isStopped = true
    await passing
    await pass()
  }
}

const fileOf = (folder: string) => join(folder, 'audit-anchor.json')

/** Atomic, and on disk: an anchor that a power cut undoes would prove nothing. */
async function keepAnchor(folder: string, { position, hash }: Anchor): Promise<void> {
  await makeFolder(folder)
  await replaceFile(fileOf(folder), `${JSON.stringify({ position, hash })}\n`)
}

/** The newest seal that was written to this folder; null when none ever was. */
export async function readAnchor(folder: string): Promise<Anchor | null> {
  try {
    const { position, hash } = JSON.parse(await readFile(fileOf(folder), 'utf8')) as Anchor
    return { position, hash }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}
