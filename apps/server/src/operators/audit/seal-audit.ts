/**
 * The seals of the audit trail. The transactions that make the changes write the entries concurrently. Shortly
 * afterwards, one process at a time chains them: each seal is the SHA-256 of the previous seal and the entry. The
 * newest seal is also written down outside of the database (anchors.ts) and once a minute in the log, so that a removed
 * end of the trail is noticed too.
 */
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { type Anchor, type AnchorPlace, createAnchorKeeper, type ReportMissed } from './anchors.ts'

const logEveryMilliseconds = 60_000

/**
 * Seals up to 10,000 committed entries. Every reader of the trail calls this first, so that no reader gets an entry
 * without a seal.
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

/** @returns a function that seals the rest and stops it */
export function startSealing(
  scheduler: Scheduler,
  { database, anchors, log, report }: SealingParts,
): () => Promise<void> {
  const { db } = database
  const keepers = anchors.map((place) => createAnchorKeeper(place, { database, log, report }))
  let loggedAt = Number.NEGATIVE_INFINITY
  let unlogged: Anchor | null = null
  const seal = async ({ isLast }: { isLast: boolean }) => {
    const newest = await sealWholeAudit(db, { waits: false })
    if (newest !== null) for (const keeper of keepers) keeper.note()
    unlogged = newest ?? unlogged
    if (unlogged === null || (performance.now() - loggedAt < logEveryMilliseconds && !isLast)) return
    loggedAt = performance.now()
    log.info({ position: unlogged.position, hash: unlogged.hash }, 'audit trail sealed')
    unlogged = null
  }
  const job = scheduler.start({
    name: 'sealing of the audit trail',
    everySeconds: 1,
    scope: 'process',
    ignoresClock: true,
    async run() {
      try {
        await seal({ isLast: false })
      } finally {
        for (const keeper of keepers) keeper.tick()
      }
    },
  })
  return async () => {
    await job.stop()
    await seal({ isLast: true }).catch((error: unknown) => log.warn({ err: error }, 'the last sealing failed'))
    await Promise.all(keepers.map((keeper) => keeper.stop()))
  }
}
