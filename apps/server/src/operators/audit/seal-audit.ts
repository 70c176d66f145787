/**
 * The seals of the audit trail. The transactions that make the changes write the entries concurrently. Shortly
 * afterwards, one process at a time chains them: each seal is the SHA-256 of the previous seal and the entry. The
 * newest seal is also written down outside of the database (anchors.ts) and once a minute in the log, so that a removed
 * end of the trail is noticed too.
 */
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import type { Anchor, AnchorPlace } from './anchors.ts'
import { createAnchorKeeper, type ReportMissed } from './keep-anchors.ts'

const sealEveryMilliseconds = 1000
const logEveryMilliseconds = 60_000

/**
 * Seals up to 10,000 committed entries. Every reader of the trail calls this first, so that nobody reads an entry that
 * has no seal yet.
 * @returns the newest seal; null if nothing was left to seal, or if another process is sealing and `waits` is false
 */
export async function sealAudit(db: Db | Tx, { waits }: { waits: boolean } = { waits: true }): Promise<Anchor | null> {
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

interface SealingParts {
  database: Database
  /** Where the newest seal is written down, beside the log. */
  anchors: readonly AnchorPlace[]
  log: Log
  /** Told of an anchor that the trail does not have. */
  report: ReportMissed
}

/**
 * Seals once a second.
 * @returns a function that stops it
 */
export function startSealing({ database, anchors, log, report }: SealingParts): () => Promise<void> {
  const { db } = database
  const keepers = anchors.map((place) => createAnchorKeeper(place, { database, log, report }))
  let loggedAt = 0
  let unlogged: Anchor | null = null
  let isStopped = false
  const seal = async () => {
    try {
      const newest = await sealWholeAudit(db, { waits: false })
      if (newest !== null) for (const keeper of keepers) keeper.note()
      unlogged = newest ?? unlogged
      if (unlogged === null || (Date.now() - loggedAt < logEveryMilliseconds && !isStopped)) return
      loggedAt = Date.now()
      log.info({ position: unlogged.position, hash: unlogged.hash }, 'audit trail sealed')
      unlogged = null
    } catch (error) {
      log.warn({ err: error }, 'sealing the audit trail failed')
    }
  }
  const round = async () => {
    await seal()
    for (const keeper of keepers) keeper.tick()
  }
  let running = round()
  const timer = setInterval(() => {
    // The runs never overlap, however long one takes.
    running = running.then(() => (isStopped ? undefined : round()))
  }, sealEveryMilliseconds)
  return async () => {
    clearInterval(timer)
    isStopped = true
    await running
    await seal()
    await Promise.all(keepers.map((keeper) => keeper.stop()))
  }
}
