/** Makes many rooms what a file says, some at once. Each has a result of its own. */
import type { Server } from '#connection/connect.ts'
import { bugFailure, exitCodes, Failure, headline } from '#failure.ts'
import type { View } from '#output/view.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { unlessStopped } from '#terminal/unless-stopped.ts'
import { countOfRooms } from '../show-rooms.ts'
import { applyPlan, type WantedRoom } from './apply-plan.ts'
import type { RoomPlan } from './plan-room.ts'

export interface Result {
  projectRoomName: string
  action: RoomPlan['action']
  /** `not-begun`: the user stopped the program before, the server had gone, or the token no longer counts. */
  state: 'done' | 'failed' | 'not-begun'
  error: string | null
  /** The operation that failed, or that goes on. */
  operationId: string | null
}

export const resultView: View<Result> = {
  name: ({ projectRoomName }) => projectRoomName,
  none: '',
  fields: ['projectRoomName', 'action', 'state', 'error', 'operationId'],
  columns: [],
}

/** A region has few slots. */
const roomsAtOnce = 4

export interface Applied {
  results: Result[]
  /** The failure that the command ends with; null: all rooms are as the file says. */
  failure: Failure | null
}

/** @param timeoutSeconds for each operation */
export async function applyAll(
  terminal: Terminal,
  server: Server,
  rooms: readonly WantedRoom[],
  timeoutSeconds: number | undefined,
): Promise<Applied> {
  const results = rooms.map(({ plan }) => resultOf(plan, plan.action === 'none' ? 'done' : 'not-begun'))
  const toDo = [...rooms.entries()].filter(([, { plan }]) => plan.action !== 'none')
  const failures: Failure[] = []
  await unlessStopped(terminal, { interrupted }, (signal) =>
    eachConcurrently(toDo, roomsAtOnce, async ([index, room]) => {
      if (signal.aborted || failures.some(affectsEveryRoom)) return
      const failure = await failureOf(applyPlan(terminal, server.within(signal), room, timeoutSeconds))
      results[index] = resultOf(room.plan, failure === null ? 'done' : 'failed', failure)
      if (failure !== null) failures.push(failure)
      sayResult(terminal, room.plan, failure)
    }),
  )
  return { results, failure: failureOfAll(results, failures) }
}

function resultOf(
  { projectRoomName, action }: RoomPlan,
  state: Result['state'],
  failure: Failure | null = null,
): Result {
  const operationId = failure?.details.operationId ?? null
  return { projectRoomName, action, state, error: failure?.message ?? null, operationId }
}

function interrupted(): Failure {
  return new Failure('interrupted', 'Stopped before the room was what the file says.')
}

const refusalsOfCallers: readonly (string | undefined)[] = ['token-refused', 'session-expired', 'not-allowed']

/** Whether every other room would fail, too. */
function affectsEveryRoom({ kind, details }: Failure): boolean {
  return kind === 'unreachable' || kind === 'bug' || refusalsOfCallers.includes(details.code)
}

/** A bug of this program also counts as one room's result, because otherwise the other results would be lost. */
async function failureOf(work: Promise<void>): Promise<Failure | null> {
  try {
    await work
    return null
  } catch (error) {
    return error instanceof Failure ? error : bugFailure(error)
  }
}

function sayResult(terminal: Terminal, { projectRoomName: name, action }: RoomPlan, failure: Failure | null): void {
  if (failure === null) {
    terminal.note(`${name} was ${action === 'create' ? 'created' : 'changed'}.`, 'green')
    return
  }
  const { errors = [], hints = [] } = failure.details
  terminal.say(`${name}: ${headline(failure)}`, 'red')
  for (const { field, message: why } of errors) terminal.say(`  ${field}: ${why}`)
  for (const hint of hints) terminal.say(`  ${hint}`)
}

/** @returns a failure with the highest exit code */
function failureOfAll(results: readonly Result[], failures: readonly Failure[]): Failure | null {
  const notBegun = results.filter(({ state }) => state === 'not-begun').length
  if (failures.length === 0 && notBegun === 0) return null
  const kinds = failures.length === 0 ? (['interrupted'] as const) : failures.map(({ kind }) => kind)
  const worst = kinds.reduce((one, other) => (exitCodes[other] > exitCodes[one] ? other : one))
  const rest = notBegun === 0 ? '' : ` Not begun: ${notBegun}.`
  const left = failures.length + notBegun
  return new Failure(worst, `Not what the file says: ${left} of ${countOfRooms(results.length)}.${rest}`)
}

/** @throws what the first that fails throws; no further one is begun then, and those under way are waited for */
async function eachConcurrently<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items]
  let failed: { error: unknown } | null = null
  const worker = async () => {
    for (let next = left.shift(); next !== undefined && failed === null; next = left.shift()) {
      await work(next).catch((error: unknown) => {
        failed ??= { error }
      })
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  if (failed !== null) throw (failed as { error: unknown }).error
}
