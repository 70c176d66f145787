/** A room's stored state changes only by compare-and-set, and every change is announced to the consoles. */
import type { Reasons } from '@roomkeeper/contract'
import type { Tx } from '#platform/database.ts'
import { announce } from '#platform/events.ts'
import { storedReasons } from '#platform/stored-reasons.ts'
import type { RoomErrorCode, RoomsTable } from './tables.ts'

type State = RoomsTable['state']

/** @returns the room's name, or null if the room is gone or no longer in one of the `from` states */
export async function changeState(
  tx: Tx,
  roomId: string | null,
  change: { from: readonly State[]; to: State; error?: Reasons | null; errorCode?: RoomErrorCode | null },
): Promise<string | null> {
  if (roomId === null) return null
  const error = change.error ? storedReasons(change.error) : null
  const row = await tx
    .updateTable('rooms')
    .set((is) => ({
      state: change.to,
      errorMessage: error?.text ?? null,
      errorReasons: error?.codes ?? null,
      errorCode: change.errorCode ?? null,
      version: is('version', '+', 1),
    }))
    .where('id', '=', roomId)
    .where('state', 'in', change.from)
    .returning('name')
    .executeTakeFirst()
  if (row === undefined) return null
  await announce(tx, { type: 'room', room: row.name, gone: false })
  return row.name
}

export async function removeRoom(tx: Tx, roomId: string | null): Promise<void> {
  if (roomId === null) return
  const row = await tx.deleteFrom('rooms').where('id', '=', roomId).returning('name').executeTakeFirst()
  if (row !== undefined) await announce(tx, { type: 'room', room: row.name, gone: true })
}
