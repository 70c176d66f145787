import type { Cli } from '#cli.ts'
import type { Server } from '#connection/connect.ts'
import { Failure } from '#failure.ts'
import { finishStart } from '#operations/finish-start.ts'
import type { WaitOptions } from '#operations/wait-options.ts'
import { countOfRooms } from '#rooms/show-rooms.ts'
import type { Progress } from '#terminal/progress.ts'

interface StartedBulk {
  /** As in `Started`. */
  doing: string
  done: string
  id: string
  mayBeCancelled?: boolean
}

/** As `finishStart`; with `--wait` it fails when the action failed for some rooms, or was done for none. */
export async function finishBulk(
  cli: Cli,
  server: Server,
  options: WaitOptions,
  { id, mayBeCancelled = false, ...texts }: StartedBulk,
): Promise<void> {
  const progress = (watched: Server) => bulkProgress(watched, id)
  try {
    await finishStart(cli, server, options, { ...texts, operationId: id, progress, mayBeCancelled })
  } catch (error) {
    // With a room, the operation of the bulk fails, too; its log and a retry of it are not what helps.
    if (!(error instanceof Failure) || error.kind !== 'operation-failed') throw error
    throw (await failureOfParts(cli, server, id)) ?? error
  }
  const failure = options.wait === true && !mayBeCancelled ? await failureOfParts(cli, server, id) : null
  if (failure !== null) throw failure
}

/** @returns null: nothing failed, and something was done */
async function failureOfParts(cli: Cli, server: Server, id: string): Promise<Failure | null> {
  const { counts, total, state } = (await server.call('bulk', { params: { id } })).body
  const { DONE: done, FAILED: failed, SKIPPED: skipped } = counts
  const more = skipped === 0 ? '' : `, and ${skipped} were skipped`
  if (failed === 0 && state !== 'FAILED') {
    cli.terminal.note(
      `The bulk is done for ${done} of ${countOfRooms(total)}${more}.`,
      skipped > 0 ? 'yellow' : 'green',
    )
    return null
  }
  const details = { operationId: id, hints: hintsOf(id, failed > 0 ? 'FAILED' : 'SKIPPED') }
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

async function bulkProgress(server: Server, id: string): Promise<Progress> {
  const { counts, total, waitsFor } = (await server.call('bulk', { params: { id } })).body
  const ended = counts.DONE + counts.FAILED + counts.SKIPPED + counts.CANCELLED
  const failed = counts.FAILED === 0 ? '' : `, ${counts.FAILED} failed`
  const waits = waitsFor.length === 0 ? '' : `, waits for ${waitsFor.join(', ')}`
  return { step: `${ended} of ${total}${failed}${waits}`, fraction: total === 0 ? null : ended / total, isCount: true }
}
