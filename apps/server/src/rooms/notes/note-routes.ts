/** The calls about notes of rooms. Each change locks the room, so that no two at once exceed what a room may have. */
import { randomUUID } from 'node:crypto'
import { fieldError, longestPinnedNote, type RoomNote } from '@roomkeeper/contract'
import { mayChangeNote } from '@roomkeeper/rules'
import { changedFields, type NamedRoom, recordChange } from '#changes/index.ts'
import { startOnce } from '#operations/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { type Caller, type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { findRoomId, lockRoom } from '../stored-room.ts'

type NoteHandlers = Pick<Handlers, 'roomNotes' | 'addRoomNote' | 'changeRoomNote' | 'deleteRoomNote'>

const mostNotes = 100
/** They come with each page of the list that has the room. */
const mostPinned = 3

export function roomNoteHandlers(database: Database): NoteHandlers {
  return {
    async roomNotes({ query: { projectRoom }, caller }) {
      const roomId = await findRoomId(database.db, projectRoom)
      if (roomId === null) throw refuse('room-unknown', { room: projectRoom })
      const order = 'order by is_pinned desc, created_at desc, id'
      const rows = await queryRows<Row>(database.db, `${notes} where room_id = $1 ${order}`, [roomId])
      return ok(rows.map(presentFor(caller)))
    },
    async addRoomNote({ body, caller, requestId, header }) {
      checkLength(body)
      const request = { caller, route: 'addRoomNote', key: header('idempotency-key'), body }
      const noteId = await startOnce(database, request, async (tx) => {
        const { row: room } = await lockRoom(tx, body.projectRoom)
        await checkPlaces(tx, room.id, body.pinned)
        const id = randomUUID()
        await queryRows(
          tx,
          `insert into room_notes (id, room_id, text, is_pinned, author_id, author) values ($1, $2, $3, $4, $5, $6)`,
          [id, room.id, body.text, body.pinned, caller.operatorId, caller.actor],
        )
        const changes = changesOf(notPinned, body)
        await recordChange(tx, { kind: 'room.note', actor: caller.actor, room, changes, requestId })
        return id
      })
      return ok(presentFor(caller)(await findNote(database.db, noteId)))
    },
    changeRoomNote: ({ params, body, caller, requestId }) =>
      database.transaction(async (tx) => {
        const { room, note } = await lockNote(tx, params.id, caller)
        if (body.changedAt !== undefined && body.changedAt !== note.changedAt) throw refuse('note-stale')
        if (body.pinned === true && !note.pinned) await checkPinned(tx, room.id)
        const changed = { text: body.text ?? note.text, pinned: body.pinned ?? note.pinned }
        checkLength(changed)
        const isOtherText = changed.text !== note.text
        const changes = [...(isOtherText ? [{ field: 'text', from: null, to: null }] : []), ...changesOf(note, changed)]
        if (changes.length === 0) return ok(presentFor(caller)(note))
        await queryRows(
          tx,
          'update room_notes set text = $2, is_pinned = $3, changed_by = $4, changed_at = now() where id = $1',
          [note.id, changed.text, changed.pinned, caller.actor],
        )
        await recordChange(tx, { kind: 'room.note-change', actor: caller.actor, room, changes, requestId })
        return ok(presentFor(caller)(await findNote(tx, note.id)))
      }),
    async deleteRoomNote({ params, caller, requestId }) {
      await database.transaction(async (tx) => {
        const { room, note } = await lockNote(tx, params.id, caller)
        await queryRows(tx, 'delete from room_notes where id = $1', [note.id])
        const changes = changesOf(note, notPinned)
        await recordChange(tx, { kind: 'room.note-delete', actor: caller.actor, room, changes, requestId })
      })
      return noContent
    },
  }
}

interface Row extends Omit<RoomNote, 'isOwn'> {
  authorId: string | null
}

const notes = `
  select id, text, is_pinned as pinned, author, author_id, created_at, changed_by, changed_at from room_notes`

const presentFor =
  ({ operatorId }: Caller) =>
  ({ authorId, ...row }: Row): RoomNote => ({ ...row, isOwn: authorId === operatorId })

const notPinned = { pinned: false }

/** The text is not recorded: nothing can be removed from the audit trail, and a note may be about people. */
function changesOf(before: { pinned: boolean }, after: { pinned: boolean }) {
  return changedFields(['pinned'], before, after)
}

async function findNote(db: Db | Tx, id: string): Promise<Row> {
  const [row] = await queryRows<Row>(db, `${notes} where id = $1`, [id])
  if (row === undefined) throw refuse('note-unknown')
  return row
}

/** Locks the room of a note that the caller may change. @throws Refusal `note-unknown`, `note-of-another` */
async function lockNote(tx: Tx, id: string, caller: Caller): Promise<{ room: NamedRoom; note: Row }> {
  const [room] = await queryRows<NamedRoom>(
    tx,
    'select id, name from rooms where id = (select room_id from room_notes where id = $1) for no key update',
    [id],
  )
  if (room === undefined) throw refuse('note-unknown')
  const note = await findNote(tx, id)
  if (!mayChangeNote(caller.role, presentFor(caller)(note))) throw refuse('note-of-another', { author: note.author })
  return { room, note }
}

/** @throws Refusal `invalid-input` */
function checkLength({ text, pinned }: { text: string; pinned: boolean }): void {
  if (pinned && text.length > longestPinnedNote)
    throw refuseInput([fieldError('pinned', 'pinned-note-long', { max: longestPinnedNote })])
}

/** @throws Refusal `too-many-notes`, `too-many-pinned-notes` */
async function checkPlaces(tx: Tx, roomId: string, pinned: boolean): Promise<void> {
  const rows = await queryRows(tx, 'select from room_notes where room_id = $1', [roomId])
  if (rows.length >= mostNotes) throw refuse('too-many-notes', { max: mostNotes })
  if (pinned) await checkPinned(tx, roomId)
}

async function checkPinned(tx: Tx, roomId: string): Promise<void> {
  const rows = await queryRows(tx, 'select from room_notes where room_id = $1 and is_pinned', [roomId])
  if (rows.length >= mostPinned) throw refuse('too-many-pinned-notes', { max: mostPinned })
}
