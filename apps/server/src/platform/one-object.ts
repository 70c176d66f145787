/** Finds and removes single objects. Only an answer of the store itself counts as proof that an object is missing. */
import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { storeErrorCode } from '@roomkeeper/region-protocol'
import { s3 } from './load-when-used.ts'

export interface ObjectName {
  Bucket: string
  Key: string
}

export interface ObjectFound {
  /** Bytes. */
  size: number
  etag: string | undefined
}

/** null: there is no such object. @throws the store's error unchanged */
export async function findObject(client: S3Client, name: ObjectName): Promise<ObjectFound | null> {
  try {
    const { ContentLength, ETag } = await client.send(new (s3().HeadObjectCommand)(name))
    return { size: ContentLength ?? 0, etag: ETag }
  } catch (error) {
    if (!(error instanceof s3().S3ServiceException) || error.$metadata.httpStatusCode !== 404) throw error
  }
  // The answer to a HEAD has no body: it may come from a proxy, or mean that the bucket does not exist.
  return findByReading(client, name)
}

async function findByReading(client: S3Client, name: ObjectName): Promise<ObjectFound | null> {
  try {
    const first = new (s3().GetObjectCommand)({ ...name, Range: 'bytes=0-0' })
    const { Body, ContentRange, ContentLength, ETag } = await client.send(first)
    if (Body instanceof Readable) Body.destroy()
    return { size: Number(/\/(\d+)$/.exec(ContentRange ?? '')?.[1] ?? ContentLength ?? 0), etag: ETag }
  } catch (error) {
    if (objectIsMissing(error)) return null
    throw error
  }
}

/** Succeeds too when there is no such object, which some stores report as an error. */
export async function removeObject(client: S3Client, name: ObjectName): Promise<void> {
  await client.send(new (s3().DeleteObjectCommand)(name)).catch((error: unknown) => {
    if (!objectIsMissing(error)) throw error
  })
}

/** The store itself says that there is no object of that name. */
export function objectIsMissing(error: unknown): boolean {
  return storeErrorCode(error) === 'NoSuchKey'
}
