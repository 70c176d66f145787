/** Defines an operation kind: one file that reads from top to bottom, with steps that run and can be undone. */
import type { Access, CodedReason, ProcessType, ReasonCode, Reasons, Role } from '@roomkeeper/contract'
import type { CallMark } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import type { Db, Tx } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'

/** The record of an operation as its kind sees it. */
export interface OperationRecord<Input> {
  id: string
  kind: string
  roomId: string | null
  roomName: string
  regionId: number | null
  startedBy: string
  requestId: string | null
  attempt: number
  input: Input
}

/** Only the fields that a kind may see, not the other columns of the row. */
export function recordForKind<Input>(row: OperationRecord<unknown>, input: Input): OperationRecord<Input> {
  const { id, kind, roomId, roomName, regionId, startedBy, requestId, attempt } = row
  return { id, kind, roomId, roomName, regionId, startedBy, requestId, attempt, input }
}

/** What a step's `run` and `undo` receive. */
export interface StepCall<Input> extends OperationRecord<Input> {
  services: Services
  /** Sent with every call to a region, which recognises repeated calls and overtaken workers by it. */
  mark: CallMark
  /** The output of an earlier step. @throws Error when no earlier step has this id, or the step is not done */
  output<Output>(step: StepRef<Output>): Output
  /** For undos, which may run before the step did; null: the step is not done, or this operation does not have it. */
  outputIfDone<Output>(step: StepRef<Output>): Output | null
  /** Adds a numbered line to the operation's log, in codes: a sentence would stay English. Never put a secret into it. */
  log(said: Reasons, level?: 'info' | 'warning' | 'error'): Promise<void>
  /** Reports how much of this step is done, 0 to 1. */
  progress(share: number): Promise<void>
  /** Fires when the operation is cancelled or lost to another worker, or this process stops. */
  signal: AbortSignal
  /**
   * Makes changes only if this worker still holds the claim; an overtaken worker writes nothing. The step may still be
   * repeated after the commit.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** As `transaction`, and marks the step as done in the same transaction: it is never repeated. */
  finish(work: (tx: Tx) => Promise<void>): Promise<void>
  /** As `finish`, for a step with an output: the result of `work`. */
  finishWith<Output>(step: StepRef<Output>, work: (tx: Tx) => Promise<Output>): Promise<Output>
  /** Starts a child operation, in a transaction of this call. @returns its id */
  start<ChildInput>(
    tx: Tx,
    kind: Operation<ChildInput>,
    parts: Omit<StartParts<ChildInput>, 'startedBy' | 'requestId' | 'parentId'>,
  ): Promise<string>
  /**
   * Runs a failed operation again, in the background, in a transaction of this call, which goes on if it is refused.
   * @throws Refusal
   */
  retry(tx: Tx, operationId: string, by: RetriedBy): Promise<void>
  /** Cancels the children that wait; those that have never run end at once. */
  cancelWaiting(): Promise<void>
}

type StepWork<Input, Output = unknown> = (call: StepCall<Input>) => Promise<Output>

/** Identifies a step, also in its record, in the marks of its calls and in the console's texts. */
export interface StepId {
  /** In kebab case. Never changed, and never given to another step. */
  id: string
}

/** Refers to a step whose output can be read. The output is stored as JSON and parsed at every read. */
export interface StepRef<Output> extends StepId {
  output: z.ZodType<Output>
}

interface StepParts<Input> extends StepId {
  /** For people; steps with the same id have the same title. */
  title: string
  /** Undoes `run`; also succeeds when `run` never took effect. @throws TookEffect when the effect should stay */
  undo: StepWork<Input>
  /** A temporary change, such as a lock: undone even after a failure that keeps the other steps for a retry. */
  temporary?: true
  /** Once this step has started, the operation cannot be cancelled; once it is done, nothing is undone. */
  pointOfNoReturn?: true
  /** Gives the step an entry of its own in the monitoring. */
  process?: ProcessType
  /** The region shown in the step's monitoring entry; by default the operation's. */
  region?(input: Input): number
  /** How long transient failures are retried (default 15 minutes), and the longest pause (default 30 s). */
  retry?: { minutes: number; longestPauseSeconds?: number }
}

/** `run` is idempotent: a crash between its effect and the record of it makes a worker repeat it. */
interface StepWithoutOutput<Input> extends StepParts<Input> {
  run: StepWork<Input, void>
  output?: undefined
}

export interface StepWithOutput<Input, Output> extends StepParts<Input>, StepRef<Output> {
  run: StepWork<Input, Output>
}

export type Step<Input> = StepWithoutOutput<Input> | StepWithOutput<Input, unknown>

/** Defines a step whose output others read; the type of what `run` answers must match the schema `output`. */
export function step<Input, Output>(definition: StepWithOutput<Input, Output>): StepWithOutput<Input, Output> {
  return definition
}

/** A step that could not be undone, and why. */
export interface StuckStep extends StepId {
  title: string
  reasons: Reasons
}

export interface StartParts<Input> {
  input: Input
  room: { id: string; name: string } | null
  /** The name of what the operation works on, if that is not a room. */
  subject?: string
  regionId: number | null
  startedBy: string
  requestId: string | null
  /** The operation that starts this one. */
  parentId?: string
  /** No operator waits for it: it waits for slots behind all other operations. Default: false. */
  background?: boolean
}

export interface Operation<Input> {
  /** Such as `room.create`; never reused for something else. */
  kind: string
  /**
   * Increased when the steps change, so that an operation started with the old steps never continues with the new ones.
   * See docs/recipes/add-an-operation.md.
   */
  version: number
  /** null: no entry in the monitoring. */
  process: ProcessType | null
  /**
   * What the operation was started with. Secrets are sealed under the key `sealed`, which is removed when the operation
   * is done or cancelled, or a day after it failed. After that it cannot be retried, but it can still be undone: undos
   * need no secrets.
   */
  input: z.ZodType<Input>
  /** Needs a slot of its region (REGION_CONCURRENCY). */
  takesSlot: boolean
  /** A second region in which it needs a slot. */
  secondSlot?(input: Input): number
  /** `undo`: all steps are undone. `keep`: done steps stay, so that a retry can continue. */
  whenFailed: 'undo' | 'keep'
  /**
   * The reasons of failures after which a retry would fail again, because it has the same input; each with what to do
   * instead.
   */
  uselessRetries?: Partial<Record<ReasonCode, CodedReason>>
  /** It is retried although the region of its room is disabled. */
  worksInDisabledRegion?: true
  /** Who may cancel and retry it. */
  managedBy: Exclude<Access, 'public' | 'all'>
  steps: readonly Step<Input>[]
  /**
   * Sets the room's new state, in the transaction that ends the operation.
   * @throws StepFailed when the new state is not possible after all: the operation fails and is undone as if its last
   * step had failed
   */
  done(tx: Tx, operation: OperationRecord<Input>): Promise<void>
  /**
   * @param reasons what people see
   * @param undone false when something could not be undone
   * @param failureCode the `failureCode` of the StepFailed that the step threw; means something to this kind only
   * @param stuck the steps that could not be undone, except where the cause is a bug of ours
   */
  failed(
    tx: Tx,
    operation: OperationRecord<Input>,
    reasons: Reasons,
    undone: boolean,
    failureCode: string | null,
    stuck: readonly StuckStep[],
  ): Promise<void>
  cancelled(tx: Tx, operation: OperationRecord<Input>): Promise<void>
  /**
   * Called before a retry, in its transaction: marks the room as busy again. @throws Refusal when that is not possible
   * @param isFinishingUndo true when the retry only finishes the incomplete undo; the operation then ends as it did before
   * @param by who retries it
   */
  retrying(tx: Tx, operation: OperationRecord<Input>, isFinishingUndo: boolean, by: RetriedBy): Promise<void>
}

export interface RetriedBy {
  /** As the audit trail names them. */
  actor: string
  role: Role
}

/** For steps that have nothing to undo. */
export async function noUndo(): Promise<void> {}

/** Checks at start-up what the types cannot express. */
export function operation<Input>(definition: Operation<Input>): Operation<Input> {
  const ids = definition.steps.map((step) => step.id)
  if (new Set(ids).size !== ids.length) throw new Error(`${definition.kind}: two steps have the same id.`)
  return definition
}

/** The input's schema for an operation that is only undone: its secrets may have been removed. */
export function inputForUndo({ input }: Pick<Operation<unknown>, 'input'>): z.ZodType {
  return input instanceof z.ZodObject && 'sealed' in input.shape ? input.partial({ sealed: true }) : input
}

/** The kinds that a process knows, each in one or more versions. */
export interface OperationKinds {
  /** For rules that do not depend on the steps, such as who may manage the operation. */
  newest(kind: string): Operation<unknown> | undefined
  /** undefined: this process cannot run it, but another may. */
  find(kind: string, version: number): Operation<unknown> | undefined
  all: readonly { kind: string; version: number }[]
}

/** A kind with any input type. */
export interface AnyOperation {
  kind: string
  version: number
  steps: readonly Step<never>[]
}

export function operationKinds(kinds: readonly AnyOperation[]): OperationKinds {
  // Each record's input is parsed by its own kind's schema before a step sees it.
  const all = (kinds as unknown as Operation<unknown>[]).toSorted((a, b) => b.version - a.version)
  const find = (kind: string, version: number) => all.find((each) => each.kind === kind && each.version === version)
  const twice = all.find((each) => find(each.kind, each.version) !== each)
  if (twice !== undefined) throw new Error(`${twice.kind}: version ${twice.version} is there twice.`)
  return { all, find, newest: (kind) => all.find((each) => each.kind === kind) }
}

/** What the steps of operations work with. app/services.ts adds what the features provide. */
export interface Services {
  db: Db
  log: Log
}

/** Whether all is undone if the operation fails in this step. A point of no return may have taken effect unheard. */
export function undoesAllAt(kind: Operation<unknown>, position: number): boolean {
  return kind.whenFailed === 'undo' && pointsOfNoReturn(kind).every((point) => point > position)
}

/** @returns the positions of these steps */
export function pointsOfNoReturn(kind: Operation<unknown>): number[] {
  return kind.steps.flatMap((step, position) => (step.pointOfNoReturn === true ? [position] : []))
}
