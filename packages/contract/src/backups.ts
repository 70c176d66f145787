/** Backups of project rooms: what there is, their contents, and what a backup file holds. */
import { z } from 'zod'
import type { Route } from './route.ts'
import { editionCode, productCode } from './wire-codes.ts'

/** What a backup holds, from its manifest. */
export const backupContents = z.object({
  /** `room`: a whole room. `product`: only databases, the second backup of an import. */
  kind: z.enum(['room', 'product']),
  /** The name of the room that it was made of. */
  roomName: z.string(),
  product: productCode,
  edition: editionCode,
  /** When it was made. */
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
  /** When it was last read back and found whole; null: never. */
  verifiedAt: z.iso.datetime().nullable(),
})
export type RoomBackup = z.output<typeof roomBackup>

const byId = z.object({ id: z.uuid('This is not the id of a backup.') })

export const backupRoutes = {
  roomBackups: {
    method: 'GET',
    path: '/api/operator/room/backups',
    access: 'admin',
    summary: "A project room's backups, newest first.",
    query: z.object({ projectRoom: z.string().max(64) }),
    answers: { 200: z.array(roomBackup) },
  },
  roomBackupContent: {
    method: 'GET',
    path: '/api/operator/room/backups/:id/content',
    access: 'admin',
    summary: 'The .zip of a classic backup; honours Range.',
    params: byId,
    answers: { 200: z.unknown() },
    stream: 'application/zip',
  },
  deleteRoomBackup: {
    method: 'DELETE',
    path: '/api/operator/room/backups/:id',
    access: 'admin',
    summary: 'Deletes a backup, in its store too.',
    params: byId,
    answers: { 204: true },
  },
  createBackupTicket: {
    method: 'POST',
    path: '/api/operator/room/backups/:id/ticket',
    access: 'admin',
    summary: 'A link for this one file that a browser can download and resume for ten minutes.',
    params: byId,
    answers: { 200: z.object({ url: z.string() }) },
  },
  downloadBackup: {
    method: 'GET',
    path: '/api/operator/download/:ticket',
    access: 'public',
    summary: 'The .zip that a ticket was made for; honours Range.',
    params: z.object({ ticket: z.string().max(100) }),
    answers: { 200: z.unknown() },
    stream: 'application/zip',
  },
} as const satisfies Record<string, Route>
