/** The record of a run: that only one looks at a time, how far it is, and what it ends with. */
import { z } from 'zod'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { refuse } from '#platform/refuse.ts'
import { type Section, sections } from './finding.ts'

const progress = z.object({
  done: z.array(z.enum(sections)).default([]),
  /** The last name that was looked at on all sides. */
  after: z.string().default(''),
  rooms: z.int().default(0),
  /** Regions that were asked about everything, once the rooms are done. */
  asked: z.array(z.int()).default([]),
  /** Regions that were given up on the way: what of them was passed over is not looked at later. */
  givenUp: z.array(z.int()).default([]),
})
export type Progress = z.infer<typeof progress>

const silentSeconds = 60

/** @throws Refusal `doctor-running` */
export async function beginRun(
  tx: Db | Tx,
  run: { id: string; operationId: string | null; startedBy: string },
): Promise<void> {
  // Whoever looked there has ended or died; an operation that is taken over later looks on, and does no harm.
  await queryRows(
    tx,
    `update doctor_runs r set state = 'failed', ended_at = now()
      where ended_at is null and (beat_at < now() - make_interval(secs => $1)
        or exists (select from operations o where o.id = r.operation_id and o.ended_at is not null))`,
    [silentSeconds],
  )
  const begun = await queryRows(
    tx,
    `insert into doctor_runs (id, operation_id, started_by) values ($1, $2, $3)
     on conflict ((true)) where ended_at is null do nothing returning id`,
    [run.id, run.operationId, run.startedBy],
  ).catch((error: unknown) => {
    throw violatesUnique(error, 'doctor_runs_pkey') ? refuse('doctor-running') : error
  })
  if (begun.length === 0) throw refuse('doctor-running')
}

export async function readProgress(db: Db, runId: string): Promise<Progress> {
  const [row] = await queryRows<{ progress: unknown }>(db, 'select progress from doctor_runs where id = $1', [runId])
  return progress.parse(row?.progress ?? {})
}

const beatMilliseconds = 10_000

/** Shows that the run lives while the work lasts. */
export async function whileBeating<T>(db: Db, runId: string, work: () => Promise<T>): Promise<T> {
  const beat = () => queryRows(db, 'update doctor_runs set beat_at = now() where id = $1', [runId])
  await beat()
  // One that fails is followed by the next.
  const timer = setInterval(() => void beat().catch(() => undefined), beatMilliseconds)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** Also shows that the run lives. */
export async function keepProgress(db: Db, runId: string, now: Progress): Promise<void> {
  await queryRows(db, 'update doctor_runs set progress = $2, beat_at = now() where id = $1', [
    runId,
    JSON.stringify(now),
  ])
}

export async function endRun(tx: Db | Tx, runId: string, state: 'done' | 'failed' | 'cancelled'): Promise<void> {
  await queryRows(tx, 'update doctor_runs set state = $2, ended_at = now() where id = $1 and ended_at is null', [
    runId,
    state,
  ])
}

export function isDone({ done }: Progress, section: Section): boolean {
  return done.includes(section)
}
