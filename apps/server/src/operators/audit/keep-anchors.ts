/**
 * Keeps the anchors of one place in step with the trail: soon after something was sealed, and once a minute in any case,
 * for what other processes have sealed. While the trail has not moved, nothing but its head is read.
 */
import type { Database, Tx } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { withTimeout } from '#platform/pause.ts'
import { type Anchor, type AnchorPlace, isAnchor, keepAnchor, type MissedAnchor, readHead } from './anchors.ts'

export interface AnchorKeeper {
  /** Something was sealed. */
  note(): void
  /** Begins what is due. */
  tick(): void
  /** Writes down what is newest, if it can be done soon. */
  stop(): Promise<void>
}

/** Tells operators, in the transaction that has found it. */
export type ReportMissed = (tx: Tx, missed: MissedAnchor) => Promise<void>

interface KeeperParts {
  database: Database
  log: Log
  report: ReportMissed
}

const atLeastEveryMilliseconds = 60_000
const patienceMilliseconds = 10_000

export function createAnchorKeeper(place: AnchorPlace, { database, log, report }: KeeperParts): AnchorKeeper {
  let isDue = true
  let lookedAt = Number.NEGATIVE_INFINITY
  let toldAt = Number.NEGATIVE_INFINITY
  /** The head of the trail when the place last had the newest seal; null: it has others, or none. */
  let lastWritten: Anchor | null = null
  let isFailing = false
  // One look at a time: each that hangs holds a thread of the process.
  let running: Promise<void> | null = null

  async function look(): Promise<void> {
    if (lastWritten !== null && isAnchor(await readHead(database.db), lastWritten)) return
    if (!(await place.isThere())) return
    const kept = await database.transaction(async (tx) => {
      const found = await keepAnchor(tx, place)
      for (const missed of found?.missed ?? []) await report(tx, missed)
      return found
    })
    if (kept === null) {
      isDue = true
      return
    }
    lastWritten = kept.missed.length === 0 ? kept.head : null
    tell(kept.missed)
  }

  function tell(missed: readonly MissedAnchor[]): void {
    if (missed.length === 0 || performance.now() - toldAt < atLeastEveryMilliseconds) return
    toldAt = performance.now()
    for (const { place: file, position, hash, keptAt } of missed)
      log.error({ file, position, hash, keptAt }, 'the audit trail does not have a seal that was written down')
  }

  async function lookPatiently(): Promise<void> {
    const work = look()
    // What hangs may hold the next look back, but no transaction: that ends with its own time-out.
    if (!(await withTimeout(patienceMilliseconds, work))) fail(new Error('it does not answer'))
    await work
    if (isFailing) log.info({ file: place.name }, 'the anchor of the audit trail is written down again')
    isFailing = false
  }

  function fail(error: unknown): void {
    isDue = true
    if (!isFailing) log.warn({ err: error, file: place.name }, 'the anchor of the audit trail is not written down')
    isFailing = true
  }

  function begin(): Promise<void> {
    isDue = false
    lookedAt = performance.now()
    running ??= lookPatiently()
      .catch(fail)
      .finally(() => {
        running = null
      })
    return running
  }

  return {
    note() {
      isDue = true
    },
    tick() {
      const since = performance.now() - lookedAt
      if (running === null && since >= (isDue ? place.pauseMilliseconds : atLeastEveryMilliseconds)) void begin()
    },
    async stop() {
      const rest = async () => {
        await running
        await begin()
      }
      await withTimeout(patienceMilliseconds, rest())
    },
  }
}
