/** Starts runs of the doctor: on request, and once a day by itself. */
import { startOperation } from '#operations/index.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import type { Scheduler } from '#platform/recurring.ts'
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

export function startDailyRuns(scheduler: Scheduler, database: Database): void {
  scheduler.start({
    name: 'daily run of the doctor',
    everySeconds: 600,
    scope: 'cluster',
    ignoresClock: true,
    run: () => startWhenDue(database),
  })
}

/** Due a day after the last run began, or after the first region was added. */
async function startWhenDue(database: Database): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      const due = await queryRows(
        tx,
        `select from (select coalesce((select max(started_at) from doctor_runs), (select min(created_at) from regions))
                         as last) as before
          where last < now() - interval '1 day'`,
      )
      if (due.length === 0) return
      await removeOldFindings(tx)
      await startRun(tx, { startedBy: 'system', requestId: null })
    })
  } catch (error) {
    // Another run is under way.
    if (!(error instanceof Refusal && error.code === 'doctor-running')) throw error
  }
}
