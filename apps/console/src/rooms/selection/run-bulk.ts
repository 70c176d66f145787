import { client } from '#api/client.ts'
import { queryClient } from '#api/queries.ts'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { readToken } from '#api/token.ts'
import { type BulkRun, currentRun, type RunAction, setRun } from './run-state.ts'

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
  const work = async () => {
    while (currentRun()?.phase === 'running' && readToken() === token) {
      const name = waiting.shift()
      if (name === undefined) return
      await changeOne(action, name, notify)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  removeEventListener('beforeunload', askBeforeUnload)
  change(() => ({ phase: 'ended' }))
  void queryClient.invalidateQueries({ queryKey: ['rooms'] })
  return currentRun()
}

/** Begins no further room. Those under way end. */
export function stopRun(): void {
  change(({ phase }) => ({ phase: phase === 'running' ? 'stopping' : phase }))
}

async function changeOne(action: RunAction, roomName: string, userNotification: boolean): Promise<void> {
  const body = { roomName, userNotification }
  try {
    const { status } = await (action === 'suspend'
      ? client.call('suspendRoom', { body })
      : client.call('resumeRoom', { body }))
    change((run) => (status === 200 ? { done: run.done + 1 } : { stillRunning: run.stillRunning + 1 }))
  } catch (error) {
    if (isSessionEnd(error)) return stopRun()
    const text = textOf(error)
    change(({ refused }) => ({ refused: new Map(refused).set(text, [...(refused.get(text) ?? []), roomName]) }))
  }
}

function change(by: (run: BulkRun) => Partial<BulkRun>): void {
  const run = currentRun()
  if (run !== null) setRun({ ...run, ...by(run) })
}

function askBeforeUnload(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
