/**
 * The schemas of what a region and the console's server exchange (protocol version 1): sign-in, status, rooms.
 * Descriptions are in Markdown: docs/region/calls.md and the OpenAPI document are made from them.
 */
import { z } from 'zod'
import { atMost } from './bounds.ts'
import { toldCapabilities } from './capabilities.ts'
import { cleanedText, strictText } from './texts.ts'

export const protocolVersion = 1

export const roomName = z
  .string()
  .regex(/^[a-z][a-z0-9]{2,23}$/, 'A room name is a lowercase letter, then 2 to 23 lowercase letters and digits.')
  .describe('The name of a room: a lowercase letter, then 2 to 23 lowercase letters and digits.')
export const roomId = z
  .uuid('roomId must be a UUID.')
  .describe('Tells this room from any other of its name, for ever. Upper and lower case are the same.')
export const lockHolder = z
  .string()
  .min(1)
  .max(200)
  .describe('Who holds the lock. The caller chooses it, such as the id of a move; compared character by character.')
export const callerId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9:._-]{0,127}$/,
    'An id is 1 to 128 letters, digits, colons, dots, hyphens and underscores, and begins with a letter or digit.',
  )
  .describe('The id of a job or file, which the caller chooses. Upper and lower case differ.')
export const databaseName = z
  .string()
  // Putting a long row of accents in order takes minutes. Sixty letters come as 240 characters at most.
  .max(240, { error: 'A database name has at most 60 characters.', abort: true })
  .normalize()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ()._-]{0,59}$/u,
    'A database name is 1 to 60 letters, digits, spaces, dots, hyphens, underscores and brackets, and begins with a letter or digit.',
  )
  .refine((name) => !/[ .]$/.test(name), 'A database name does not end with a space or a dot.')
  .describe(
    'The name of a database, brought to NFC: begins with a letter or digit, does not end with a space or dot. Names that differ in [case](formats.md#room-backup-zip) only are the same.',
  )

export const regionProducts = ['ARIS', 'MINING', 'ENTERPRISE'] as const
export const regionProduct = z.enum(regionProducts).describe('The product of a room.')
export type RegionProduct = z.infer<typeof regionProduct>

export const regionCredentials = z.object({
  userName: z.string().max(320).describe('The user that the region was set up with.'),
  password: z.string().max(1024).describe('The password of this user.'),
})
export const regionSession = z.object({
  token: z.string().describe('For `Authorization: Bearer …`: letters, digits, `-` and `_`, at most 200.'),
  expiresAt: z.iso
    .datetime()
    .describe('When the session ends; the console does not wait for it, but signs in again at a 401.'),
})
export type RegionSession = z.infer<typeof regionSession>

export const regionStatus = z.object({
  name: cleanedText.describe('The name of the region, for people. The console shows 1,000 characters of it.'),
  version: cleanedText.describe("The version of the region's software, for people: any text."),
  protocolVersion: z
    .int()
    .min(1)
    .default(protocolVersion)
    .describe('The version of this protocol. The console talks to regions of its own version only.'),
  capabilities: toldCapabilities.describe(
    'What the region has of [what a region may lack](README.md#what-a-region-may-lack). Unknown names are ignored.',
  ),
  instanceId: z
    .uuid()
    .toLowerCase()
    .nullable()
    .default(null)
    .describe(
      'Which region this is, under any address: made once and kept with its data. Null: the region does not tell.',
    ),
  products: z.array(regionProduct).max(atMost.products).describe('The products that the region hosts.'),
  rooms: z.int().describe('The number of rooms.'),
  freeBytes: z.number().describe('Bytes that are free on the disk that holds the rooms.'),
  damagedRooms: z
    .array(
      z.object({
        name: cleanedText.describe('The name of the room.'),
        reason: cleanedText.describe('Why it cannot be used, for people.'),
      }),
    )
    .max(atMost.damagedRooms)
    .default([])
    .describe(
      'Rooms that are there but cannot be used. Calls for them are refused, and they may be missing from lists.',
    ),
})
export type RegionStatus = z.infer<typeof regionStatus>

export const licence = z.object({
  licenseKey: z.string().max(40).describe('The key of the licence. A region takes keys that it does not know.'),
  licenseAmount: z.int().min(0).describe('How many users may have it.'),
  licenseType: z.enum(['NUC', 'CUC', 'TEN']).describe('Named user, concurrent user, tenant.'),
})
export const subLicence = z.object({
  licenseKey: z.string().max(40).describe('The key of the licence that it belongs to.'),
  subLicenseAmount: z.int().min(0).describe('How many.'),
  productKey: z.string().max(40).describe('The key of what is licensed.'),
})
export const contacts = z.object({
  companyName: z.string().describe("The customer's company."),
  customerFirstName: z.string().describe('Of the owner.'),
  customerLastName: z.string().describe('Of the owner.'),
  customerContactDetails: z.string().nullable().describe('Such as a telephone number.'),
  ownerEmail: z.string().describe('The e-mail address of the [owner](users.md).'),
  delegateEmail: z.string().nullable().describe('The e-mail address of the delegate; null: there is none.'),
})
export type RoomContacts = z.infer<typeof contacts>

/** The settings of a room that the console may change later with PATCH. */
export const roomSettings = z.object({
  licences: z.array(licence).max(atMost.licences).describe('In this order.'),
  subLicences: z.array(subLicence).max(atMost.licences).describe('In this order.'),
  subMiningType: z
    .enum(['NONE', 'MINING_BASIC', 'MINING_ENTERPRISE'])
    .describe('Kept and told; nothing follows from it.'),
  expirationDate: z.iso.date().nullable().describe('The last day (UTC) on which the room is valid; null: unlimited.'),
  contacts: contacts.describe('The people of the room.'),
})
export type RoomSettings = z.infer<typeof roomSettings>

export const roomState = z.enum(['active', 'suspended']).describe('`suspended` keeps users out.')
export type RoomState = z.infer<typeof roomState>

export const roomCreation = roomSettings.extend({
  roomId,
  product: regionProduct,
  edition: z
    .enum(['basic', 'advanced', 'enterprise', 'advanced-base-extension', 'enterprise-shared'])
    .describe('The edition of the product.'),
  lockHolder: lockHolder
    .optional()
    .describe('The room is created locked by this holder. A move does so in its target. Absent: not locked.'),
  state: roomState
    .default('active')
    .describe('The state in which the room begins. A move creates its copy `suspended`.'),
})
export type RoomCreation = z.input<typeof roomCreation>

/** PATCH rooms/{name}. Absent fields stay as they are. */
export const roomChange = roomSettings.partial().extend({ roomId })
export type RoomChange = z.infer<typeof roomChange>

/** Part of every call that changes a room, so that a later room of the same name is never touched. */
export const ownRoom = z.object({ roomId })
export const roomLocking = ownRoom.extend({ holder: lockHolder })

/** PUT rooms/{name}/console-record: what the console alone knows of a room, in a form that only the console can read. */
export const consoleRecordKeeping = ownRoom.extend({
  record: z.string().min(1).max(atMost.consoleRecord).describe('The text to keep, which only the console can read.'),
})
/** GET rooms/{name}/console-record. */
export const keptConsoleRecord = z.object({
  record: z.string().max(atMost.consoleRecord).nullable().describe('The text that was kept last; null: none was.'),
})

/** A lock ends by itself `lockSeconds` after it was last taken or renewed. */
export const lockSeconds = 60
export const roomLock = z.object({
  holder: strictText(200).describe('Who holds it.'),
  heldSince: z.iso.datetime().describe('When the holder took it. A renewal does not change it; after a gap it is new.'),
  expiresAt: z.iso.datetime().describe('When it ends if it is not renewed: 60 s after it was last taken.'),
})
export type RoomLock = z.infer<typeof roomLock>

export const databaseInfo = z.object({
  name: z.string().describe('The name of the database.'),
  size: z.int().describe('Bytes on disk.'),
  createdAt: z.iso.datetime().describe('When it was made.'),
  changedAt: z.iso.datetime().describe('When its content was last changed.'),
  backupAt: z.iso
    .datetime()
    .nullable()
    .describe('When the newest backup with this database was begun on this region; null: there was none.'),
})
/** GET rooms/{name}/databases. */
export const databaseInfos = z.array(databaseInfo).max(atMost.databases)
export type DatabaseInfo = z.infer<typeof databaseInfo>

export const roomInfo = z.object({
  name: roomName,
  roomId,
  product: strictText(40).describe('As the room was created.'),
  edition: strictText(40).describe('As the room was created.'),
  state: roomState,
  locked: z.boolean().describe('Whether the room is locked now.'),
  lock: roomLock
    .nullable()
    .default(null)
    .describe('The lock that is held; null: none is. A region that never tells it cannot take part in moves.'),
  size: z.int().min(0).describe('Bytes on disk. It need not be exact; a move plans its space with it.'),
  schemaVersion: z.int().describe('The [schema version](formats.md#systemdb) of the room.'),
  expirationDate: z.iso.date().nullable().describe('The same as in `settings`.'),
  databases: z.array(z.string()).max(atMost.databases).describe('Their names.'),
  settings: roomSettings
    .optional()
    .describe('The settings of now. A region may leave them out; what is told is compared by *Consistency*.'),
})
export type RoomInfo = z.infer<typeof roomInfo>

const nextPage = roomName.nullable().describe('The `after` of the next page; null: this is the last.')
/** GET rooms. */
export const roomPage = z.object({
  rooms: z.array(roomInfo).max(atMost.page).describe('Ordered by name.'),
  next: nextPage,
})
export type RoomPage = z.infer<typeof roomPage>
export const roomPageQuery = z.object({
  after: z.string().max(24).default('').describe('Only those behind this name, byte by byte.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(atMost.page)
    .default(100)
    .describe('How many at most. A larger number is refused, not cut.'),
})

export const licenceUse = licence.extend({ used: z.int().min(0).describe('How many users have it.') })
/** GET rooms/{name}/licences. */
export const licenceUses = z.array(licenceUse).max(atMost.licences)
export type LicenceUse = z.infer<typeof licenceUse>

/** An open session of a customer user in a room. Ended sessions are not listed; a suspended room has none. */
export const userSession = z.object({
  id: z.string().describe('The id of the session, which is not its token.'),
  userId: z.string().describe('The id of the user.'),
  user: z.string().describe("The user's e-mail address."),
  startedAt: z.iso.datetime().describe('When it was opened.'),
  lastActiveAt: z.iso.datetime().describe('When the user last did something; it may be up to a minute old.'),
  expiresAt: z.iso.datetime().describe('When it ends if the user does nothing.'),
})
/** GET rooms/{name}/sessions. */
export const userSessions = z.array(userSession).max(atMost.sessions)
export type UserSession = z.infer<typeof userSession>
/** POST rooms/{name}/sessions. */
export const sessionOpening = z.object({
  user: z.string().min(1).max(320).describe('The e-mail address (in any case) or the id of a user of the room.'),
})
export const openedSession = userSession.extend({
  token: z.string().describe('With it the user works in the room. No other answer holds it.'),
})
export type OpenedSession = z.infer<typeof openedSession>

/** DELETE users/{id}. */
export const userRemoval = z.object({
  gone: z
    .boolean()
    .describe('False while the region is still at it, such as while a room is locked: the console asks again.'),
  rooms: z
    .array(
      z.object({
        name: roomName,
        wasDelegate: z.boolean().describe('Whether the user was the delegate, who then also leaves the contacts.'),
        gone: z.boolean().describe('Whether this room no longer has the user.'),
      }),
    )
    .max(atMost.page)
    .optional()
    .describe('The rooms in which this call found the user; empty or absent: no room has the user.'),
  withoutDelegate: z
    .array(roomName)
    .max(atMost.page)
    .optional()
    .describe('Rooms without a delegate since an earlier call deleted this user: its answer may have been lost.'),
})
export type UserRemoval = z.infer<typeof userRemoval>

/** PUT routes/{name}. */
export const roomRoute = z.object({
  targetUrl: z
    .url({ protocol: /^https?$/, error: 'targetUrl must be an http or https address.' })
    .max(2048)
    .describe(
      'The address of the other region (http or https), to which path and query of a visit are added. Slashes at its end do not count.',
    ),
})

/** GET routes. */
export const routePage = z.object({
  routes: z
    .array(
      z.object({
        name: roomName,
        targetUrl: strictText(2048).describe('Where its visitors are sent, without slashes at its end.'),
      }),
    )
    .max(atMost.page)
    .describe('Ordered by name.'),
  next: nextPage,
})
export type RoutePage = z.infer<typeof routePage>

/** The body of every refusal: application/problem+json (RFC 9457). */
export const regionProblem = z.object({
  type: cleanedText.describe('`urn:roomkeeper-region:` and [the code](errors.md).'),
  title: cleanedText.describe('The kind of refusal, for people.'),
  status: z.int().describe('The status of the answer. In the `error` of a job, the status that a call would have had.'),
  detail: cleanedText.describe(
    'What is wrong in this case, in a sentence that operators read. The console takes 1,000 characters.',
  ),
})
export type RegionProblem = z.infer<typeof regionProblem>
