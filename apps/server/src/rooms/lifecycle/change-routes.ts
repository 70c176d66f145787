/** The calls that change an existing room (edit, suspend, resume, delete), and the check whether an operation runs. */

import { because, joinReasons, type ProjectRoom, type ProjectRoomState, type Reasons } from '@roomkeeper/contract'
import { whyNotEdit } from '@roomkeeper/rules'
import { recordChange } from '#changes/index.ts'
import { awaitOperation } from '#operations/index.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { accepted, type Handlers, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { storedReasons } from '#platform/stored-reasons.ts'
import { findRoom } from '../find-room.ts'
import { roomChanges } from '../room-changes.ts'
import { acceptForRoom, type RoomCore, startForRoom } from '../start-for-room.ts'
import { editRoom, planEdit } from './operations/edit-room.ts'

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

type RoomOrOperation = { status: 200; body: ProjectRoom } | { status: 202; body: { operationId: string } }

/**
 * For calls that answer with the room as soon as the operation has succeeded, or with the operation if it takes longer.
 * @param waitSeconds how long to wait for the operation
 * @throws Refusal `region-refused` with the operation's error text if it failed, `operation-ended` if it was cancelled
 */
export async function answerWithRoom(
  database: Database,
  roomName: string,
  operationId: string,
  waitSeconds: number,
): Promise<RoomOrOperation> {
  const end = await awaitOperation(database.db, operationId, waitSeconds)
  if (end === null) return accepted(operationId)
  if (end.state === 'failed') {
    throw refuse('region-refused', { reason: joinReasons(end.reasons) ?? because('told', { told: '' }) })
  }
  if (end.state === 'cancelled') throw refuse('operation-ended')
  const room = await findRoom(database.db, roomName)
  if (room === null) throw refuse('room-unknown', { room: roomName })
  return ok(room)
}

/**
 * Whether the room has an operation that is running, waiting, or about to be taken over by another worker. If it has
 * none but is IN_PROGRESS or MARKED_FOR_DELETION, this sets it to ERROR with a message about what was interrupted, so
 * that no room stays busy for ever.
 * @throws Refusal `room-unknown`
 */
function checkRunning(database: Database, name: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [room] = await queryRows<{ id: string; state: ProjectRoomState; busy: boolean }>(tx, roomAndWork, [name])
    if (room === undefined) throw refuse('room-unknown', { room: name })
    if (room.busy) return true
    const { text, codes } = storedReasons(whyInterrupted(await newestOperation(tx, room.id)))
    const interrupted = await queryRows(tx, becomeError, [room.id, text, codes])
    if (interrupted.length > 0) {
      const changes = [{ field: 'state', from: room.state, to: 'ERROR' }]
      await recordChange(tx, { kind: 'room.corrected', room: { id: room.id, name }, operation: null, changes })
    }
    return false
  })
}

const open = `exists (select 1 from operations o
                       where o.room_id = r.id and o.state in ('waiting', 'running', 'cancelling'))`

const roomAndWork = `select r.id, r.state, ${open} as busy from rooms r where r.name = $1 for update of r`

interface Interrupted {
  process: string | null
  step: string | null
  stepId: string | null
  error: string | null
  errorReasons: Reasons | null
}

/** The interrupted operation is the newest one. */
async function newestOperation(tx: Tx, roomId: string): Promise<Interrupted | undefined> {
  const [newest] = await queryRows<Interrupted>(
    tx,
    `select process_type as process, step, step_id, error, error_reasons
       from operations where room_id = $1 order by n desc limit 1`,
    [roomId],
  )
  return newest
}

function whyInterrupted(newest: Interrupted | undefined): Reasons {
  if (newest === undefined || newest.process === null) return [because('something-interrupted')]
  const { process, step } = newest
  const stepId = newest.stepId ?? ''
  const what =
    step === null ? because('interrupted', { process }) : because('interrupted-at-step', { process, step, stepId })
  return [what, ...(newest.errorReasons ?? [])]
}

const becomeError = `
  update rooms r set state = 'ERROR', version = version + 1, error_message = $2, error_reasons = $3::jsonb,
         error_code = null
   where r.id = $1 and r.state in ('IN_PROGRESS', 'MARKED_FOR_DELETION') and not ${open}
   returning r.id`
