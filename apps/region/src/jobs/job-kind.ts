/** What a kind of job is: a check when it is asked for, and the work. */
import type { JobInput, JobResult, JobType } from '@roomkeeper/region-protocol'
import type { Region } from '#region.ts'
import type { ComingEffect } from './effects.ts'

export type InputOf<Type extends JobType> = Extract<JobInput, { type: Type }>

export interface RunningJob<Type extends JobType> {
  id: string
  region: Region
  input: InputOf<Type>
  /** Aborted when the job is cancelled or the region ends. Work looks at it until it begins to change the room. */
  signal: AbortSignal
  /** A line of the job's log. Never a secret. */
  say(text: string): void
  /** From 0 to 1. */
  progress(fraction: number): void
  /** Just before the rename by which the job takes effect: see effects.ts. */
  aboutTo(effect: ComingEffect & { result: JobResult<Type> }): Promise<void>
}

export interface JobKind<Type extends JobType> {
  /** Refuses at once what cannot succeed; the work checks again in the room's turn. @throws {Refusal} */
  check(region: Region, input: InputOf<Type>): void
  /** It makes space, and is therefore done on a full disk, too. */
  deletes?: true
  /** Leaves the room as it was when it throws. @throws {Refusal} for expected failures */
  run(job: RunningJob<Type>): Promise<JobResult<Type>>
}
export type JobKinds = { [Type in JobType]: JobKind<Type> }
