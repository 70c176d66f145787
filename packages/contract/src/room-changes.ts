/** The calls that create, edit, suspend, resume, back up, restore, import and delete a project room. */
import { z } from 'zod'
import { backupContents, backupId } from './backups.ts'
import { coded } from './field-errors.ts'
import { queryFlag } from './lists.ts'
import { objectStoreRegions } from './object-store-regions.ts'
import { accepted } from './operations.ts'
import { refusalsOfRegions, refusalsOfStoredBackups } from './problem.ts'
import { roomFieldSchemas, roomFieldsWith } from './room-field-catalogue.ts'
import { count, licenceInformation, subLicenceEntry } from './room-fields.ts'
import { projectRoom } from './rooms.ts'
import type { Route } from './route.ts'
import { fieldsOf, ignoring } from './unknown-fields.ts'
import { importedRoom, uploadName } from './uploads.ts'

const licencesAtMost = 100

/** Limits the number of licences before their counts are checked: `z.record` has no maximum of its own. */
const fewLicences = z
  .custom<Record<string, number | null>>(
    (given) => typeof given !== 'object' || given === null || Object.keys(given).length <= licencesAtMost,
    coded('licences-too-many', { max: licencesAtMost }),
  )
  // For the OpenAPI document.
  .meta({ type: 'object', additionalProperties: { type: ['integer', 'null'] }, maxProperties: licencesAtMost })
const licenceCounts = fewLicences.pipe(z.record(z.string().max(40), count.nullable()))

/** The licences as creation and edit send them. */
const licencesSent = {
  /** Licence key to count; null means empty. */
  licenses: licenceCounts.default({}),
  licensesInformation: z.array(licenceInformation).max(licencesAtMost).default([]),
  subLicenses: z.array(subLicenceEntry).max(licencesAtMost).default([]),
}

/**
 * The order of these fields in drafts and edits is fixed, and differs from the catalogue's; all other fields follow.
 * Errors are reported in this order. It also decides the hash of a body, by which a server recognises a repeated call,
 * even one that a server of another release answered first.
 */
const sentFirst = [
  'tenantName',
  'version',
  'product',
  'edition',
  'region',
  'sapNumber',
  'productType',
  'priority',
  'sapNumberLast',
  'expirationDate',
  'customerFirstName',
  'customerLastName',
  'customerEmail',
  'customerContactDetails',
  'companyName',
  'salesman',
  'salesmanEmail',
  'additionalEmail',
  'licenses',
  'licensesInformation',
  'subLicenses',
  'subMiningType',
]

function inOrderSent<Shape extends z.ZodRawShape>(shape: Shape): Shape {
  const first = sentFirst.filter((name) => name in shape).map((name) => [name, shape[name]])
  return { ...Object.fromEntries(first), ...shape }
}

/** What else a room holds, as it is shown or as it was found in an upload. */
const fieldsShown = [...new Set([...fieldsOf(projectRoom), ...fieldsOf(importedRoom)])]

/**
 * The body of a creation. Rules that span fields (licences, delegate, expiration) are in the rules package.
 * Fields that only the server sets (state, version, …) are ignored.
 */
export const roomDraft = ignoring(
  z.object(inOrderSent({ ...roomFieldSchemas('creation'), ...licencesSent })),
  fieldsShown,
)
export type RoomDraft = z.output<typeof roomDraft>

/** What a duplicate does not share with its original. */
const ownFields = ['tenantName', 'sapNumber'] as const
type OwnField = (typeof ownFields)[number]
const { licenses, licensesInformation, subLicenses } = projectRoom.shape

/** A stored room as the draft of another one. It may have become invalid, such as an expiration date that has passed. */
const duplicateDraft = z.object({
  ...roomFieldSchemas(
    'shown',
    roomFieldsWith('creation').filter((name) => !isOwnField(name)),
  ),
  licenses,
  licensesInformation,
  subLicenses,
  /** Made from the company; valid, and free when it was proposed. A creation ignores it. */
  proposedName: z.string(),
})
export type DuplicateDraft = z.output<typeof duplicateDraft>

function isOwnField(name: string): name is OwnField {
  return (ownFields as readonly string[]).includes(name)
}

/** The body of an edit: the whole room. Fields that cannot be changed (region, edition, …) are ignored. */
export const roomEdit = ignoring(
  z.object(
    inOrderSent({
      tenantName: z.string().max(64),
      /** The version of the room that was edited. */
      version: z.int({ error: coded('version-missing') }).min(1),
      ...roomFieldSchemas('edit'),
      ...licencesSent,
    }),
  ),
  fieldsOf(projectRoom),
)
export type RoomEdit = z.output<typeof roomEdit>

/** The room to restore: only its name if it exists, all of its fields if the restore creates it. */
const roomToRestore = ignoring(roomDraft.partial().required({ tenantName: true }), fieldsShown)
export type RoomToRestore = z.output<typeof roomToRestore>

const s3UriPattern = /^s3:\/\/[a-z0-9.-]{3,63}\/[^\s]+$/

/** A backup in an object store. Empty keys stand for the configured store's, which serve its own bucket only. */
export const objectStoreSource = z.object({
  isD2O: z.literal(true, { error: coded('must-be-object-store') }),
  /** `s3://bucket/path` */
  backupLocationPath: z
    .string({ error: coded('s3-uri-missing') })
    .trim()
    .max(1100)
    .regex(s3UriPattern, coded('s3-uri-invalid')),
  projectRoomName: z.string().max(64),
  /** The object store's region. */
  region: z.enum(objectStoreRegions, { error: coded('region-not-selected') }),
  /** The bucket of the URI, or empty. */
  bucket: z.string().trim().max(63).default(''),
  accessKey: z
    .string()
    .trim()
    .max(256, coded('at-most-characters', { max: 256 }))
    .default(''),
  secretKey: z
    .string()
    .max(1024, coded('at-most-characters', { max: 1024 }))
    .default(''),
  sessionToken: z
    .string()
    .max(8192, coded('at-most-characters', { max: 8192 }))
    .default(''),
})
export type ObjectStoreSource = z.output<typeof objectStoreSource>

const stateChange = z.object({
  roomName: z.string().max(64),
  /** Whether the room's owner and delegate get an e-mail. */
  userNotification: z.boolean({ error: coded('must-be-boolean') }).default(true),
})

/** The refusals of every call that makes a room, empty or from an uploaded backup. */
const refusalsOfNewRooms = [
  'name-taken',
  'region-disabled',
  'product-not-served',
  'region-full',
  'upload-unknown',
  'wrong-file-content',
  'other-product',
] as const

const refusalsOfStateChanges = [
  'administrators-only',
  'room-unknown',
  'room-busy',
  'wrong-state',
  'region-refused',
  'operation-ended',
] as const

export const roomChangeRoutes = {
  createRoom: {
    method: 'POST',
    path: '/api/operator/create',
    access: 'edit',
    startsOperation: true,
    summary: 'Reserves the name and capacity in the region, and starts the creation.',
    /** `tmpFileName`: the upload of a backup whose content the new room gets; administrators only. */
    body: ignoring(roomDraft.extend({ tmpFileName: uploadName.nullable().default(null) }), [
      ...fieldsShown,
      'proposedName',
    ]),
    refuses: refusalsOfNewRooms,
    answers: { 202: accepted },
  },
  draftDuplicate: {
    method: 'POST',
    path: '/api/operator/room/duplicate/draft',
    access: 'edit',
    summary:
      'What a creation takes to make a room like this one: all but its name and its SAP number. Creates nothing.',
    body: z.object({ projectRoom: z.string().max(64) }),
    refuses: ['room-unknown'],
    answers: { 200: duplicateDraft },
  },
  editRoom: {
    method: 'POST',
    path: '/api/operator/edit',
    access: 'edit',
    startsOperation: true,
    summary:
      'Changes a project room here and on its region, or nowhere; 202 when the region takes longer than REGION_WAIT_SECONDS (25).',
    body: roomEdit,
    refuses: [
      'room-unknown',
      'room-busy',
      'wrong-state',
      'version-stale',
      'sap-number-taken',
      'region-refused',
      'operation-ended',
    ],
    answers: { 200: projectRoom, 202: accepted },
  },
  suspendRoom: {
    method: 'POST',
    path: '/api/operator/suspend',
    access: 'edit',
    startsOperation: true,
    summary: "Keeps the room's users out; 202 when the region takes longer than REGION_WAIT_SECONDS (25).",
    body: stateChange,
    refuses: refusalsOfStateChanges,
    answers: { 200: projectRoom, 202: accepted },
  },
  resumeRoom: {
    method: 'POST',
    path: '/api/operator/resume',
    access: 'edit',
    startsOperation: true,
    summary: "Lets the room's users in again; 202 when the region takes longer than REGION_WAIT_SECONDS (25).",
    body: stateChange,
    refuses: refusalsOfStateChanges,
    answers: { 200: projectRoom, 202: accepted },
  },
  backupRoom: {
    method: 'POST',
    path: '/api/operator/backup',
    access: 'admin',
    startsOperation: true,
    summary:
      'Backs up a suspended room into the backup store, or (isD2O) straight from its region to the object store.',
    query: z.object({ projectRoomName: z.string().max(64), isD2O: queryFlag }),
    refuses: ['room-unknown', 'room-busy', 'wrong-state', 'object-store-not-set'],
    answers: { 202: accepted },
  },
  importRoom: {
    method: 'POST',
    path: '/api/operator/createimport',
    access: 'edit',
    startsOperation: true,
    summary: 'Creates a project room from one or two uploaded backups.',
    body: z.object({
      projectRoom: roomDraft,
      tmpFileName: uploadName.nullable().default(null),
      /** The second product backup. */
      productTmpFileName: uploadName.nullable().default(null),
    }),
    refuses: refusalsOfNewRooms,
    answers: { 202: accepted },
  },
  restoreRoom: {
    method: 'POST',
    path: '/api/operator/createrestore',
    access: 'admin',
    startsOperation: true,
    summary:
      'Puts an uploaded or a stored backup in the place of what a suspended room holds, or creates the room from an upload.',
    /** Exactly one of `tmpFileName` and `backupId`; without defaults, for the hash of bodies that have one of them. */
    body: z.object({
      projectRoom: roomToRestore,
      tmpFileName: uploadName.optional(),
      backupId: backupId.optional(),
      /** Accepts a backup of a room with another name. */
      confirmOtherRoom: z.boolean().default(false),
    }),
    refuses: [
      'room-unknown',
      'room-busy',
      'wrong-state',
      'other-room',
      ...refusalsOfStoredBackups,
      'object-store-not-set',
      ...refusalsOfNewRooms,
    ],
    answers: { 202: accepted },
  },
  restoreRoomFromObjectStore: {
    method: 'POST',
    path: '/api/operator/createrestored2o',
    access: 'admin',
    startsOperation: true,
    summary: 'Restores a suspended room from a backup in an object store, which its region reads by itself.',
    body: objectStoreSource,
    refuses: ['room-unknown', 'room-busy', 'wrong-state', 'object-store-not-set', 'backup-unknown'],
    answers: { 202: accepted },
  },
  inspectObjectStoreBackup: {
    method: 'POST',
    path: '/api/operator/createrestored2o/inspect',
    access: 'admin',
    summary: 'What a backup in an object store holds; nothing is changed.',
    body: objectStoreSource,
    refuses: [
      'object-store-not-set',
      'object-store-refused',
      'object-store-unreachable',
      'wrong-file',
      'no-upload-content',
      'wrong-file-content',
    ],
    answers: { 200: backupContents },
  },
  deleteRoom: {
    method: 'POST',
    path: '/api/operator/delete',
    access: 'admin',
    startsOperation: true,
    summary: 'Starts the deletion of a project room with everything in it, after a last backup.',
    body: z.object({
      roomName: z.string().max(64),
      /**
       * Deletes it without a last backup, also where none can be taken. Without a default: bodies without it keep the
       * hash by which a server recognises a repeated call.
       */
      withoutBackup: z.boolean({ error: coded('must-be-boolean') }).optional(),
    }),
    refuses: ['room-unknown', 'room-busy', 'wrong-state'],
    answers: { 202: accepted },
  },
  isRunning: {
    method: 'GET',
    path: '/api/operator/isRunning/:projectRoomName',
    access: 'all',
    summary: 'Whether an operation runs for the room; a room whose operation is lost becomes ERROR.',
    params: z.object({ projectRoomName: z.string().max(64) }),
    refuses: ['room-unknown'],
    answers: { 200: z.boolean() },
  },
  deleteUser: {
    method: 'GET',
    path: '/api/operator/deleteUser/:id',
    access: 'admin',
    summary: 'Deletes a customer user; true when it is gone from its region, false while the region is still at it.',
    params: z.object({ id: z.string().min(1).max(200) }),
    refuses: [...refusalsOfRegions, 'drill'],
    answers: { 200: z.boolean() },
  },
} as const satisfies Record<string, Route>
