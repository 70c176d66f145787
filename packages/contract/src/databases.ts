/** Databases inside a project room. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { givenPassword } from './given-names.ts'
import { accepted } from './operations.ts'
import { inNfc } from './plain-text.ts'
import { refusalsOfRegions } from './problem.ts'
import type { Route } from './route.ts'
import { uploadName } from './uploads.ts'

export const roomDatabase = z.object({
  databaseName: z.string(),
  /** Bytes. */
  size: z.int(),
  createdAt: z.iso.datetime(),
  /** When the newest backup was made; a restore uses that backup. Null: there is none. */
  backupAt: z.iso.datetime().nullable(),
})
export type RoomDatabase = z.output<typeof roomDatabase>

const oneDatabase = z.object({ projectRoomName: z.string().max(64), databaseName: z.string().min(1).max(200) })

/** The names that a region accepts. Names that differ only in case count as the same name. */
export const databaseNamePattern = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ()._-]{0,59}$/u

export const databaseRoutes = {
  databases: {
    method: 'GET',
    path: '/api/operator/room/database',
    access: 'admin',
    summary: "A project room's databases, by name.",
    query: z.object({ projectRoom: z.string().max(64) }),
    refuses: ['room-unknown', ...refusalsOfRegions],
    answers: { 200: z.array(roomDatabase) },
  },
  deleteDatabase: {
    method: 'POST',
    path: '/api/operator/room/database',
    access: 'admin',
    startsOperation: true,
    summary: 'Deletes a database with everything in it.',
    body: oneDatabase,
    refuses: ['room-unknown', 'room-busy', 'database-unknown', ...refusalsOfRegions],
    answers: { 202: accepted },
  },
  backupDatabase: {
    method: 'POST',
    path: '/api/operator/room/database/backup',
    access: 'admin',
    startsOperation: true,
    summary: 'Backs up one database.',
    body: oneDatabase,
    refuses: ['room-unknown', 'room-busy', 'database-unknown', ...refusalsOfRegions],
    answers: { 202: accepted },
  },
  restoreDatabase: {
    method: 'POST',
    path: '/api/operator/room/database/restore',
    access: 'admin',
    startsOperation: true,
    summary: 'Puts the newest backup of a database back.',
    body: oneDatabase,
    refuses: ['room-unknown', 'room-busy', 'wrong-state', 'no-database-backup', 'backup-unknown'],
    answers: { 202: accepted },
  },
  importDatabase: {
    method: 'POST',
    path: '/api/operator/room/database/import',
    access: 'admin',
    startsOperation: true,
    summary: 'Adds the database of an uploaded .adb.',
    body: z.object({
      dbName: z
        .string({ error: coded('database-name-missing') })
        .trim()
        .overwrite(inNfc)
        .min(1, coded('database-name-missing'))
        .max(60, coded('at-most-characters', { max: 60 }))
        .regex(databaseNamePattern, coded('database-name-invalid'))
        .refine((name) => !name.endsWith('.'), coded('database-name-ends-with-dot')),
      dbPassword: givenPassword,
      file: uploadName,
      roomName: z.string().max(64),
    }),
    refuses: ['room-unknown', 'room-busy', 'single-database', 'database-taken', 'upload-unknown', ...refusalsOfRegions],
    answers: { 202: accepted },
  },
} as const satisfies Record<string, Route>
