/** Whether an object store has an object, and its removal. Only the store itself can say that nothing is there. */
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { storeErrorCode } from '@roomkeeper/region-protocol'

export interface ObjectName {
  Bucket: string
  Key: string
}

export interface ObjectFound {
  /** Bytes. */
  size: number
  etag: string | undefined
}

/** Null: there is no such object. Whatever the store fails with is thrown as it came. */
export async function findObject(client: S3Client, name: ObjectName): Promise<ObjectFound | null> {
  try {
    const { ContentLength, ETag } = await client.send(new HeadObjectCommand(name))
    return { size: ContentLength ?? 0, etag: ETag }
  } catch (error) {
    if (!(error instanceof S3ServiceException) || error.$metadata.httpStatusCode !== 404) throw error
  }
  // The answer to a HEAD has no words: a proxy may have given it, or the bucket is another one.
  return findByReading(client, name)
}

async function findByReading(client: S3Client, name: ObjectName): Promise<ObjectFound | null> {
  try {
    const first = new GetObjectCommand({ ...name, Range: 'bytes=0-0' })
    const { Body, ContentRange, ContentLength, ETag } = await client.send(first)
    if (Body instanceof Readable) Body.destroy()
    return { size: Number(/\/(\d+)$/.exec(ContentRange ?? '')?.[1] ?? ContentLength ?? 0), etag: ETag }
  } catch (error) {
    if (objectIsMissing(error)) return null
    throw error
  }
}

/** Also when nothing is there, which some stores say. */
export async function removeObject(client: S3Client, name: ObjectName): Promise<void> {
  await client.send(new DeleteObjectCommand(name)).catch((error: unknown) => {
    if (!objectIsMissing(error)) throw error
  })
}

/** The store says that nothing is there, of that name. */
export function objectIsMissing(error: unknown): boolean {
  return storeErrorCode(error) === 'NoSuchKey'
}
