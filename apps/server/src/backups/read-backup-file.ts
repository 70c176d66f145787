/** Reads the file of a backup, in the backup store or in an object store: its size, its digest, and what it contains. */
import { createHash } from 'node:crypto'
import { addAbortSignal, Readable } from 'node:stream'
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3'
import { type BackupContents, because } from '@roomkeeper/contract'
import { type ObjectStoreLocation, readWithLimits, storeErrorCode } from '@roomkeeper/region-protocol'
import { FileMissing } from '#platform/file-store.ts'
import { s3 } from '#platform/load-when-used.ts'
import { asObjectStoreRefusal, findObject, objectIsMissing } from '#platform/object-store.ts'
import { refuse, refuseFile } from '#platform/refuse.ts'
import { inspectBackup, storedFile } from './archive/inspect-backup.ts'
import { clientFor } from './object-store.ts'
import type { BackupStores } from './remove-backup.ts'

export interface BackupFile {
  kind: 'classic' | 'd2o'
  /** The key in the backup store (classic) or the `s3://…` URI (d2o). */
  location: string
}

/**
 * The size in bytes, or null if there is no such file.
 * @throws Refusal `object-store-not-set`, `object-store-refused`, `object-store-unreachable`
 */
export async function sizeOfBackup({ files, objectStore }: BackupStores, file: BackupFile): Promise<number | null> {
  if (file.kind === 'classic') return (await files.stat(file.location))?.size ?? null
  const location = objectStore.locationOfUri(file.location)
  const client = clientFor(location)
  try {
    return (await findObject(client, { Bucket: location.bucket, Key: location.key }))?.size ?? null
  } catch (error) {
    throw asObjectStoreRefusal(error, 'of-object-store')
  } finally {
    client.destroy()
  }
}

interface WholeBackupFile extends BackupFile {
  /** The recorded size in bytes. */
  size: number
}

/** Any working store is faster than this. */
const fewestBytesPerSecond = 128 * 1024
const patienceSeconds = 120
const secondsAtMost = 7 * 24 * 3600

/**
 * The hexadecimal SHA-256 of the content, or null if the file does not exist. Reading stops soon after the recorded
 * size, because a longer file differs in any case.
 * @throws Refusal as `sizeOfBackup`; `object-store-unreachable` also if reading takes too long
 */
export async function digestOfBackup(
  stores: BackupStores,
  file: WholeBackupFile,
  signal: AbortSignal,
  patience = patienceSeconds,
): Promise<string | null> {
  const seconds = Math.min(patience + file.size / fewestBytesPerSecond, secondsAtMost)
  const inTime = AbortSignal.timeout(Math.ceil(seconds * 1000))
  try {
    return await readDigest(stores, file, AbortSignal.any([signal, inTime]))
  } catch (error) {
    signal.throwIfAborted()
    if (!inTime.aborted) throw error
    throw refuse('object-store-unreachable', { reason: because('store-too-slow', { location: file.location }) })
  }
}

async function readDigest(stores: BackupStores, file: WholeBackupFile, signal: AbortSignal): Promise<string | null> {
  if (file.kind === 'classic') {
    try {
      return await sha256Of(await stores.files.open(file.location), file.size, signal)
    } catch (error) {
      if (error instanceof FileMissing) return null
      throw error
    }
  }
  const location = stores.objectStore.locationOfUri(file.location)
  const client = clientFor(location)
  try {
    const wanted = new (s3().GetObjectCommand)({ Bucket: location.bucket, Key: location.key })
    const { Body } = await client.send(wanted, { abortSignal: signal })
    if (!(Body instanceof Readable)) throw new Error('The object store answered without content.')
    return await sha256Of(Body, file.size, signal)
  } catch (error) {
    if (objectIsMissing(error)) return null
    throw asObjectStoreRefusal(error, 'of-object-store')
  } finally {
    client.destroy()
  }
}

async function sha256Of(content: Readable, size: number, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  let read = 0
  for await (const bytes of addAbortSignal(signal, content) as AsyncIterable<Uint8Array>) {
    hash.update(bytes)
    read += bytes.length
    if (read > size) break
  }
  return hash.digest('hex')
}

/**
 * Inspects a recorded backup, reading only small parts of it.
 * @throws Refusal `backup-damaged` if the backup store does not have it, and those of `inspectObject` and `inspectBackup`
 */
export async function inspectStored(
  { files, objectStore }: BackupStores,
  { kind, location, size }: WholeBackupFile,
): Promise<BackupContents> {
  if (kind === 'd2o') return inspectObject(objectStore.locationOfUri(location))
  const { contents } = await inspectBackup(storedFile(files, { storeKey: location, size })).catch((error: unknown) => {
    throw error instanceof FileMissing ? refuse('backup-damaged') : error
  })
  return contents
}

/**
 * Inspects a backup in an object store, reading only small parts of it.
 * @throws Refusal `object-store-refused`, and those of `inspectBackup`
 */
export async function inspectObject(location: ObjectStoreLocation): Promise<BackupContents> {
  const client = clientFor(location)
  try {
    const size = await sizeOfObject(client, location)
    const open = async (range: { start: number; end: number }) =>
      contentOf(await readObject(client, location, range), range)
    return (await inspectBackup({ size, open })).contents
  } finally {
    client.destroy()
  }
}

/** Reads a few bytes to get the size, because a store that refuses a HEAD request does not say why. @throws Refusal */
async function sizeOfObject(client: S3Client, location: ObjectStoreLocation): Promise<number> {
  const range = { start: 0, end: 3 }
  const answer = await readObject(client, location, range)
  const first = Buffer.concat(await contentOf(answer, range).toArray()).toString('latin1')
  if (first === 'PK\x05\x06') throw refuse('no-upload-content')
  if (first !== 'PK\x03\x04') throw refuseFile('wrong-file', 'zip-none')
  return Number(/\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1] ?? answer.ContentLength ?? 0)
}

async function readObject(
  client: S3Client,
  { bucket, key }: ObjectStoreLocation,
  { start, end }: { start: number; end: number },
): Promise<GetObjectCommandOutput> {
  const wanted = new (s3().GetObjectCommand)({ Bucket: bucket, Key: key, Range: `bytes=${start}-${end}` })
  return client.send(wanted).catch((error: unknown) => {
    const isEmpty = storeErrorCode(error) === 'InvalidRange'
    throw isEmpty ? refuseFile('wrong-file', 'zip-none') : asObjectStoreRefusal(error, 'of-object-store')
  })
}

function contentOf({ Body }: GetObjectCommandOutput, { start, end }: { start: number; end: number }): Readable {
  if (Body instanceof Readable) return Readable.from(bytesOf(Body, end - start + 1), { objectMode: false })
  throw asObjectStoreRefusal(new Error('It answered without content.'), 'of-object-store')
}

/** Passes on at most as many bytes as were requested, and gives up on a store that sends more or stalls. */
async function* bytesOf(body: Readable, most: number): AsyncGenerator<Uint8Array> {
  try {
    yield* readWithLimits(body, { most })
  } catch (error) {
    throw asObjectStoreRefusal(error, 'of-object-store')
  }
}
