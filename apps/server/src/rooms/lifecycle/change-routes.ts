/** The calls that change an existing room (edit, suspend, resume, delete), and the check whether an operation runs. */
import { whyNotDelete, whyNotEdit, whyNotResume, whyNotSuspend } from '@roomkeeper/rules'
import { type Handlers, ok } from '#platform/http/handler.ts'
import { acceptForRoom, type RoomCore, startForRoom } from '../start-for-room.ts'
import { answerWithRoom } from './answer-with-room.ts'
import { checkRunning } from './check-running.ts'
import { deleteRoom } from './operations/delete-room.ts'
import { editRoom } from './operations/edit-room.ts'
import { resumeRoom } from './operations/resume-room.ts'
import { suspendRoom } from './operations/suspend-room.ts'
import { planEdit } from './room-edit.ts'

interface AccessChange {
  route: string
  kind: typeof suspendRoom
  whyNot: typeof whyNotSuspend
}

type ChangeHandlers = Pick<Handlers, 'editRoom' | 'suspendRoom' | 'resumeRoom' | 'deleteRoom' | 'isRunning'>

/** @param waitSeconds how long edit, suspend and resume wait for the region before they answer with the operation */
export function roomChangeHandlers(core: RoomCore, waitSeconds: number): ChangeHandlers {
  const { database } = core
  /** Suspends or resumes the room. */
  async function changeAccess(call: Parameters<Handlers['suspendRoom' | 'resumeRoom']>[0], how: AccessChange) {
    const { roomName, userNotification: notify } = call.body
    const audit = { action: how.kind.kind }
    const start = {
      ...how,
      request: call.body,
      roomName,
      audit,
      becomes: 'IN_PROGRESS',
      input: () => ({ notify }),
    } as const
    return answerWithRoom(database, roomName, await startForRoom(core, call, start), waitSeconds)
  }
  return {
    async editRoom(call) {
      const operationId = await startForRoom(core, call, {
        route: 'editRoom',
        request: call.body,
        roomName: call.body.tenantName,
        kind: editRoom,
        whyNot: whyNotEdit,
        becomes: null,
        audit: null,
        input: (tx, { row }) => planEdit(tx, row, call.body),
      })
      return answerWithRoom(database, call.body.tenantName, operationId, waitSeconds)
    },
    suspendRoom: (call) => changeAccess(call, { route: 'suspendRoom', kind: suspendRoom, whyNot: whyNotSuspend }),
    resumeRoom: (call) => changeAccess(call, { route: 'resumeRoom', kind: resumeRoom, whyNot: whyNotResume }),
    deleteRoom: (call) =>
      acceptForRoom(core, call, {
        route: 'deleteRoom',
        request: call.body,
        roomName: call.body.roomName,
        kind: deleteRoom,
        whyNot: whyNotDelete,
        becomes: 'MARKED_FOR_DELETION',
        audit: { action: 'room.delete' },
        // The cast stands for DEFAULT, SUSPENDED and ERROR: the rules allow deletion in no other state.
        input: (_, { row: { state, errorMessage, errorCode, errorReasons } }) => ({
          before: state as 'DEFAULT',
          errorBefore: errorMessage,
          errorCodeBefore: errorCode,
          errorReasonsBefore: errorReasons ?? [],
        }),
      }),
    isRunning: async ({ params }) => ok(await checkRunning(database, params.projectRoomName)),
  }
}
