/** What was done: with everything, or with one room; and undoing it. */
import { type ActivityEntry, because, type Role } from '@roomkeeper/contract'
import { isAdministrator, whyNotEdit, whyNotResume, whyNotSuspend } from '@roomkeeper/rules'
import { type EntryOfRoom, findActivity, readEntries, readHistory } from '#operators/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { answerWithRoom } from '../lifecycle/change-routes.ts'
import { editRoom } from '../lifecycle/operations/edit-room.ts'
import { changedMeanwhile, type PlanOfUndo, planUndo, undoOfEdit } from '../lifecycle/operations/undo-edit.ts'
import { roomChanges } from '../room-changes.ts'
import { type RoomChange, type RoomCore, startForRoom } from '../start-for-room.ts'
import { findRoomId, type LockedRoom, readRooms } from '../stored-room.ts'

type ActivityHandlers = Pick<Handlers, 'activity' | 'roomHistory' | 'undoActivity'>

/** @param waitSeconds how long an undo waits for the region before it answers with the operation */
export function activityHandlers(core: RoomCore, waitSeconds: number): ActivityHandlers {
  const { db } = core.database
  return {
    async activity({ query, caller }) {
      const { entries, next } = await findActivity(db, query, isAdministrator(caller.role))
      return ok({ data: await withUndo(db, entries, caller.role), next })
    },
    async roomHistory({ query, caller }) {
      const roomId = await findRoomId(db, query.projectRoom)
      if (roomId === null) throw refuse('room-unknown', { room: query.projectRoom })
      const { data, ...page } = await readHistory(db, roomId, query)
      return ok({ ...page, data: await withUndo(db, data, caller.role) })
    },
    async undoActivity(call) {
      const { id } = call.params
      const [entry] = await readEntries(db, 'where audit.id = $1 and audit.room_id is not null', [id])
      if (entry === undefined || entry.roomId === null) throw refuse('activity-unknown')
      const { roomId } = entry
      const room = (await readRooms(db, [roomId])).get(roomId)
      if (room === undefined) throw refuse('not-undoable')
      const start = { route: 'undoActivity', request: { id }, roomName: room.row.name }
      const operationId = await startUndo(core, call, start, entry)
      return answerWithRoom(core.database, room.row.name, operationId, waitSeconds)
    },
  }
}

type UndoCall = Parameters<ActivityHandlers['undoActivity']>[0]

/** @returns the id of the operation that undoes it */
async function startUndo(
  core: RoomCore,
  call: UndoCall,
  start: { route: string; request: unknown; roomName: string },
  entry: EntryOfRoom,
): Promise<string> {
  const undoing = <Input>(change: RoomChange<Input>) =>
    startForRoom(core, call, {
      ...start,
      ...change,
      input(tx, locked) {
        // A later room of the same name.
        if (locked.row.id !== entry.roomId) throw refuse('not-undoable')
        return change.input(tx, locked)
      },
    })
  const opposite = oppositeOf(entry)
  if (opposite !== null) {
    const change = roomChanges[opposite]({ userNotification: await didNotify(core.database.db, entry.operationId) })
    return undoing({
      ...change,
      audit: { kind: `room.${opposite}`, detail: because('audit-undoes', { entry: entry.id }) },
      async input(tx, locked) {
        const newest = await newestStateChanges(tx, [locked.row.id])
        if (!newest.has(entry.id)) throw changedMeanwhile([{ field: 'projectRoomState', value: locked.row.state }])
        return change.input(tx, locked)
      },
    })
  }
  if (entry.action !== 'room.edit') throw refuse('not-undoable')
  const input: RoomChange<PlanOfUndo>['input'] = (tx, { row }) => planUndo(tx, row, entry)
  return undoing({ kind: editRoom, whyNot: whyNotEdit, becomes: null, audit: null, input })
}

/** Whether owner and delegate were told of a change of the state; then they are also told of its end. */
async function didNotify(db: Db, operationId: string | null): Promise<boolean> {
  const [operation] = await queryRows<{ notify: boolean | null }>(
    db,
    `select (input->>'notify')::boolean as notify from operations where id = $1`,
    [operationId],
  )
  return operation?.notify ?? true
}

async function withUndo(db: Db, entries: readonly EntryOfRoom[], role: Role): Promise<ActivityEntry[]> {
  const rooms = await readRooms(db, [...new Set(entries.flatMap(({ roomId }) => roomId ?? []))])
  const ofState = entries.filter((entry) => oppositeOf(entry) !== null).flatMap(({ roomId }) => roomId ?? [])
  const newest = ofState.length === 0 ? new Set<number>() : await newestStateChanges(db, ofState)
  return entries.map(({ roomId, ...entry }) => {
    const room = roomId === null ? undefined : rooms.get(roomId)
    if (room !== undefined) return { ...entry, undo: undoOf(entry, room, { role, newest }) }
    const isHidden = roomId !== null && !isAdministrator(role)
    return { ...entry, ...(isHidden ? withoutData(entry) : {}), undo: null }
  })
}

type Entry = Omit<EntryOfRoom, 'roomId'>

/** Of a room that is gone only administrators are told more than what was done. */
function withoutData({ outcome }: Entry): Partial<Entry> {
  const state = outcome && { ...outcome, errorText: null, errorReasons: [] }
  return { detail: null, detailReasons: [], changes: [], mails: [], outcome: state }
}

function undoOf(
  entry: Entry,
  { row, situation }: Pick<LockedRoom, 'row' | 'situation'>,
  { role, newest }: { role: Role; newest: ReadonlySet<number> },
): ActivityEntry['undo'] {
  const action = oppositeOf(entry)
  if (action !== null) {
    const whyNot = action === 'resume' ? whyNotResume : whyNotSuspend
    return newest.has(entry.id) && whyNot(situation, role) === null ? { action, changes: [] } : null
  }
  if (entry.action !== 'room.edit' || whyNotEdit(situation, role) !== null) return null
  const undo = undoOfEdit(row, entry.changes)
  if (undo === null || undo.now.length > 0 || undo.wrong.length > 0) return null
  return { action: 'edit', changes: undo.changes }
}

function oppositeOf({ action, outcome }: Pick<Entry, 'action' | 'outcome'>): 'resume' | 'suspend' | null {
  if (outcome?.state !== 'done') return null
  if (action === 'room.suspend') return 'resume'
  return action === 'room.resume' ? 'suspend' : null
}

/** The entries of the rooms' last suspensions and resumptions: what came before these is over. */
async function newestStateChanges(db: Db | Tx, roomIds: readonly string[]): Promise<Set<number>> {
  const rows = await queryRows<{ id: number }>(
    db,
    `select max(id) as id from audit where room_id = any($1) and action in ('room.suspend', 'room.resume') group by room_id`,
    [roomIds],
  )
  return new Set(rows.map(({ id }) => id))
}
