/** Project rooms that were deleted and can come back from their last backup. */
import { z } from 'zod'
import { roomBackup } from './backups.ts'
import { coded } from './field-errors.ts'
import { paged, pageOf } from './lists.ts'
import { accepted } from './operations.ts'
import { searched } from './plain-text.ts'
import { roomFieldSchemas } from './room-field-catalogue.ts'
import type { Route } from './route.ts'
import { editionCode, productCode } from './wire-codecs.ts'

export const deletedRoom = z.object({
  id: z.uuid(),
  projectRoomName: z.string(),
  product: productCode,
  edition: editionCode,
  customerEmail: z.string(),
  companyName: z.string(),
  deletedAt: z.iso.datetime(),
  /** The operator's e-mail address. */
  deletedBy: z.string(),
  /** What it comes back from; null: it was deleted without a backup and had none. */
  backup: roomBackup.nullable(),
  keptUntil: z.iso.datetime(),
  /** The name of the region that it was in; null: that region is gone. */
  regionName: z.string().nullable().default(null),
  /** PURGE_FAILED: it can only be purged, as some of its backups may be gone already. */
  state: z.enum(['KEPT', 'RESTORING', 'PURGING', 'PURGE_FAILED']).default('KEPT'),
  /** The restore or purge that is under way or has failed. */
  operationId: z.uuid().nullable().default(null),
})
export type DeletedRoom = z.output<typeof deletedRoom>

/** A room that has left nothing but the certificate of its purge. */
export const purgedRoom = z.object({
  /** The one it had among the deleted rooms. */
  id: z.uuid(),
  projectRoomName: z.string(),
  companyName: z.string(),
  purgedAt: z.iso.datetime(),
  /** The operator's e-mail address. */
  purgedBy: z.string(),
})
export type PurgedRoom = z.output<typeof purgedRoom>

/** One thing that was removed, and was looked for again afterwards. */
export const purgedThing = z.object({
  /**
   * `backup`: of the room, in the backup store; `object`: in an object store; `database-backup`: of one of its
   * databases; `upload`: a file that an operator sent for it; `region`: what a region still had of it; `record`: what
   * the console's database knew of it.
   */
  kind: z.enum(['backup', 'object', 'database-backup', 'upload', 'region', 'record']),
  /** The file's name in the backup store, the `s3://…` address, the region's name, or the table. */
  location: z.string(),
  /** Bytes. Null: not a file. */
  size: z.int().nullable(),
  /** Hexadecimal, as it was when the file was made. Null: not a file. */
  sha256: z.string().nullable(),
  removedAt: z.iso.datetime(),
})
export type PurgedThing = z.output<typeof purgedThing>

/** What a certificate says; the audit trail holds the SHA-256 of its canonical JSON. */
export const purgeStatement = z.object({
  room: z.object({
    id: z.uuid(),
    projectRoomName: z.string(),
    /** Names instead of the wire's codes: a certificate is read by people, and is the same wherever it is written. */
    product: z.string(),
    edition: z.string(),
    companyName: z.string(),
    deletedAt: z.iso.datetime(),
    deletedBy: z.string(),
  }),
  removed: z.array(purgedThing),
  /** When everything had been looked for again, and nothing was found. */
  lookedAgainAt: z.iso.datetime(),
  purgedBy: z.string(),
  purgedAt: z.iso.datetime(),
})
export type PurgeStatement = z.output<typeof purgeStatement>

export const purgeCertificate = purgeStatement.extend({
  /** Where the audit trail vouches for it. `npm run audit:verify -- --certificate FILE` checks that. */
  audit: z.strictObject({
    entryId: z.int(),
    action: z.literal('room.purge'),
    /** Hexadecimal, of the canonical JSON (RFC 8785) of everything but `audit`. */
    sha256: z.string(),
    /** The entry's seal. */
    seal: z.strictObject({ position: z.int(), hash: z.string() }),
  }),
})
export type PurgeCertificate = z.output<typeof purgeCertificate>

const byId = z.object({ id: z.uuid(coded('deleted-room-id-invalid')) })
const page = {
  ...paged(),
  /** Part of a name, of an e-mail address or of a company. */
  search: searched.trim().max(64).default(''),
}

const { region, tenantName } = roomFieldSchemas('creation')

export const deletedRoomRoutes = {
  deletedRooms: {
    method: 'GET',
    path: '/api/operator/deletedRooms',
    access: 'admin',
    summary: 'The deleted project rooms that can come back, those deleted last first.',
    query: z.object(page),
    answers: {
      /** `keepDays`: how long a project room that is deleted now can come back. 0: no last backup is taken. */
      200: pageOf(deletedRoom).extend({ keepDays: z.int() }),
    },
  },
  purgedRooms: {
    method: 'GET',
    path: '/api/operator/deletedRooms/purged',
    access: 'admin',
    summary: 'The project rooms of which nothing is left but a certificate, those purged last first.',
    query: z.object(page),
    answers: { 200: pageOf(purgedRoom) },
  },
  restoreDeletedRoom: {
    method: 'POST',
    path: '/api/operator/deletedRooms/:id/restore',
    access: 'admin',
    startsOperation: true,
    summary: 'Brings a deleted project room back as it was, in its old region unless another is named.',
    params: byId,
    body: z.object({ region: region.optional(), tenantName: tenantName.optional() }),
    refuses: [
      'deleted-room-unknown',
      'room-busy',
      'purge-begun',
      'backup-unknown',
      'name-taken',
      'sap-number-taken',
      'region-full',
      'region-disabled',
      'product-not-served',
    ],
    answers: { 202: accepted },
  },
  purgeDeletedRoom: {
    method: 'POST',
    path: '/api/operator/deletedRooms/:id/purge',
    access: 'admin',
    startsOperation: true,
    summary: 'Removes everything there is of a deleted project room, everywhere, looks for it again, and certifies it.',
    params: byId,
    /** The name of the room, as a check that it is the one that is meant. */
    body: z.object({ typedName: z.string().trim().max(64).min(1, coded('typed-name-missing')) }),
    refuses: ['deleted-room-unknown', 'room-busy', 'backup-in-use'],
    answers: { 202: accepted },
  },
  purgeCertificate: {
    method: 'GET',
    path: '/api/operator/deletedRooms/:id/certificate',
    access: 'admin',
    summary: 'What was removed of a purged project room, where and when, and where the audit trail vouches for it.',
    params: byId,
    refuses: ['certificate-unknown'],
    answers: { 200: purgeCertificate },
  },
} as const satisfies Record<string, Route>
