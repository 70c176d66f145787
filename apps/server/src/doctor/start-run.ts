/** Starts runs of the doctor: on request, once a day, and without a worker for `npm run doctor`. */

import { randomUUID } from 'node:crypto'
import { because, type Finding } from '@roomkeeper/contract'
import { startOperation } from '#operations/index.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { pause } from '#platform/pause.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { Refusal } from '#platform/refuse.ts'
import type { DoctorParts } from './doctor-parts.ts'
import { examine } from './examine.ts'
import { examineEverything } from './operations/examine-everything.ts'
import { removeOldFindings } from './record-findings.ts'
import { endRun, insertRun } from './run-record.ts'
import { pageOfFindings } from './stored-finding.ts'

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
        `select from (select coalesce((select max(started_at) from doctor_runs where started_at <= now()),
                                       (select min(created_at) from regions)) as last) as before
          where last not between now() - interval '1 day' and now()`,
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

export interface RunByHand {
  rooms: number
  seconds: number
  findings: Finding[]
  /** How many findings are open; `findings` may hold fewer. */
  total: number
}

const waitMilliseconds = 500
const mostListed = 1000

/**
 * Checks everything in this process, and returns the open findings. Waits until no other run is under way.
 */
export async function runByHand(parts: DoctorParts): Promise<RunByHand> {
  const { db } = parts
  const id = randomUUID()
  await insertRunWhenFree(parts, id)
  const startedAt = performance.now()
  try {
    await examine(parts, id)
    await endRun(db, id, 'done')
  } catch (error) {
    await endRun(db, id, 'failed').catch(() => undefined)
    throw error
  }
  const seconds = (performance.now() - startedAt) / 1000
  const wanted = { page: 0, size: mostListed, closed: false, search: '', severity: '' }
  const { data: findings, totalElements: total, lastRun } = await pageOfFindings(db, wanted)
  return { rooms: lastRun?.rooms ?? 0, seconds, findings, total }
}

async function insertRunWhenFree(parts: DoctorParts, id: string): Promise<void> {
  for (let isAnnounced = false; ; isAnnounced = true) {
    try {
      return await insertRun(parts.db, { id, operationId: null, startedBy: 'npm run doctor' })
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'doctor-running')) throw error
      if (!isAnnounced) await parts.report([because('log-other-check')], 0)
      parts.signal.throwIfAborted()
      await pause(waitMilliseconds, parts.signal)
    }
  }
}
