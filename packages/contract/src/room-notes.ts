/** Notes of project rooms: what operators tell each other about one. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { asLines } from './plain-text.ts'
import type { Route } from './route.ts'
import { fieldsOf, ignoring } from './unknown-fields.ts'

const longestNote = 4000
/** Pinned notes come with each row of a list that has their room. */
export const longestPinnedNote = 500

export const roomNote = z.object({
  id: z.uuid(),
  text: z.string(),
  /** It is shown in the list of rooms, and before something is done with the room. */
  pinned: z.boolean(),
  /** An operator's e-mail address, with the name of the API token if there is one. */
  author: z.string(),
  createdAt: z.iso.datetime(),
  /** Null: it was never changed. */
  changedBy: z.string().nullable(),
  changedAt: z.iso.datetime().nullable(),
  /** Whether the caller wrote it. Administrators may change the notes of others, too. */
  isOwn: z.boolean(),
})
export type RoomNote = z.output<typeof roomNote>

/** As it comes with its room, the same for each caller. */
export const pinnedNote = roomNote.pick({ id: true, text: true, author: true, createdAt: true })
export type PinnedNote = z.output<typeof pinnedNote>

const draft = z.object({
  text: z
    .string({ error: coded('note-missing') })
    .overwrite(asLines)
    .trim()
    .min(1, coded('note-missing'))
    .max(longestNote, coded('at-most-characters', { max: longestNote })),
  pinned: z.boolean({ error: coded('must-be-boolean') }),
})

const projectRoom = z.string().max(64)
const noteId = z.object({ id: z.uuid(coded('note-id-invalid')) })

export const roomNoteRoutes = {
  roomNotes: {
    method: 'GET',
    path: '/api/operator/room/notes',
    access: 'all',
    summary: 'The notes of a project room: those that are pinned first, then the newest.',
    query: z.object({ projectRoom }),
    refuses: ['room-unknown'],
    answers: { 200: z.array(roomNote) },
  },
  addRoomNote: {
    method: 'POST',
    path: '/api/operator/room/notes',
    access: 'all',
    summary: 'Adds a note to a project room; a pinned one has at most 500 characters.',
    addsOnce: true,
    body: draft.extend({ projectRoom, pinned: draft.shape.pinned.default(false) }),
    refuses: ['room-unknown', 'note-unknown', 'too-many-notes', 'too-many-pinned-notes'],
    answers: { 200: roomNote },
  },
  changeRoomNote: {
    method: 'PUT',
    path: '/api/operator/room/notes/:id',
    access: 'all',
    summary: 'Changes an own note, or, as an administrator, one of another; absent fields stay as they are.',
    params: noteId,
    body: ignoring(
      draft.partial().extend({
        /** As it was read: refuses the change of a note that was changed since. Absent: the note is changed anyway. */
        changedAt: roomNote.shape.changedAt.optional(),
      }),
      [...fieldsOf(roomNote), 'projectRoom'],
    ),
    refuses: ['note-unknown', 'note-of-another', 'note-stale', 'too-many-pinned-notes'],
    answers: { 200: roomNote },
  },
  deleteRoomNote: {
    method: 'DELETE',
    path: '/api/operator/room/notes/:id',
    access: 'all',
    summary: 'Removes an own note, or, as an administrator, one of another.',
    params: noteId,
    refuses: ['note-unknown', 'note-of-another'],
    answers: { 204: true },
  },
} as const satisfies Record<string, Route>
