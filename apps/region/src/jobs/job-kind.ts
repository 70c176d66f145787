/** What a kind of job is: a check when it is asked for, and the work. */
import type { JobInput, JobResult, JobType } from '@roomkeeper/region-protocol'
import type { Region } from '#region.ts'
import type { PlannedEffect } from './effects.ts'

export type InputOf<Type extends JobType> = Extract<JobInput, { type: Type }>

export interface RunningJob<Type extends JobType> {
  id: string
  region: Region
  input: InputOf<Type>
  /** Aborted when the job is cancelled or the region stops. Heeded until the job starts to change the room. */
  signal: AbortSignal
  /** A line of the job's log. Never a secret. */
  log(text: string): void
  /** From 0 to 1. */
  progress(fraction: number): void
  /** Just before the rename by which the job takes effect: see effects.ts. */
  recordEffect(effect: PlannedEffect & { result: JobResult<Type> }): Promise<void>
}

export interface JobKind<Type extends JobType> {
  /** Refuses at once what cannot succeed; the work checks again under the room's mutex. @throws {Refusal} */
  check(region: Region, input: InputOf<Type>): void
  /** It frees space, and therefore also runs on a full disk. */
  deletes?: true
  /** Leaves the room as it was when it throws. @throws {Refusal} for expected failures */
  run(job: RunningJob<Type>): Promise<JobResult<Type>>
}
export type JobKinds = { [Type in JobType]: JobKind<Type> }
