/**
 * What can be done with an existing room, once for the call for one room and for the bulk of many. Each change says who
 * may make it in which state, and which operation makes it.
 */
import type { BulkAction, BulkParameters } from '@roomkeeper/contract'
import {
  whyNotBackup,
  whyNotDelete,
  whyNotEdit,
  whyNotNotify,
  whyNotResume,
  whyNotSuspend,
  whyNotUpdateSystemDatabase,
} from '@roomkeeper/rules'
import type { Tx } from '#platform/database.ts'
import { backupRoom } from './lifecycle/operations/backup-room.ts'
import { deleteRoom } from './lifecycle/operations/delete-room.ts'
import { editRoom, planExtension } from './lifecycle/operations/edit-room.ts'
import { notifyContacts } from './lifecycle/operations/notify-contacts.ts'
import { resumeRoom } from './lifecycle/operations/resume-room.ts'
import { suspendRoom } from './lifecycle/operations/suspend-room.ts'
import { updateSystemDatabase } from './lifecycle/operations/update-system-database.ts'
import { type RoomChange, type Starter, startChange } from './start-for-room.ts'
import type { LockedRoom } from './stored-room.ts'

/**
 * The changes by the name of their bulk action. Without moves, which need two regions, retries, which go on with an
 * operation that there is, and labels, which need no operation.
 */
export const roomChanges = {
  suspend: ({ userNotification: notify }) =>
    change({
      kind: suspendRoom,
      whyNot: whyNotSuspend,
      becomes: 'IN_PROGRESS',
      audit: { kind: 'room.suspend' },
      input: () => ({ notify }),
    }),
  resume: ({ userNotification: notify }) =>
    change({
      kind: resumeRoom,
      whyNot: whyNotResume,
      becomes: 'IN_PROGRESS',
      audit: { kind: 'room.resume' },
      input: () => ({ notify }),
    }),
  delete: ({ withoutBackup }) =>
    change({
      kind: deleteRoom,
      whyNot: whyNotDelete,
      becomes: 'MARKED_FOR_DELETION',
      audit: { kind: 'room.delete' },
      // The cast stands for DEFAULT, SUSPENDED and ERROR: the rules allow deletion in no other state.
      input: (_, { row: { state, errorCode, errorReasons } }) => ({
        withoutBackup,
        before: state as 'DEFAULT',
        errorCodeBefore: errorCode,
        errorReasonsBefore: errorReasons,
      }),
    }),
  backup: () =>
    change({
      kind: backupRoom,
      whyNot: whyNotBackup,
      becomes: 'IN_PROGRESS',
      audit: { kind: 'room.backup' },
      input: () => ({}),
    }),
  extend: ({ expirationDate }) =>
    change({
      kind: editRoom,
      whyNot: whyNotEdit,
      becomes: null,
      audit: null,
      input: (_, { row }) => planExtension(row, expirationDate),
    }),
  updateSystemDatabase: () =>
    change({
      kind: updateSystemDatabase,
      whyNot: whyNotUpdateSystemDatabase,
      becomes: null,
      audit: { kind: 'room.update-system-database' },
      input: () => ({}),
    }),
  notify: ({ subject, text }) =>
    change({
      kind: notifyContacts,
      whyNot: whyNotNotify,
      becomes: null,
      audit: { kind: 'room.notify' },
      beside: true,
      input: (_, { row }) => ({ roomId: row.id, subject, text }),
    }),
} as const satisfies { [Action in ChangeAction]: (parameters: BulkParameters<Action>) => unknown }

type ChangeAction = Exclude<BulkAction, 'move' | 'retry' | 'label'>
/** A change and its parameters. */
export type RoomChangeRequest = {
  [Action in ChangeAction]: { action: Action; parameters: BulkParameters<Action> }
}[ChangeAction]

/**
 * Starts a change that is possible for the room, in the caller's transaction.
 * @returns the operation's id
 * @throws Refusal `room-busy`, and what the change finds wrong with the room
 */
export function startRoomChange(
  tx: Tx,
  locked: LockedRoom,
  { action, parameters }: RoomChangeRequest,
  starter: Starter,
): Promise<string> {
  switch (action) {
    case 'suspend':
    case 'resume':
      return startChange(tx, locked, roomChanges[action](parameters), starter)
    case 'delete':
      return startChange(tx, locked, roomChanges.delete(parameters), starter)
    case 'backup':
      return startChange(tx, locked, roomChanges.backup(), starter)
    case 'extend':
      return startChange(tx, locked, roomChanges.extend(parameters), starter)
    case 'updateSystemDatabase':
      return startChange(tx, locked, roomChanges.updateSystemDatabase(), starter)
    case 'notify':
      return startChange(tx, locked, roomChanges.notify(parameters), starter)
  }
}

/** For one of up to a million rooms of an update of whole regions, whose own record stands for the request. */
export function startPartOfUpdate(tx: Tx, locked: LockedRoom, starter: Starter): Promise<string> {
  return startChange(tx, locked, { ...roomChanges.updateSystemDatabase(), audit: null }, starter)
}

function change<Input>(made: RoomChange<Input>): RoomChange<Input> {
  return made
}
