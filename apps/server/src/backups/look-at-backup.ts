/** Looks at the files of backups, wherever they are, and changes nothing. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import { FileMissing } from '#platform/file-store/file-missing.ts'
import { asObjectStoreRefusal, objectIsMissing } from '#platform/object-store.ts'
import { connectPlace } from './object-store.ts'
import type { BackupStores } from './remove-backup.ts'

export interface BackupFile {
  kind: 'classic' | 'd2o'
  /** classic: the key in the backup store; d2o: the s3:// address. */
  location: string
}

/** Bytes; null: there is no such file. @throws Refusal `object-store-not-set`, `object-store-refused`, `…-unreachable` */
export async function sizeOfBackup({ files, objectStore }: BackupStores, file: BackupFile): Promise<number | null> {
  if (file.kind === 'classic') return (await files.stat(file.location))?.size ?? null
  const place = objectStore.placeOfLocation(file.location)
  const client = connectPlace(place)
  try {
    const found = await client.send(new HeadObjectCommand({ Bucket: place.bucket, Key: place.key }))
    return found.ContentLength ?? 0
  } catch (error) {
    if (objectIsMissing(error)) return null
    throw asObjectStoreRefusal(error, 'The object store')
  } finally {
    client.destroy()
  }
}

/** Hexadecimal SHA-256 of the whole content; null: there is no such file (any more). @throws Refusal, as above */
export async function digestOfBackup(
  stores: BackupStores,
  file: BackupFile,
  signal: AbortSignal,
): Promise<string | null> {
  if (file.kind === 'classic') {
    try {
      return await sha256Of(await stores.files.open(file.location), signal)
    } catch (error) {
      if (error instanceof FileMissing) return null
      throw error
    }
  }
  const place = stores.objectStore.placeOfLocation(file.location)
  const client = connectPlace(place)
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: place.bucket, Key: place.key }))
    if (!(Body instanceof Readable)) throw new Error('The object store answered without content.')
    return await sha256Of(Body, signal)
  } catch (error) {
    if (objectIsMissing(error)) return null
    throw asObjectStoreRefusal(error, 'The object store')
  } finally {
    client.destroy()
  }
}

async function sha256Of(content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of content) {
    signal.throwIfAborted()
    hash.update(bytes)
  }
  return hash.digest('hex')
}
