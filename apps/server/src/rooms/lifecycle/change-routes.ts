/** The calls that change an existing room (edit, suspend, resume, delete), and the check whether an operation runs. */
import { whyNotEdit } from '@roomkeeper/rules'
import { type Handlers, ok } from '#platform/http/handler.ts'
import { roomChanges } from '../room-changes.ts'
import { acceptForRoom, type RoomCore, startForRoom } from '../start-for-room.ts'
import { answerWithRoom } from './answer-with-room.ts'
import { checkRunning } from './check-running.ts'
import { editRoom } from './operations/edit-room.ts'
import { planEdit } from './room-edit.ts'

type ChangeHandlers = Pick<Handlers, 'editRoom' | 'suspendRoom' | 'resumeRoom' | 'deleteRoom' | 'isRunning'>

/** @param waitSeconds how long edit, suspend and resume wait for the region before they answer with the operation */
export function roomChangeHandlers(core: RoomCore, waitSeconds: number): ChangeHandlers {
  const { database } = core
  async function changeAccess(
    call: Parameters<Handlers['suspendRoom' | 'resumeRoom']>[0],
    action: 'suspend' | 'resume',
  ) {
    const { roomName } = call.body
    const start = { ...roomChanges[action](call.body), route: `${action}Room`, request: call.body, roomName }
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
    suspendRoom: (call) => changeAccess(call, 'suspend'),
    resumeRoom: (call) => changeAccess(call, 'resume'),
    deleteRoom: (call) =>
      acceptForRoom(core, call, {
        ...roomChanges.delete({ withoutBackup: call.body.withoutBackup ?? false }),
        route: 'deleteRoom',
        request: call.body,
        roomName: call.body.roomName,
      }),
    isRunning: async ({ params }) => ok(await checkRunning(database, params.projectRoomName)),
  }
}
