/** What an operation kind is: a file that reads downward, with steps that run and can be undone. */
import type { Access, ProcessType, Reasons } from '@roomkeeper/contract'
import type { CallMark } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import type { Tx } from '#platform/database.ts'
import type { StartParts } from './start-operation.ts'

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

/** What a step gets. */
export interface StepCall<Input, Services> extends OperationRecord<Input> {
  services: Services
  /** Sent with every call to a region, so that it recognises repeated calls and overtaken workers. */
  mark: CallMark
  /** What a step before this one answered. @throws Error when there is no such step before this one, or it is not done */
  output<Output>(step: StepRef<Output>): Output
  /** For undos, whose operation may not have got so far; null: the step is not done, or this operation does not have it. */
  outputIfDone<Output>(step: StepRef<Output>): Output | null
  /** Adds a numbered line to the operation's log. Never put a secret into it. */
  log(said: string | Reasons, level?: 'info' | 'warning' | 'error'): Promise<void>
  /** Reports how much of this step is done, 0 to 1. */
  progress(share: number): Promise<void>
  /** Fires when the operation is cancelled or lost to another worker, or this process stops. */
  signal: AbortSignal
  /**
   * Changes that only the worker that has claimed the operation may make; nothing is written when it was overtaken. The
   * step may still be repeated after the commit.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same, and with it the step is done: it is never repeated. */
  finish(work: (tx: Tx) => Promise<void>): Promise<void>
  /** The same for a step that answers something: what the work does. */
  finishWith<Output>(step: StepRef<Output>, work: (tx: Tx) => Promise<Output>): Promise<Output>
  /** Starts another operation on behalf of this one, in such a transaction. @returns its id */
  start<ChildInput>(
    tx: Tx,
    kind: Operation<ChildInput, Services>,
    parts: Omit<StartParts<ChildInput>, 'startedBy' | 'requestId' | 'parentId'>,
  ): Promise<string>
}

type StepWork<Input, Services, Output = unknown> = (call: StepCall<Input, Services>) => Promise<Output>

/** How others speak of a step: by its id, which its record, the marks of its calls and the console's texts have too. */
export interface StepId {
  /** In kebab case. Never changed, and nowhere given to something else. */
  id: string
}

/** How others read what a step answered. It is kept as JSON, and parsed whenever it is read. */
export interface StepRef<Output> extends StepId {
  output: z.ZodType<Output>
}

interface StepParts<Input, Services> extends StepId {
  /** For people; the same wherever the id is the same. */
  title: string
  /** Undoes what `run` did; accepts that it was never done. @throws TookEffect when the effect should stay */
  undo: StepWork<Input, Services>
  /** A temporary change, such as a lock: undone also when the operation ends in failure and can be retried. */
  temporary?: true
  /** After this step has started the operation can no longer be cancelled, and after it is done nothing is undone. */
  pointOfNoReturn?: true
  /** Gives the step an entry of its own in the monitoring. */
  process?: ProcessType
  /** The region of that entry; by default the operation's. */
  region?(input: Input): number
  /** For how long transient failures are retried (default 15 minutes), and the longest pause (default 30 s). */
  retry?: { minutes: number; longestPauseSeconds?: number }
}

/** `run` is idempotent: it may be repeated after a crash between its effect and its record. */
interface StepWithoutOutput<Input, Services> extends StepParts<Input, Services> {
  run: StepWork<Input, Services, void>
  output?: undefined
}

export interface StepWithOutput<Input, Services, Output> extends StepParts<Input, Services>, StepRef<Output> {
  run: StepWork<Input, Services, Output>
}

export type Step<Input, Services> = StepWithoutOutput<Input, Services> | StepWithOutput<Input, Services, unknown>

/** A step that others read: what `run` answers must be of the form that `output` says. */
export function step<Input, Services, Output>(
  definition: StepWithOutput<Input, Services, Output>,
): StepWithOutput<Input, Services, Output> {
  return definition
}

/** Why a step could not be put back. */
export interface StuckStep extends StepId {
  reasons: Reasons
}

export interface Operation<Input, Services> {
  /** Such as `room.create`; never reused for something else. */
  kind: string
  /**
   * Grows when steps change, so that an operation that started with old steps is not continued with new ones. The
   * former version stays registered for one release, for operations that started with it; see
   * docs/recipes/add-an-operation.md.
   */
  version: number
  /** null: no entry in the monitoring. */
  process: ProcessType | null
  /**
   * What the operation was started with. Secrets are sealed, under the key `sealed`, which is removed when the
   * operation is done or cancelled, or a day after its failure. It cannot be retried then, but still be undone: undos
   * do without secrets.
   */
  input: z.ZodType<Input>
  /** Needs one of the region's slots for operations (REGION_CONCURRENCY). */
  takesSlot: boolean
  /** Needs a slot of this region too. */
  secondSlot?(input: Input): number
  /** `undo`: everything is as before. `keep`: done steps stay, so that a retry can continue. */
  whenFailed: 'undo' | 'keep'
  /** Who may cancel and retry it. */
  managedBy: Exclude<Access, 'public' | 'all'>
  steps: readonly Step<Input, Services>[]
  /** The room's new state, in the transaction that ends the operation. */
  done(tx: Tx, operation: OperationRecord<Input>): Promise<void>
  /**
   * @param reasons what people see
   * @param undone false when something could not be undone
   * @param sort what the step said about its failure, for its kind only
   * @param stuck what could not be put back, for other reasons than a mistake of ours
   */
  failed(
    tx: Tx,
    operation: OperationRecord<Input>,
    reasons: Reasons,
    undone: boolean,
    sort: string | null,
    stuck: readonly StuckStep[],
  ): Promise<void>
  cancelled(tx: Tx, operation: OperationRecord<Input>): Promise<void>
  /**
   * Before a retry, in its transaction: the room is busy again. @throws Refusal when that is not possible
   * @param puttingBack the undo that was incomplete is finished now, and then it ends as before
   */
  retrying(tx: Tx, operation: OperationRecord<Input>, puttingBack: boolean): Promise<void>
}

/** For steps that have nothing to undo. */
export async function nothing(): Promise<void> {}

/** Checks at start-up what the types cannot say. */
export function operation<Input, Services>(definition: Operation<Input, Services>): Operation<Input, Services> {
  const ids = definition.steps.map((step) => step.id)
  if (new Set(ids).size !== ids.length) throw new Error(`${definition.kind}: two steps have the same id.`)
  return definition
}

/** The schema for the input of an operation that is only undone: its secrets may have been removed. */
export function inputForUndo({ input }: Pick<Operation<unknown, never>, 'input'>): z.ZodType {
  return input instanceof z.ZodObject && 'sealed' in input.shape ? input.partial({ sealed: true }) : input
}

/** The kinds that a process knows, each in one version or several. */
export interface OperationKinds<Services> {
  /** For what does not depend on steps, such as who may manage it. */
  newest(kind: string): Operation<unknown, Services> | undefined
  /** undefined: this process cannot run it, another may. */
  find(kind: string, version: number): Operation<unknown, Services> | undefined
  all: readonly { kind: string; version: number }[]
}

/** A kind of any input. */
export interface AnyOperation<Services> {
  kind: string
  version: number
  steps: readonly Step<never, Services>[]
}

export function operationKinds<Services>(kinds: readonly AnyOperation<Services>[]): OperationKinds<Services> {
  // Each record's input is parsed by its own kind's schema before a step sees it.
  const all = (kinds as unknown as Operation<unknown, Services>[]).toSorted((a, b) => b.version - a.version)
  const find = (kind: string, version: number) => all.find((each) => each.kind === kind && each.version === version)
  const twice = all.find((each) => find(each.kind, each.version) !== each)
  if (twice !== undefined) throw new Error(`${twice.kind}: version ${twice.version} is there twice.`)
  return { all, find, newest: (kind) => all.find((each) => each.kind === kind) }
}
