/**
 * Points at which a test can make an operation fail, to show that nothing is lost or done twice. Inert unless
 * FAULT_FILE names a file with a line such as `room.create:check-room:after:kill`. The file is renamed once its line
 * has taken effect.
 */

import { readFileSync, renameSync } from 'node:fs'
import { because } from '@roomkeeper/contract'
import { StepFailed } from './failures.ts'
import type { StepId } from './operation.ts'

/** before: the step is about to run. after: it has taken effect, unrecorded. recorded: the record shows it as done. */
export type FaultPoint = 'before' | 'after' | 'recorded' | 'undo'

/** In place of a step: the end of the operation, after its last step. */
export const endOfOperation = { id: 'end' }

/** @param signal fires when the operation is cancelled; `hold` works only at points that pass it */
export async function reachFaultPoint(
  kind: string,
  { id }: StepId,
  point: FaultPoint,
  signal?: AbortSignal,
): Promise<void> {
  const file = process.env.FAULT_FILE
  if (file === undefined || file === '') return
  const action = plannedAction(file, `${kind}:${id}:${point}:`)
  if (action === null) return
  switch (action) {
    case 'kill':
      process.kill(process.pid, 'SIGKILL')
      return await new Promise(() => undefined)
    case 'fail':
      throw new StepFailed(because('told', { told: 'A test made this step fail.' }))
    case 'break':
      throw new Error('A test broke this step, as a mistake in the code would.')
    case 'hold':
      return await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    default:
      throw new Error(`FAULT_FILE asks for ${action}, which is not known.`)
  }
}

/** The rename makes sure that only one of several processes takes the action. */
function plannedAction(file: string, prefix: string): string | null {
  try {
    const planned = readFileSync(file, 'utf8').trim()
    if (!planned.startsWith(prefix)) return null
    renameSync(file, `${file}.done`)
    return planned.slice(prefix.length)
  } catch {
    return null
  }
}
