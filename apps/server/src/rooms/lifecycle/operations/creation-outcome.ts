/**
 * The room after an operation that creates it: DEFAULT on success, ERROR after a failure (so that it can be retried),
 * and removed after a cancellation.
 */
import { because, type Reasons } from '@roomkeeper/contract'
import type { OperationRecord } from '#operations/index.ts'
import type { Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { changeState, removeRoom } from '../../change-state.ts'

export const creationOutcome = {
  async done(tx: Tx, record: OperationRecord<unknown>): Promise<void> {
    const change = { from: ['IN_PROGRESS'], to: 'DEFAULT' } as const
    await changeState(tx, record.roomId, change, { kind: 'room.created', operation: record })
  },
  async failed(tx: Tx, { roomId }: OperationRecord<unknown>, error: Reasons): Promise<void> {
    await changeState(tx, roomId, { from: ['IN_PROGRESS'], to: 'ERROR', error }, { kind: 'room.work-ended' })
  },
  cancelled: (tx: Tx, { roomId }: OperationRecord<unknown>): Promise<void> =>
    removeRoom(tx, roomId, { kind: 'room.not-created' }),
  async retrying(tx: Tx, { roomId, roomName }: OperationRecord<unknown>): Promise<void> {
    const name = await changeState(tx, roomId, { from: ['ERROR'], to: 'IN_PROGRESS' }, { kind: 'room.work-began' })
    if (name === null) throw refuse('wrong-state', { reason: because('room-not-in-error', { room: roomName }) })
  },
}
