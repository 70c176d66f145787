/** The interface of a kind of job: a check when the job is requested, and the work itself. */
import type { JobInput, JobResult, JobType } from '@roomkeeper/region-protocol'
import type { Region } from '#region.ts'
import type { PlannedEffect } from './effects.ts'

export type InputOf<Type extends JobType> = Extract<JobInput, { type: Type }>

export interface RunningJob<Type extends JobType> {
  id: string
  region: Region
  input: InputOf<Type>
  /** Aborted when the job is cancelled or the region stops. The job heeds it until it starts to change the room. */
  signal: AbortSignal
  /** Adds a line to the job's log. Never pass a secret. */
  log(text: string): void
  /** From 0 to 1. */
  progress(fraction: number): void
  /** Call it just before the rename by which the job takes effect: see effects.ts. */
  recordEffect(effect: PlannedEffect & { result: JobResult<Type> }): Promise<void>
}

export interface JobKind<Type extends JobType> {
  /** Refuses a job that cannot succeed. The work checks again under the room's mutex. @throws {Refusal} */
  check(region: Region, input: InputOf<Type>): void
  /** The job frees space, so it also runs on a full disk. */
  deletes?: true
  /** The job neither reads nor changes a room, so no job of the room waits for it, and the room need not exist. */
  withoutRoom?: true
  /** Leaves the room as it was when it throws. @throws {Refusal} for expected failures */
  run(job: RunningJob<Type>): Promise<JobResult<Type>>
}
export type JobKinds = { [Type in JobType]: JobKind<Type> }
