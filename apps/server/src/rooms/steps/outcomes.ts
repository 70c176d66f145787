/** What becomes of a room, and of uploaded files, when an operation ends or is retried. */

import { because, type Reasons } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import type { OperationRecord } from '#operations/index.ts'
import type { Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { keepUploadForRetry, releaseUpload, takeUploadAgain } from '#uploads/index.ts'
import { changeState, removeRoom } from '../change-state.ts'
import type { RoomState } from '../stored-room.ts'

/** For operations that do not change the room's state: the consoles are only notified. */
export const unchangedRoom = {
  done: notifyConsoles,
  failed: notifyConsoles,
  cancelled: notifyConsoles,
  retrying: notifyConsoles,
}

async function notifyConsoles(tx: Tx, { roomName }: OperationRecord<unknown>): Promise<void> {
  await recordChange(tx, { kind: 'room.work-ended', room: { name: roomName } })
}

/**
 * For operations that keep the room IN_PROGRESS. A successful operation leaves the room in the state `after`. A failed
 * or cancelled one leaves it in `before`, because everything was undone; only if undoing failed does the room become
 * ERROR.
 */
export function busyRoomOutcome({ before, after }: { before: RoomState; after: RoomState }) {
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

/**
 * For operations that create the room: DEFAULT on success, ERROR after a failure (so that it can be retried), and removed
 * after a cancellation.
 */
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

interface Endings {
  done(tx: Tx, operation: OperationRecord<unknown>): Promise<void>
  failed(tx: Tx, operation: OperationRecord<unknown>, reasons: Reasons, undone: boolean): Promise<void>
  cancelled(tx: Tx, operation: OperationRecord<unknown>): Promise<void>
  retrying(tx: Tx, operation: OperationRecord<unknown>, isFinishingUndo: boolean): Promise<void>
}

/**
 * Releases or keeps the uploaded files of an operation, in addition to setting the state of the room: they are kept until
 * the operation succeeds or is cancelled, and for one day after a failure.
 */
export function withUploads<Input>(endings: Endings, uploadsOf: (input: Input) => (string | null)[]) {
  const each = async (operation: OperationRecord<Input>, work: (name: string) => Promise<void>) => {
    for (const name of uploadsOf(operation.input)) if (name !== null) await work(name)
  }
  return {
    async done(tx: Tx, operation: OperationRecord<Input>): Promise<void> {
      await each(operation, (name) => releaseUpload(tx, name))
      await endings.done(tx, operation)
    },
    async failed(tx: Tx, operation: OperationRecord<Input>, reasons: Reasons, undone: boolean): Promise<void> {
      await each(operation, (name) => keepUploadForRetry(tx, name))
      await endings.failed(tx, operation, reasons, undone)
    },
    async cancelled(tx: Tx, operation: OperationRecord<Input>): Promise<void> {
      await each(operation, (name) => releaseUpload(tx, name))
      await endings.cancelled(tx, operation)
    },
    async retrying(tx: Tx, operation: OperationRecord<Input>, isFinishingUndo: boolean): Promise<void> {
      if (!isFinishingUndo) await each(operation, (name) => takeUploadAgain(tx, name))
      await endings.retrying(tx, operation, isFinishingUndo)
    },
  }
}
