/** Jobs: a region's long tasks (docs/region/jobs.md). Descriptions are in Markdown, as in schemas.ts. */
import { z } from 'zod'
import { atMost } from './bounds.ts'
import type { RegionCode } from './codes.ts'
import { objectStoreLocation } from './object-store-location.ts'
import { callerId, databaseName, lockHolder, regionProblem, roomCreation, roomId, roomName } from './schemas.ts'

/** The input of jobs that read a room. */
const reading = {
  room: roomName,
  roomId: roomId.optional().describe('Checked if it is given: another is refused with `room-differs`.'),
}
/** The input of jobs that change a room. */
const changing = {
  room: roomName,
  roomId,
  holder: lockHolder.optional().describe("The holder of the room's lock. A locked room is changed by its holder only."),
}
/** Where a region sends a backup: another region, which has given the ticket for it. */
const uploadAddress = z.object({
  url: z
    .url({ protocol: /^https?$/, error: 'url must be an http or https address.' })
    .max(2048)
    .describe("The other region's address (http or https); the upload goes to `<url>/region/v1/files/<file>`."),
  file: callerId.describe('The id of the file in the other region.'),
  ticket: z.string().min(1).max(512).describe('The ticket of the other region for this file: a secret.'),
})
export type UploadAddress = z.output<typeof uploadAddress>
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const digest = sha256.describe('[The digest](formats.md#the-digest-of-a-room), hexadecimal.')
const password = z.string().min(1).max(1024).describe('The password of the export, brought to NFC: a secret.')
const database = databaseName
const from = z
  .union([
    z.strictObject({ file: callerId.describe('A backup among the files of the region.') }),
    z.strictObject({ source: objectStoreLocation.describe('A backup in an object store.') }),
  ])
  .describe('One of the two, and nothing else.')

export const jobInput = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('backupRoom'),
    ...reading,
    kind: z
      .enum(['room', 'product'])
      .default('room')
      .describe('`product`: only the databases, as the second backup of an import.'),
    to: uploadAddress
      .optional()
      .describe(
        'Capability `sendBackup`. Sends the backup to another region while it is packed; nothing is stored here.',
      ),
    digest: z
      .literal(true)
      .optional()
      .describe('Capability `digest`. Also takes the digest of what is packed; ignored for the kind `product`.'),
  }),
  z.object({
    type: z.literal('restoreRoom'),
    ...changing,
    file: callerId.describe(
      "A room backup, which replaces the room's content, or a product backup, whose databases join it.",
    ),
    digest: z
      .literal(true)
      .optional()
      .describe('Capability `digest`. Also takes the digest of the new content; ignored for a product backup.'),
  }),
  z.object({
    type: z.literal('deleteRoom'),
    ...changing,
    keepRoute: z
      .boolean()
      .default(false)
      .describe(
        'True: the room has moved away, and its visitors are still redirected. False: the redirect of the name goes, too.',
      ),
  }),
  z.object({
    type: z.literal('purgeRoom'),
    room: roomName,
    roomId,
    files: z.array(callerId).max(atMost.filesToPurge).default([]).describe('More files to remove.'),
    look: z.boolean().optional().describe('True: only counts what is there, and removes nothing.'),
  }),
  z.object({ type: z.literal('backupDatabase'), ...reading, database, password }),
  z.object({
    type: z.literal('restoreDatabase'),
    ...changing,
    database,
    file: callerId.describe('The export (.adb).'),
    password,
  }),
  z.object({
    type: z.literal('importDatabase'),
    ...changing,
    database,
    file: callerId.describe('The export (.adb).'),
    password,
  }),
  z.object({ type: z.literal('deleteDatabase'), ...changing, database }),
  z.object({
    type: z.literal('updateSystemDatabase'),
    ...changing,
    systemPassword: z.string().max(1024).describe('The system password that the region was set up with: a secret.'),
  }),
  z.object({
    type: z.literal('backupToObjectStore'),
    ...reading,
    target: objectStoreLocation.describe('The object that is written. One that is there is replaced.'),
  }),
  z.object({
    type: z.literal('restoreFromObjectStore'),
    ...changing,
    source: objectStoreLocation.describe('The room backup that is read; a product backup joins, as in `restoreRoom`.'),
  }),
  z.object({
    type: z.literal('replaceRoom'),
    ...changing,
    keep: callerId.describe(
      'The id under which the former content is kept. What is kept under it already stays the kept content.',
    ),
    from,
  }),
  z.object({
    type: z.literal('putBackRoom'),
    ...changing,
    kept: callerId.describe('The `keep` of the `replaceRoom` that is undone.'),
  }),
  z.object({
    type: z.literal('verifyBackup'),
    room: roomName.describe('Whose backup it is, for the log. The room need not exist.'),
    roomId: roomId.optional().describe("The room's, so that a purge finds the file that was sent for this."),
    product: roomCreation.shape.product
      .optional()
      .describe('The backup has to be of this product. Absent: any will do.'),
    from,
  }),
  z.object({ type: z.literal('digestRoom'), ...reading }),
])
/** What a job does and to which room. */
export type JobInput = z.output<typeof jobInput>
/** The input as callers write it: fields with a default may be left out. */
export type JobRequest = z.input<typeof jobInput>
export type JobType = JobInput['type']

const count = z.int().min(0)
const size = count.describe('Bytes.')
const producedFile = z.object({
  file: z.string().describe('The id of the file that the job made, to be read with `GET files/{id}`.'),
  size,
  sha256: sha256.describe('Of the file, hexadecimal.'),
})
const databasesOfRoom = z.array(z.string()).max(atMost.databases)
const roomRestored = z.object({ databases: databasesOfRoom.describe('The names of all databases of the room now.') })
const wasThere = z.object({ existed: z.boolean().describe('Whether there was one.') })

/** The results of jobs that are done, by type. */
export const jobResults = {
  backupRoom: producedFile.extend({
    file: z
      .string()
      .describe('The id of the file that the job made. With `to`, that of `to`: it lies in the other region.'),
    digest: digest.optional().describe('Of what was packed; only if it was asked for.'),
  }),
  restoreRoom: roomRestored.extend({
    digest: digest.optional().describe('Of the new content; only if it was asked for.'),
  }),
  deleteRoom: wasThere,
  purgeRoom: z.object({
    copies: count.describe(
      'How many rooms with this `roomId` were there (under any name) and are gone; with `look`, are there.',
    ),
    kept: count.describe('The same of contents that `replaceRoom` kept.'),
    files: count.describe('The same of files.'),
  }),
  backupDatabase: producedFile,
  restoreDatabase: z.object({ database: z.string().describe('The name of the database as the room spells it.') }),
  importDatabase: z.object({ database: z.string().describe('The name of the database.') }),
  deleteDatabase: wasThere,
  updateSystemDatabase: z.object({
    from: z.int().describe('The schema version before.'),
    to: z.int().describe('The schema version now; the same: there was nothing to do.'),
  }),
  backupToObjectStore: z.object({
    location: z.string().describe('`s3://<bucket>/<key>` of the target. The console takes any other as a failure.'),
    size,
    sha256: sha256.describe('Of the object, hexadecimal.'),
  }),
  restoreFromObjectStore: roomRestored,
  replaceRoom: roomRestored,
  putBackRoom: z.object({
    replaced: z.boolean().describe('False: the room was never replaced under this id, and nothing was done.'),
  }),
  verifyBackup: z.object({
    files: count.describe('How many files the backup has, without the manifest.'),
    bytes: count.describe('Their bytes, unpacked.'),
    databases: databasesOfRoom.describe('The names of its databases.'),
    digest,
    rebuilt: databasesOfRoom
      .optional()
      .describe(
        'The databases in which only indexes were damaged, so that a restore builds them anew; absent: the region does not tell.',
      ),
  }),
  digestRoom: z.object({ digest: z.string().describe('[The digest](formats.md#the-digest-of-a-room), hexadecimal.') }),
} as const satisfies Record<JobType, z.ZodType>
type Codes = readonly RegionCode[]

/** What any content that is read can be refused for. */
const contentCodes: Codes = [
  'file-unknown',
  'file-incomplete',
  'damaged-file',
  'wrong-content',
  'takes-too-long',
  'takes-too-much',
  'reading-fails',
  'sandbox-killed',
]
const backupCodes: Codes = [...contentCodes, 'product-differs', 'schema-too-new']
const exportCodes: Codes = [...contentCodes, 'wrong-password']
const readCodes: Codes = ['room-unknown', 'room-damaged', 'room-differs']
const changeCodes: Codes = [...readCodes, 'room-locked']
const digestCodes: Codes = ['takes-too-long', 'takes-too-much', 'reading-fails', 'sandbox-killed']
const storeCodes: Codes = ['object-store-refused', 'object-unknown', 'object-store-unreachable']

/**
 * How jobs are refused when they are asked for, and how else they may fail. A job may also fail with the former, because
 * rooms change while it waits, and any job with `cancelled`, `interrupted`, `internal` and `storage-full`.
 */
export const jobCodes: Record<JobType, { atStart: Codes; later: Codes }> = {
  backupRoom: { atStart: readCodes, later: [...digestCodes, 'file-not-sent'] },
  restoreRoom: { atStart: changeCodes, later: [...backupCodes, 'database-exists'] },
  deleteRoom: { atStart: ['room-damaged', 'room-differs', 'room-locked'], later: ['unfinished'] },
  purgeRoom: { atStart: [], later: ['room-damaged', 'room-locked'] },
  backupDatabase: { atStart: readCodes, later: ['database-unknown'] },
  restoreDatabase: { atStart: changeCodes, later: exportCodes },
  importDatabase: { atStart: changeCodes, later: [...exportCodes, 'database-exists'] },
  deleteDatabase: { atStart: changeCodes, later: [] },
  updateSystemDatabase: { atStart: ['wrong-system-password', ...changeCodes], later: [] },
  backupToObjectStore: { atStart: readCodes, later: [...storeCodes, 'object-differs'] },
  restoreFromObjectStore: { atStart: changeCodes, later: [...storeCodes, ...backupCodes, 'database-exists'] },
  replaceRoom: { atStart: changeCodes, later: [...storeCodes, ...backupCodes, 'database-exists'] },
  putBackRoom: { atStart: changeCodes, later: ['content-gone'] },
  verifyBackup: { atStart: [], later: [...storeCodes, ...backupCodes] },
  digestRoom: { atStart: readCodes, later: digestCodes },
}

export type JobResult<Type extends JobType> = z.output<(typeof jobResults)[Type]>

export const jobTypes = Object.keys(jobResults) as JobType[]

export const jobState = z
  .enum(['queued', 'running', 'done', 'failed', 'interrupted'])
  .describe('See [states](jobs.md#states).')
export type JobState = z.infer<typeof jobState>

export const jobLine = z.object({
  n: z.int().describe('Counts from 1 within the job.'),
  at: z.iso.datetime().describe('When it was written.'),
  level: z.enum(['info', 'warning', 'error']).describe('How much it matters.'),
  text: z.string().describe('For operators, in a sentence, without secrets.'),
})
export type JobLine = z.infer<typeof jobLine>

export const jobInfo = z.object({
  id: z.string().describe('The id that the caller chose.'),
  type: z.enum(jobTypes).describe('As it was started.'),
  room: z.string().describe('The `room` of its input.'),
  state: jobState,
  progress: z.number().min(0).max(1).describe('The part that is done; it does not go back.'),
  isNew: z
    .boolean()
    .optional()
    .describe('In the answer to `PUT` only: whether this call has started the job. A region may leave it out.'),
  lines: z
    .array(jobLine)
    .max(atMost.lines)
    .describe('The lines of its log with `n` greater than the `after` that was asked for.'),
  result: z.unknown().describe('[The result](jobs.md) of its type when it is `done`, otherwise null.'),
  error: regionProblem
    .nullable()
    .describe(
      'Why it failed or was interrupted; null in any other state. After 429, and from 500 on except 507, the console starts it again under a new id.',
    ),
})
export type JobInfo = z.infer<typeof jobInfo>
export const jobQuery = z.object({
  after: z.coerce.number().int().min(0).default(0).describe('Only lines of the log behind this number.'),
  wait: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(0)
    .describe(
      'Milliseconds that the region waits for the job to end before it answers. It may ignore it; more is refused.',
    ),
})

export function jobHasEnded(state: JobState): boolean {
  return state === 'done' || state === 'failed' || state === 'interrupted'
}
