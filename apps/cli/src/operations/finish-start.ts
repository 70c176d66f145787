/** What every command does after it has started an operation: it waits if asked to, and reports the outcome. */
import type { Cli } from '#cli.ts'
import type { Server } from '#connection/connect.ts'
import { isForPeople } from '#output/output-options.ts'
import { printOne } from '#output/print-one.ts'
import type { Progress } from '#terminal/progress.ts'
import { sayHowToFollow, waitForOperation } from './wait-for-operation.ts'
import type { WaitOptions } from './wait-options.ts'

interface Started {
  /** Such as `Creating fleet1` and `fleet1 was created`. */
  doing: string
  done: string
  /** The project room that the operation works on. */
  projectRoomName?: string
  /** Null if the work was done before the server answered. */
  operationId: string | null
  progress?: (server: Server) => Promise<Progress | null>
  mayBeCancelled?: boolean
}

export async function finishStart(
  { terminal, output }: Cli,
  server: Server,
  { wait = false, timeout: timeoutSeconds }: WaitOptions,
  { doing: what, done, projectRoomName, operationId, ...how }: Started,
): Promise<void> {
  const isWaitedFor = operationId !== null && wait
  if (isWaitedFor) await waitForOperation(terminal, server, { operationId, what, timeoutSeconds, ...how })
  const isDone = operationId === null || isWaitedFor
  if (!isForPeople(output)) {
    const state = isDone ? 'done' : 'started'
    const result = { ...(projectRoomName === undefined ? {} : { projectRoomName }), operationId, state }
    await printOne(result, projectRoomName ?? operationId ?? '', output)
    return
  }
  if (isDone) terminal.note(`${done}.`, 'green')
  else {
    terminal.note(`${what} …`)
    sayHowToFollow(terminal, operationId)
  }
}

/** @returns the operation; null if the call answered with its result, because that took little time */
export function operationOf(answer: { status: unknown; body?: unknown }): string | null {
  if (answer.status !== 202) return null
  return (answer.body as { operationId: string }).operationId
}
