import { ProblemError } from '@roomkeeper/contract'
import i18next from 'i18next'
import { client, inBackground } from '#api/client.ts'
import { queryClient } from '#api/queries.ts'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { readToken } from '#api/token.ts'
import { type BulkRun, currentRun, type RunAction, setRun } from './run-state.ts'

/** How often rooms whose operation was accepted are looked at. */
const lookMilliseconds = 2_000

/** Calls at a time. Regions take few at once, and the console stays usable meanwhile. */
const parallel = 4

/**
 * Suspends or resumes rooms one by one. A room that cannot be is noted, and the others go on. The run survives
 * navigation, and the browser asks before the tab is closed.
 * @returns the run at its end; null if the session ended before
 */
export async function runBulk(action: RunAction, names: readonly string[], notify: boolean): Promise<BulkRun | null> {
  setRun({ action, total: names.length, done: 0, stillRunning: 0, refused: new Map(), phase: 'running' })
  addEventListener('beforeunload', askBeforeUnload)
  const token = readToken()
  const waiting = [...names]
  /** Rooms whose region takes longer, with their operations. */
  const accepted = new Map<string, string>()
  const work = async () => {
    while (currentRun()?.phase === 'running' && readToken() === token) {
      const name = waiting.shift()
      if (name === undefined) return
      const operationId = await changeOne(action, name, notify)
      if (operationId !== null) accepted.set(name, operationId)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  removeEventListener('beforeunload', askBeforeUnload)
  // The regions go on without this tab; it only looks how they end, until the operator stops.
  while (currentRun()?.phase === 'running' && accepted.size > 0 && readToken() === token) {
    await new Promise((resolve) => setTimeout(resolve, lookMilliseconds))
    for (const [name, operationId] of accepted) if (await hasEnded(name, operationId)) accepted.delete(name)
  }
  change(() => ({ phase: 'ended' }))
  void queryClient.invalidateQueries({ queryKey: ['rooms'] })
  return currentRun()
}

/** Begins no further room. Those under way end. */
export function stopRun(): void {
  change(({ phase }) => ({ phase: phase === 'running' ? 'stopping' : phase }))
}

/** @returns the operation if it goes on */
async function changeOne(action: RunAction, roomName: string, userNotification: boolean): Promise<string | null> {
  const body = { roomName, userNotification }
  try {
    const answer = await (action === 'suspend'
      ? client.call('suspendRoom', { body })
      : client.call('resumeRoom', { body }))
    change((run) => (answer.status === 200 ? { done: run.done + 1 } : { stillRunning: run.stillRunning + 1 }))
    return answer.status === 200 ? null : answer.body.operationId
  } catch (error) {
    if (isSessionEnd(error)) stopRun()
    else change(({ refused }) => ({ refused: withRefused(refused, textOf(error), roomName) }))
    return null
  }
}

/** Looks how an accepted operation goes on, and counts it when it has ended. */
async function hasEnded(name: string, operationId: string): Promise<boolean> {
  try {
    const { body: room } = await client.call('room', { query: { projectRoom: name }, headers: inBackground })
    if (room.runningOperation?.operationId === operationId) return false
    const hasFailed = room.failedOperationId === operationId
    change(({ done, stillRunning, refused }) => ({
      stillRunning: stillRunning - 1,
      ...(hasFailed ? { refused: withRefused(refused, i18next.t('selection:failedLater'), name) } : { done: done + 1 }),
    }))
    return true
  } catch (error) {
    if (!isFinal(error)) return false
    const why = textOf(error)
    change(({ stillRunning, refused }) => ({
      stillRunning: stillRunning - 1,
      refused: withRefused(refused, why, name),
    }))
    return true
  }
}

/** Looking again would not help: the room has gone, for example. A run without a session ends by itself. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false
  const { status } = error.problem
  return status < 500 && status !== 401 && status !== 429
}

function withRefused(refused: BulkRun['refused'], text: string, name: string): BulkRun['refused'] {
  return new Map(refused).set(text, [...(refused.get(text) ?? []), name])
}

function change(by: (run: BulkRun) => Partial<BulkRun>): void {
  const run = currentRun()
  if (run !== null) setRun({ ...run, ...by(run) })
}

function askBeforeUnload(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
