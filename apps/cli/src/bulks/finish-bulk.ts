import type { Command } from 'commander'
import type { Server } from '#connection/connect.ts'
import { Failure } from '#failure.ts'
import { finishStart } from '#operations/finish-start.ts'
import { countOfRooms } from '#rooms/count-of-rooms.ts'
import { note } from '#terminal/say.ts'
import { bulkProgress } from './bulk-progress.ts'

export interface StartedBulk {
  /** As of `finishStart`. */
  doing: string
  done: string
  id: string
  mayBeCancelled?: boolean
}

/** As `finishStart`; with `--wait` it fails when the action failed for some rooms, or was done for none. */
export async function finishBulk(
  server: Server,
  command: Command,
  { id, mayBeCancelled = false, ...texts }: StartedBulk,
): Promise<void> {
  const progress = (watched: Server) => bulkProgress(watched, id)
  try {
    await finishStart(server, command, { ...texts, operationId: id, progress, mayBeCancelled })
  } catch (error) {
    // With a room, the operation of the bulk fails, too; its log and a retry of it are not what helps.
    if (!(error instanceof Failure) || error.kind !== 'operation-failed') throw error
    throw (await failureOfParts(server, id)) ?? error
  }
  const failure = isWaitedFor(command) && !mayBeCancelled ? await failureOfParts(server, id) : null
  if (failure !== null) throw failure
}

function isWaitedFor(command: Command): boolean {
  return command.opts<{ wait?: boolean }>().wait === true
}

/** @returns null: nothing failed, and something was done */
async function failureOfParts(server: Server, id: string): Promise<Failure | null> {
  const { counts, total, state } = (await server.call('bulk', { params: { id } })).body
  const { FAILED: failed, SKIPPED: skipped } = counts
  if (failed === 0 && state !== 'FAILED') {
    if (skipped > 0) note(`${countOfRooms(skipped)} of ${total} were skipped.`, 'yellow')
    return null
  }
  const details = { operationId: id, hints: hintsOf(id, failed > 0 ? 'FAILED' : 'SKIPPED') }
  const more = skipped === 0 ? '' : `, and ${skipped} were skipped`
  if (failed > 0)
    return new Failure('operation-failed', `The bulk failed for ${failed} of ${countOfRooms(total)}${more}.`, details)
  return new Failure(
    'operation-failed',
    `The action was possible for none of ${countOfRooms(total)} any more.`,
    details,
  )
}

function hintsOf(id: string, state: 'FAILED' | 'SKIPPED'): string[] {
  const items = `roomkeeper bulk items ${id} --state ${state}`
  return state === 'FAILED' ? [items, `roomkeeper bulk retry ${id}`] : [items]
}
