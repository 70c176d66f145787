/** The record of a run: its start, progress and end. Only one run is under way at a time. */
import { z } from 'zod'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { isNear } from '#platform/database-time.ts'
import { refuse } from '#platform/refuse.ts'
import { whileRenewed } from '#platform/while-renewed.ts'
import { type Section, sections } from './finding.ts'

const progress = z.object({
  done: z.array(z.enum(sections)).default([]),
  /** The last room name that was compared in the console and all regions. */
  after: z.string().default(''),
  rooms: z.int().default(0),
  /** Regions that have answered about all their rooms; set when the section of the rooms is done. */
  asked: z.array(z.int()).default([]),
  /** Regions that were given up during the run; their skipped parts are not checked later in the run. */
  givenUp: z.array(z.int()).default([]),
})
export type Progress = z.infer<typeof progress>

const silentSeconds = 60

/** @throws Refusal `doctor-running` */
export async function insertRun(
  tx: Db | Tx,
  run: { id: string; operationId: string | null; startedBy: string },
): Promise<void> {
  // Ends runs whose process has ended or died. If a worker continues such an operation later, that does no harm.
  await queryRows(
    tx,
    `update doctor_runs r set state = 'failed', ended_at = steady_now()
      where ended_at is null and (not (${isNear('heartbeat_at', '$1')})
        or exists (select from operations o where o.id = r.operation_id and o.ended_at is not null))`,
    [silentSeconds],
  )
  const inserted = await queryRows(
    tx,
    `insert into doctor_runs (id, operation_id, started_by) values ($1, $2, $3)
     on conflict ((true)) where ended_at is null do nothing returning id`,
    [run.id, run.operationId, run.startedBy],
  ).catch((error: unknown) => {
    throw violatesUnique(error, 'doctor_runs_pkey') ? refuse('doctor-running') : error
  })
  if (inserted.length === 0) throw refuse('doctor-running')
}

export async function readProgress(db: Db, runId: string): Promise<Progress> {
  const [row] = await queryRows<{ progress: unknown }>(db, 'select progress from doctor_runs where id = $1', [runId])
  return progress.parse(row?.progress ?? {})
}

const beatMilliseconds = 10_000

/** Renews the run's heartbeat while the work lasts. */
export async function withHeartbeat<T>(db: Db, runId: string, work: () => Promise<T>): Promise<T> {
  const beat = () => queryRows(db, 'update doctor_runs set heartbeat_at = now() where id = $1', [runId])
  await beat()
  return whileRenewed(beat, beatMilliseconds, work)
}

/** Also renews the heartbeat. */
export async function saveProgress(db: Db, runId: string, now: Progress): Promise<void> {
  await queryRows(db, 'update doctor_runs set progress = $2, heartbeat_at = now() where id = $1', [
    runId,
    JSON.stringify(now),
  ])
}

export async function endRun(tx: Db | Tx, runId: string, state: 'done' | 'failed' | 'cancelled'): Promise<void> {
  await queryRows(tx, 'update doctor_runs set state = $2, ended_at = steady_now() where id = $1 and ended_at is null', [
    runId,
    state,
  ])
}

export function isDone({ done }: Progress, section: Section): boolean {
  return done.includes(section)
}
