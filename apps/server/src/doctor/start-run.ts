/** Starts runs of the doctor: on request, and once a day by itself. */
import { startOperation } from '#operations/index.ts'
import { tryLockUntilCommit } from '#platform/advisory-locks.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { Refusal } from '#platform/refuse.ts'
import { examineEverything } from './operations/examine-everything.ts'
import { removeOldFindings } from './record-findings.ts'
import { insertRun } from './run-record.ts'

interface RunStart {
  startedBy: string
  requestId: string | null
}

/** @returns the operation's id, which is the run's. @throws Refusal `doctor-running` */
export async function startRun(tx: Tx, { startedBy, requestId }: RunStart): Promise<string> {
  const parts = { input: {}, room: null, subject: 'all project rooms', regionId: null, startedBy, requestId }
  const id = await startOperation(tx, examineEverything, parts)
  await insertRun(tx, { id, operationId: id, startedBy })
  return id
}

const checkMilliseconds = 10 * 60_000

/** Checks every ten minutes whether a run is due. @returns a function that ends these checks */
export function startDailyRuns(database: Database, log: Log): () => void {
  const check = () =>
    void startWhenDue(database).catch((error: unknown) => {
      log.warn({ err: error }, 'starting the daily comparison of console and regions failed')
    })
  check()
  const timer = setInterval(check, checkMilliseconds)
  return () => clearInterval(timer)
}

/** Due a day after the last run began, or after the first region was added. Several processes may call this at once. */
export async function startWhenDue(database: Database): Promise<boolean> {
  try {
    return await database.transaction(async (tx) => {
      if (!(await tryLockUntilCommit(tx, 'daily run of the doctor'))) return false
      const due = await queryRows(
        tx,
        `select from (select coalesce((select max(started_at) from doctor_runs), (select min(created_at) from regions))
                         as last) as before
          where last < now() - interval '1 day'`,
      )
      if (due.length === 0) return false
      await removeOldFindings(tx)
      await startRun(tx, { startedBy: 'system', requestId: null })
      return true
    })
  } catch (error) {
    // Another run is under way.
    if (error instanceof Refusal && error.code === 'doctor-running') return false
    throw error
  }
}
