/**
 * Jobs: a region's long tasks. `PUT jobs/{id}` starts a job, `GET jobs/{id}` follows it.
 * States: queued → running → done | failed. A restart of the region turns unfinished jobs into `interrupted`.
 * A cancelled job ends `failed` with the type `urn:roomkeeper-region:cancelled`, and its room is as before the job.
 */
import { z } from 'zod'
import { atMost } from './bounds.ts'
import { objectStoreLocation } from './object-store-location.ts'
import { callerId, databaseName, lockHolder, regionProblem, roomCreation, roomId, roomName } from './schemas.ts'

/** The input of jobs that read a room. `roomId` is checked if it is given. */
const reading = { room: roomName, roomId: roomId.optional() }
/** The input of jobs that change a room. `holder`: the holder of the room's lock; no one else changes a locked room. */
const changing = { room: roomName, roomId, holder: lockHolder.optional() }
/** Where a region sends a backup: another region, which has given the ticket for it. */
const uploadAddress = z.object({
  /** The other region's address, such as `https://region.example:8443`. */
  url: z.url({ protocol: /^https?$/, error: 'url must be an http or https address.' }).max(2048),
  file: callerId,
  ticket: z.string().min(1).max(512),
})
export type UploadAddress = z.output<typeof uploadAddress>
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const password = z.string().min(1).max(1024)

export const jobInput = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('backupRoom'),
    ...reading,
    /** `product`: only the databases, as the second backup of an import. */
    kind: z.enum(['room', 'product']).default('room'),
    /**
     * Sends the backup to another region while it is packed, with a ticket; nothing is stored here. For regions with the
     * capability `sendBackup`.
     */
    to: uploadAddress.optional(),
    /**
     * Also takes the digest of the content that is packed, as `digestRoom` does. For regions with the capability
     * `digest`; ignored for the kind `product`.
     */
    digest: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal('restoreRoom'),
    ...changing,
    /** A room backup, which replaces the room's content, or a product backup, whose databases are added to it. */
    file: callerId,
    /** The same as in `backupRoom`, of the new content. */
    digest: z.literal(true).optional(),
  }),
  /** Succeeds if the room does not exist. `keepRoute`: the room moved away, so its visitors are still redirected. */
  z.object({ type: z.literal('deleteRoom'), ...changing, keepRoute: z.boolean().default(false) }),
  /**
   * Removes everything that the region still has of a room that was deleted for good: copies of this roomId under any
   * name, what `replaceRoom` kept of it, the files that jobs for it made or read, and `files`. A room of this name with
   * another roomId stays untouched. Done only when all of it is gone from the disk; started again under another id, it
   * says whether anything has come back. With `look` it only counts, and removes nothing.
   */
  z.object({
    type: z.literal('purgeRoom'),
    room: roomName,
    roomId,
    files: z.array(callerId).max(atMost.filesToPurge).default([]),
    look: z.boolean().optional(),
  }),
  /** Makes an .adb that is encrypted with this password. */
  z.object({ type: z.literal('backupDatabase'), ...reading, database: databaseName, password }),
  /** Replaces the database by the one in an .adb. Also restores a database that was deleted. */
  z.object({ type: z.literal('restoreDatabase'), ...changing, database: databaseName, file: callerId, password }),
  /** Adds the database of an .adb under a new name. */
  z.object({ type: z.literal('importDatabase'), ...changing, database: databaseName, file: callerId, password }),
  z.object({ type: z.literal('deleteDatabase'), ...changing, database: databaseName }),
  /** Brings system.db to the region's schema version. `systemPassword` is the region's system password. */
  z.object({ type: z.literal('updateSystemDatabase'), ...changing, systemPassword: z.string().max(1024) }),
  /** The region writes the room backup itself. Done only when the backup was read back and matches what was written. */
  z.object({ type: z.literal('backupToObjectStore'), ...reading, target: objectStoreLocation }),
  /** Replaces the room's content by a room backup, which the region reads itself. */
  z.object({ type: z.literal('restoreFromObjectStore'), ...changing, source: objectStoreLocation }),
  /**
   * Replaces the room's content like `restoreRoom` (`from.file`) or `restoreFromObjectStore` (`from.source`), and keeps
   * what it replaces under the id `keep`, for `putBackRoom`. What is kept under this id already stays the kept content.
   */
  z.object({
    type: z.literal('replaceRoom'),
    ...changing,
    keep: callerId,
    from: z.union([z.strictObject({ file: callerId }), z.strictObject({ source: objectStoreLocation })]),
  }),
  /** Puts back what `replaceRoom` kept under this id. Succeeds if the room was not replaced, or is put back already. */
  z.object({ type: z.literal('putBackRoom'), ...changing, kept: callerId }),
  /**
   * Restores a backup into a copy without a name, which users cannot reach, checks it as a restore does, and removes it.
   * No room is read, changed or locked; the room of this name need not exist.
   */
  z.object({
    type: z.literal('verifyBackup'),
    /** Whose backup it is, for the log. */
    room: roomName,
    /** The room's, so that a purge finds what was sent here for this. */
    roomId: roomId.optional(),
    /** The backup has to be one of this product. */
    product: roomCreation.shape.product.optional(),
    from: z.union([z.strictObject({ file: callerId }), z.strictObject({ source: objectStoreLocation })]),
  }),
  z.object({ type: z.literal('digestRoom'), ...reading }),
])
/** What a job does and to which room. */
export type JobInput = z.output<typeof jobInput>
/** The input as callers write it: fields with a default may be left out. */
export type JobRequest = z.input<typeof jobInput>
export type JobType = JobInput['type']

const size = z.int().min(0)
/** A file that the job made, to be read with `GET files/{id}`. */
const producedFile = z.object({ file: z.string(), size, sha256 })

const databasesOfRoom = z.array(z.string()).max(atMost.databases)

/** The results of jobs that are done, by type. */
export const jobResults = {
  /** With `to`, `file` is that of `to` and lies in the other region. `digest`: only if it was asked for. */
  backupRoom: producedFile.extend({ digest: sha256.optional() }),
  /** `digest`: only if it was asked for. */
  restoreRoom: z.object({ databases: databasesOfRoom, digest: sha256.optional() }),
  deleteRoom: z.object({ existed: z.boolean() }),
  /** How many of each were there and are gone, or, with `look`, are there; all 0: there was nothing. */
  purgeRoom: z.object({ copies: size, kept: size, files: size }),
  backupDatabase: producedFile,
  restoreDatabase: z.object({ database: z.string() }),
  importDatabase: z.object({ database: z.string() }),
  deleteDatabase: z.object({ existed: z.boolean() }),
  updateSystemDatabase: z.object({ from: z.int(), to: z.int() }),
  /** `location`: the given target, as `s3://bucket/key`. */
  backupToObjectStore: z.object({ location: z.string(), size, sha256 }),
  restoreFromObjectStore: z.object({ databases: databasesOfRoom }),
  replaceRoom: z.object({ databases: databasesOfRoom }),
  /** `replaced`: whether the room had been replaced under that id. */
  putBackRoom: z.object({ replaced: z.boolean() }),
  /**
   * How many files and bytes were unpacked, and the digest of the content, as `digestRoom` takes it. `rebuilt`: the
   * databases in which only indexes were damaged, so that a restore builds them anew; absent: the region does not tell.
   */
  verifyBackup: z.object({
    files: z.int().min(0),
    bytes: size,
    databases: databasesOfRoom,
    digest: sha256,
    rebuilt: databasesOfRoom.optional(),
  }),
  digestRoom: z.object({ digest: z.string() }),
} as const satisfies Record<JobType, z.ZodType>
export type JobResult<Type extends JobType> = z.output<(typeof jobResults)[Type]>

export const jobTypes = Object.keys(jobResults) as JobType[]

export const jobState = z.enum(['queued', 'running', 'done', 'failed', 'interrupted'])
export type JobState = z.infer<typeof jobState>

export const jobLine = z.object({
  /** Counts from 1 within the job. */
  n: z.int(),
  at: z.iso.datetime(),
  level: z.enum(['info', 'warning', 'error']),
  text: z.string(),
})
export type JobLine = z.infer<typeof jobLine>

export const jobInfo = z.object({
  id: z.string(),
  type: z.enum(jobTypes),
  room: z.string(),
  state: jobState,
  /** From 0 to 1. */
  progress: z.number().min(0).max(1),
  /** In the answer to `PUT jobs/{id}`: whether this call started the job. A region may leave it out. */
  isNew: z.boolean().optional(),
  /** The log lines after the requested `after`. */
  lines: z.array(jobLine).max(atMost.lines),
  /** Has the shape `jobResults[type]` when the job is done, otherwise null. */
  result: z.unknown(),
  /**
   * Why the job failed or was interrupted. The status 429, and any status from 500 on except 507, is transient: try
   * again under a new id.
   */
  error: regionProblem.nullable(),
})
export type JobInfo = z.infer<typeof jobInfo>
export const jobQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  /** Milliseconds that the region waits for the job to end before it answers. A region may ignore it. */
  wait: z.coerce.number().int().min(0).max(10_000).default(0),
})

export function jobHasEnded(state: JobState): boolean {
  return state === 'done' || state === 'failed' || state === 'interrupted'
}
