/** Backups of project rooms: the list, their contents, and what a backup file holds. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { paged, pageOf } from './lists.ts'
import { accepted } from './operations.ts'
import { refusalsOfStores } from './problem.ts'
import type { Route } from './route.ts'
import { byTicket, downloadLink, refusalsOfTickets } from './tickets.ts'
import { editionCode, productCode } from './wire-codecs.ts'

/** What a backup holds, from its manifest. */
export const backupContents = z.object({
  /** `room`: a whole room. `product`: only databases, the second backup of an import. */
  kind: z.enum(['room', 'product']),
  /** The room's name when the backup was made. */
  roomName: z.string(),
  product: productCode,
  edition: editionCode,
  createdAt: z.iso.datetime(),
  databases: z.array(z.string()),
  /** Bytes. */
  size: z.int(),
})
export type BackupContents = z.output<typeof backupContents>

export const roomBackup = z.object({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  /** Bytes. */
  size: z.int(),
  /** Hexadecimal, of the .zip. */
  sha256: z.string(),
  /** `classic`: in the backup store, can be downloaded. `d2o`: written by the region straight to the object store. */
  kind: z.enum(['classic', 'd2o']),
  /** The file's name in the backup store, or the `s3://…` address. */
  location: z.string(),
  /** When the file was last read back and found intact; null: never. */
  checkedAt: z.iso.datetime().nullable(),
  /** When the backup was last restored in a test, where no user can reach it, and found whole; null: never. */
  verifiedAt: z.iso.datetime().nullable(),
  /**
   * Whether the doctor or a verification has found it missing or altered: it is not to be restored. Absent: unknown.
   */
  isKnownBad: z.boolean().optional(),
  /**
   * Whether a verification has found damaged indexes in it, and so in the project room itself. It can be restored, and a
   * restore builds them anew. Absent: unknown.
   */
  hasDamagedIndexes: z.boolean().optional(),
  /** The names of the backup policies that it was made for; none: it was made by hand. Absent: unknown. */
  policies: z.array(z.string()).optional(),
})
export type RoomBackup = z.output<typeof roomBackup>

/**
 * A backup of a room that was removed with its region. A backup of kind `database` holds one database; it can only be
 * restored into the room, so it cannot be downloaded.
 */
export const removedRoomBackup = roomBackup.extend({
  kind: z.enum(['classic', 'd2o', 'database']),
  projectRoomName: z.string(),
  /** Null unless `kind` is `database`. */
  databaseName: z.string().nullable(),
  /** The region's last name. */
  regionName: z.string(),
  removedAt: z.iso.datetime(),
})
export type RemovedRoomBackup = z.output<typeof removedRoomBackup>

export const backupId = z.uuid(coded('backup-id-invalid'))
const byId = z.object({ id: backupId })

export const backupRoutes = {
  roomBackups: {
    method: 'GET',
    path: '/api/operator/room/backups',
    access: 'admin',
    summary: "A project room's backups, newest first.",
    query: z.object({ projectRoom: z.string().max(64) }),
    refuses: ['room-unknown'],
    answers: { 200: z.array(roomBackup) },
  },
  removedRoomBackups: {
    method: 'GET',
    path: '/api/operator/room/backups/removed',
    access: 'admin',
    summary: 'The backups of project rooms that were removed with their region, those removed last first.',
    query: z.object(paged()),
    answers: { 200: pageOf(removedRoomBackup) },
  },
  inspectRoomBackup: {
    method: 'GET',
    path: '/api/operator/room/backups/:id/inspect',
    access: 'admin',
    summary: 'What a backup holds, from its manifest.',
    params: byId,
    refuses: [
      'backup-unknown',
      'backup-damaged',
      'object-store-not-set',
      'wrong-file',
      'no-upload-content',
      'wrong-file-content',
      ...refusalsOfStores,
    ],
    answers: { 200: backupContents },
  },
  roomBackupContent: {
    method: 'GET',
    path: '/api/operator/room/backups/:id/content',
    access: 'admin',
    summary: 'The .zip of a classic backup; honours Range.',
    params: byId,
    refuses: ['backup-unknown', 'wrong-state', 'range-not-satisfiable', ...refusalsOfStores],
    answers: { 200: z.unknown() },
    stream: 'application/zip',
  },
  deleteRoomBackup: {
    method: 'DELETE',
    path: '/api/operator/room/backups/:id',
    access: 'admin',
    summary: 'Deletes a backup, in its store too.',
    params: byId,
    refuses: ['backup-unknown', 'backup-of-deleted-room', 'backup-in-use', 'object-store-not-set', ...refusalsOfStores],
    answers: { 204: true },
  },
  verifyRoomBackup: {
    method: 'POST',
    path: '/api/operator/room/backups/:id/verify',
    access: 'admin',
    startsOperation: true,
    summary: 'Restores a backup in a test: on a region, into a copy that nobody can reach and that is removed again.',
    params: byId,
    refuses: [
      'backup-unknown',
      'verification-running',
      'room-busy',
      'purge-begun',
      'wrong-state',
      'object-store-not-set',
    ],
    answers: { 202: accepted },
  },
  createBackupTicket: {
    method: 'POST',
    path: '/api/operator/room/backups/:id/ticket',
    access: 'admin',
    summary: 'A link for this one file that a browser can download and resume for ten minutes.',
    params: byId,
    refuses: ['backup-unknown', 'wrong-state'],
    answers: { 200: downloadLink },
  },
  downloadBackup: {
    method: 'GET',
    path: '/api/operator/download/:ticket',
    access: 'public',
    summary: 'The .zip that a ticket was made for; honours Range.',
    params: byTicket,
    refuses: [...refusalsOfTickets, 'backup-unknown', 'wrong-state', 'range-not-satisfiable', ...refusalsOfStores],
    answers: { 200: z.unknown() },
    stream: 'application/zip',
  },
} as const satisfies Record<string, Route>
