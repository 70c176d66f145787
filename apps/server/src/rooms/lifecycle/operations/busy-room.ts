/** The room's state after an operation that keeps the room IN_PROGRESS, and when such an operation is retried. */
import { because, type Reasons } from '@roomkeeper/contract'
import type { OperationRecord } from '#operations/index.ts'
import type { Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { changeState } from '../../change-state.ts'
import type { RoomsTable } from '../../tables.ts'

type State = RoomsTable['state']

/**
 * A successful operation leaves the room in the state `after`. A failed or cancelled one leaves it in `before`, because
 * everything was undone; only if undoing failed does the room become ERROR.
 */
export function busyRoomOutcome({ before, after }: { before: State; after: State }) {
  const meaning = before === after ? 'room.work-ended' : after === 'SUSPENDED' ? 'room.suspended' : 'room.resumed'
  return {
    async done(tx: Tx, record: OperationRecord<unknown>): Promise<void> {
      await changeState(tx, record.roomId, { from: ['IN_PROGRESS'], to: after }, { kind: meaning, operation: record })
    },
    async failed(tx: Tx, { roomId }: OperationRecord<unknown>, error: Reasons, undone: boolean): Promise<void> {
      const end = undone ? { to: before } : { to: 'ERROR' as const, error }
      await changeState(tx, roomId, { from: ['IN_PROGRESS'], ...end }, { kind: 'room.work-ended' })
    },
    async cancelled(tx: Tx, { roomId }: OperationRecord<unknown>): Promise<void> {
      await changeState(tx, roomId, { from: ['IN_PROGRESS'], to: before }, { kind: 'room.work-ended' })
    },
    async retrying(tx: Tx, { roomId, roomName }: OperationRecord<unknown>): Promise<void> {
      const change = { from: [before, 'ERROR'], to: 'IN_PROGRESS' } as const
      const name = await changeState(tx, roomId, change, { kind: 'room.work-began' })
      if (name === null)
        throw refuse('wrong-state', { reason: because('room-changed-since-failure', { room: roomName }) })
    },
  }
}
