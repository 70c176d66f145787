/** What every command does after it has started an operation: waits if it was asked to, and says what has become of it. */
import type { Command } from 'commander'
import type { Server } from '#connection/connect.ts'
import { isForPeople, outputOf } from '#output/output-options.ts'
import { printOne } from '#output/print-one.ts'
import type { Progress } from '#terminal/progress.ts'
import { note } from '#terminal/say.ts'
import { sayHowToFollow, waitForOperation } from './wait-for-operation.ts'
import type { WaitOptions } from './wait-options.ts'

export interface Started {
  /** Such as `Creating fleet1` and `fleet1 was created`. */
  doing: string
  done: string
  /** What the operation works on: a project room. */
  projectRoomName?: string
  /** Null: it was done before the server answered. */
  operationId: string | null
  progress?: (server: Server) => Promise<Progress | null>
  mayBeCancelled?: boolean
}

export async function finishStart(
  server: Server,
  command: Command,
  { doing: what, done, projectRoomName, operationId, ...how }: Started,
): Promise<void> {
  const { wait = false, timeout: timeoutSeconds } = command.opts<WaitOptions>()
  const isWaitedFor = operationId !== null && wait
  if (isWaitedFor) await waitForOperation(server, { operationId, what, timeoutSeconds, ...how })
  const isDone = operationId === null || isWaitedFor
  const output = outputOf(command)
  if (!isForPeople(output)) {
    const state = isDone ? 'done' : 'started'
    const result = { ...(projectRoomName === undefined ? {} : { projectRoomName }), operationId, state }
    await printOne(result, projectRoomName ?? operationId ?? '', output)
    return
  }
  if (isDone) note(`${done}.`, 'green')
  else {
    note(`${what} …`)
    sayHowToFollow(operationId)
  }
}

/** Of calls that answer with their result when it takes no long, and with an operation otherwise. */
export function operationOf(answer: { status: unknown; body?: unknown }): string | null {
  if (answer.status !== 202) return null
  return (answer.body as { operationId: string }).operationId
}
