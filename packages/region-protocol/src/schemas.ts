/** The schemas of what a region and the console's server exchange (protocol version 1): sign-in, status, rooms. */
import { z } from 'zod'
import { atMost } from './bounds.ts'
import { toldCapabilities } from './capabilities.ts'
import { cleanedText, strictText } from './texts.ts'

export const protocolVersion = 1

export const roomName = z
  .string()
  .regex(/^[a-z][a-z0-9]{2,23}$/, 'A room name is a lowercase letter, then 2 to 23 lowercase letters and digits.')
export const roomId = z.uuid('roomId must be a UUID.')
/** Identifies the holder of a lock. The caller chooses it, such as the id of a migration. */
export const lockHolder = z.string().min(1).max(200)
/** Ids that the caller chooses for jobs and files. */
export const callerId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9:._-]{0,127}$/,
    'An id is 1 to 128 letters, digits, colons, dots, hyphens and underscores, and begins with a letter or digit.',
  )
/** Names that differ only in case count as the same name. */
export const databaseName = z
  .string()
  .normalize()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ()._-]{0,59}$/u,
    'A database name is 1 to 60 letters, digits, spaces, dots, hyphens, underscores and brackets, and begins with a letter or digit.',
  )
  .refine((name) => !/[ .]$/.test(name), 'A database name does not end with a space or a dot.')

export const regionProducts = ['ARIS', 'MINING', 'ENTERPRISE'] as const
export const regionProduct = z.enum(regionProducts)
export type RegionProduct = z.infer<typeof regionProduct>

export const regionCredentials = z.object({ userName: z.string().max(320), password: z.string().max(1024) })
export const regionSession = z.object({ token: z.string(), expiresAt: z.iso.datetime() })
export type RegionSession = z.infer<typeof regionSession>

/**
 * `protocolVersion`: the console talks to regions of its own version only. `capabilities`: what the region has of what a
 * region may lack. `instanceId`: identifies the region under any address; made once and kept with its data; null: the
 * region does not tell. `freeBytes`: the free space on the region's disk. `damagedRooms`: rooms that exist but
 * cannot be used, with the reason; calls for them are refused, and they may be missing from the list of rooms.
 */
export const regionStatus = z.object({
  name: cleanedText,
  version: cleanedText,
  protocolVersion: z.int().min(1).default(protocolVersion),
  capabilities: toldCapabilities,
  instanceId: z.uuid().toLowerCase().nullable().default(null),
  products: z.array(regionProduct).max(atMost.products),
  rooms: z.int(),
  freeBytes: z.number(),
  damagedRooms: z
    .array(z.object({ name: cleanedText, reason: cleanedText }))
    .max(atMost.damagedRooms)
    .default([]),
})
export type RegionStatus = z.infer<typeof regionStatus>

export const licence = z.object({
  licenseKey: z.string().max(40),
  licenseAmount: z.int().min(0),
  licenseType: z.enum(['NUC', 'CUC', 'TEN']),
})
export const subLicence = z.object({
  licenseKey: z.string().max(40),
  subLicenseAmount: z.int().min(0),
  productKey: z.string().max(40),
})
export const contacts = z.object({
  companyName: z.string(),
  customerFirstName: z.string(),
  customerLastName: z.string(),
  customerContactDetails: z.string().nullable(),
  ownerEmail: z.string(),
  delegateEmail: z.string().nullable(),
})
export type RoomContacts = z.infer<typeof contacts>

/** The settings of a room that the console may change later with PATCH. */
export const roomSettings = z.object({
  licences: z.array(licence).max(atMost.licences),
  subLicences: z.array(subLicence).max(atMost.licences),
  subMiningType: z.enum(['NONE', 'MINING_BASIC', 'MINING_ENTERPRISE']),
  /** The last day (UTC) on which the room is valid; null is unlimited. */
  expirationDate: z.iso.date().nullable(),
  contacts,
})
export type RoomSettings = z.infer<typeof roomSettings>

export const roomState = z.enum(['active', 'suspended'])
export type RoomState = z.infer<typeof roomState>

/** PUT rooms/{name}. Repeating it with the same body gives the same answer and changes nothing. */
export const roomCreation = roomSettings.extend({
  roomId,
  product: regionProduct,
  edition: z.enum(['basic', 'advanced', 'enterprise', 'advanced-base-extension', 'enterprise-shared']),
  /** Creates the room locked by this holder. A migration does so in its target, with the `state` of the source. */
  lockHolder: lockHolder.optional(),
  state: roomState.default('active'),
})
export type RoomCreation = z.input<typeof roomCreation>

/** PATCH rooms/{name}. Absent fields stay as they are. */
export const roomChange = roomSettings.partial().extend({ roomId })
export type RoomChange = z.infer<typeof roomChange>

/** Part of every call that changes a room, so that a later room of the same name is never touched. */
export const ownRoom = z.object({ roomId })
export const roomLocking = ownRoom.extend({ holder: lockHolder })

/** PUT rooms/{name}/console-record: what the console alone knows of a room, in a form that only the console can read. */
export const consoleRecordKeeping = ownRoom.extend({ record: z.string().min(1).max(atMost.consoleRecord) })
/** GET rooms/{name}/console-record; null: none was kept. */
export const keptConsoleRecord = z.object({ record: z.string().max(atMost.consoleRecord).nullable() })

/** A lock ends by itself `lockSeconds` after it was last taken or renewed. */
export const lockSeconds = 60
export const roomLock = z.object({
  holder: strictText(200),
  /** When the holder took the lock. Renewals do not change it. */
  heldSince: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type RoomLock = z.infer<typeof roomLock>

export const databaseInfo = z.object({
  name: z.string(),
  /** Bytes. */
  size: z.int(),
  createdAt: z.iso.datetime(),
  changedAt: z.iso.datetime(),
  /** When the newest backup of this database was made on the region; null: there is none. */
  backupAt: z.iso.datetime().nullable(),
})
/** GET rooms/{name}/databases. */
export const databaseInfos = z.array(databaseInfo).max(atMost.databases)
export type DatabaseInfo = z.infer<typeof databaseInfo>

export const roomInfo = z.object({
  name: roomName,
  roomId,
  product: strictText(40),
  edition: strictText(40),
  state: roomState,
  locked: z.boolean(),
  /** Null when the room is not locked. */
  lock: roomLock.nullable().default(null),
  /** Bytes on disk. */
  size: z.int().min(0),
  schemaVersion: z.int(),
  expirationDate: z.iso.date().nullable(),
  databases: z.array(z.string()).max(atMost.databases),
  /** The settings last sent by the console; a region may leave them out. */
  settings: roomSettings.optional(),
})
export type RoomInfo = z.infer<typeof roomInfo>

/** GET rooms: ordered by name. `next` is the `after` of the next page; null on the last page. */
export const roomPage = z.object({ rooms: z.array(roomInfo).max(atMost.page), next: roomName.nullable() })
export type RoomPage = z.infer<typeof roomPage>
export const roomPageQuery = z.object({
  after: z.string().max(24).default(''),
  limit: z.coerce.number().int().min(1).max(atMost.page).default(100),
})

export const licenceUse = licence.extend({ used: z.int().min(0) })
/** GET rooms/{name}/licences. */
export const licenceUses = z.array(licenceUse).max(atMost.licences)
export type LicenceUse = z.infer<typeof licenceUse>

/** An open session of a customer user in a room. Ended sessions are not listed; a suspended room has none. */
export const userSession = z.object({
  id: z.string(),
  userId: z.string(),
  /** The user's e-mail address. */
  user: z.string(),
  startedAt: z.iso.datetime(),
  lastActiveAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
/** GET rooms/{name}/sessions. */
export const userSessions = z.array(userSession).max(atMost.sessions)
export type UserSession = z.infer<typeof userSession>
/** POST rooms/{name}/sessions: `user` is the e-mail address or the id of a user of the room. */
export const sessionOpening = z.object({ user: z.string().min(1).max(320) })
/** No other answer contains `token`. */
export const openedSession = userSession.extend({ token: z.string() })
export type OpenedSession = z.infer<typeof openedSession>

/**
 * DELETE users/{id}. `gone` is false while the region is still deleting the user: repeat the call later. `rooms` are the
 * rooms in which this call found them; a delegate who is gone is no longer in the contacts of the room either. A region
 * that does not tell is taken as one that had no such user. `withoutDelegate`: rooms from which an earlier call has
 * deleted the user, and which have no delegate since: the answer to that call may have been lost.
 */
export const userRemoval = z.object({
  gone: z.boolean(),
  rooms: z
    .array(z.object({ name: roomName, wasDelegate: z.boolean(), gone: z.boolean() }))
    .max(atMost.page)
    .optional(),
  withoutDelegate: z.array(roomName).max(atMost.page).optional(),
})
export type UserRemoval = z.infer<typeof userRemoval>

/** PUT routes/{name}. Visitors of the room are redirected to `targetUrl`, such as `https://eu2.example`. */
export const roomRoute = z.object({
  targetUrl: z.url({ protocol: /^https?$/, error: 'targetUrl must be an http or https address.' }).max(2048),
})

/**
 * GET routes: ordered by name. `next` is the `after` of the next page; null on the last page. A region that lacks
 * the call answers 404.
 */
export const routePage = z.object({
  routes: z.array(z.object({ name: roomName, targetUrl: strictText(2048) })).max(atMost.page),
  next: roomName.nullable(),
})
export type RoutePage = z.infer<typeof routePage>

/** The body of every refusal: application/problem+json (RFC 9457). */
export const regionProblem = z.object({
  type: cleanedText,
  title: cleanedText,
  status: z.int(),
  detail: cleanedText,
})
export type RegionProblem = z.infer<typeof regionProblem>
