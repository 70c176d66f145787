/** Stores files in a bucket by multipart uploads, which become visible only once they are complete. */

import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { because } from '@roomkeeper/contract'
import { readWithLimits, storeErrorCode } from '@roomkeeper/region-protocol'
import type { ByteRange, FileStore } from '../file-store.ts'
import { s3, s3Uploads } from '../load-when-used.ts'
import { asObjectStoreRefusal, connectObjectStore, type ObjectStoreAccess, objectStoreIsFull } from '../object-store.ts'
import { findObject, type ObjectName, objectIsMissing, removeObject } from '../one-object.ts'
import { type Refusal, refuse } from '../refuse.ts'
import { anyPlace } from './any-place.ts'
import { FileMissing } from './file-missing.ts'
import { measured } from './measured.ts'
import { pagesOfList } from './pages-of-list.ts'
import { partBytes } from './part-bytes.ts'
import { abortUploads } from './unfinished-uploads.ts'

/** So many are in memory. */
const partsAtOnce = 2

export function createBucketStore(location: { bucket: string; prefix: string; access: ObjectStoreAccess }): FileStore {
  const { bucket: Bucket, prefix } = location
  const client = connectObjectStore(location.access)
  const named = (key: string) => ({ Bucket, Key: prefix + key })
  return {
    check: anyPlace,
    async put(key, content, { signal, size = 0, sha256 } = {}) {
      const { content: passed, result, failure } = measured(content, signal, sha256)
      const Body = Readable.from(passed, { objectMode: false })
      const upload = new (s3Uploads().Upload)({
        client,
        params: { ...named(key), Body },
        partSize: partBytes(size),
        queueSize: partsAtOnce,
      })
      try {
        const { ETag: etag } = await upload.done()
        const kept = result()
        await mustHave(client, named(key), { etag, size: kept.size })
        return kept
      } catch (error) {
        throw failure() ?? (objectStoreIsFull(error) ? refuse('storage-full') : asRefusal(error))
      } finally {
        Body.destroy()
      }
    },
    async open(key, range) {
      try {
        const { Body } = await client.send(new (s3().GetObjectCommand)({ ...named(key), ...rangeOf(range) }))
        if (Body instanceof Readable) return Readable.from(contentOf(Body, range), { objectMode: false })
      } catch (error) {
        if (objectIsMissing(error)) throw new FileMissing(key)
        // As in a folder, a range after the last byte is empty.
        if (storeErrorCode(error) === 'InvalidRange') return Readable.from([])
        throw asRefusal(error)
      }
      throw asRefusal(new Error('The object store answered without content.'))
    },
    async stat(key) {
      try {
        const found = await findObject(client, named(key))
        return found === null ? null : { size: found.size }
      } catch (error) {
        throw asRefusal(error)
      }
    },
    async remove(key) {
      await removeObject(client, named(key)).catch((error: unknown) => {
        throw asRefusal(error)
      })
    },
    async *list(keyPrefix) {
      const Prefix = prefix + keyPrefix
      for await (const page of refusing(pagesOfObjects(client, Bucket, Prefix))) {
        for (const { Key, LastModified } of page.Contents ?? []) {
          if (LastModified !== undefined && Key?.startsWith(Prefix) === true)
            yield { key: Key.slice(prefix.length), storedAt: LastModified }
        }
      }
    },
    async removeUnfinished(keyPrefix, startedBefore) {
      return abortUploads(client, Bucket, prefix + keyPrefix, startedBefore).catch((error: unknown) => {
        throw asRefusal(error)
      })
    },
  }
}

/** Checks that a file was stored, because a proxy in front of the store may only claim so. */
async function mustHave(
  client: S3Client,
  name: ObjectName,
  { etag, size }: { etag: string | undefined; size: number },
): Promise<void> {
  const found = await findObject(client, name)
  // Some stores answer a multipart upload with an empty ETag.
  const isTheOne = etag === '' || (etag !== undefined && unquoted(etag) === unquoted(found?.etag))
  if (isTheOne && found?.size === size) return
  throw refuse('object-store-unreachable', {
    reason: because('of-backup-store', { reason: because('store-lost-file') }),
  })
}

/** Some stores leave out the quotes of an ETag. */
const unquoted = (etag: string | undefined) => etag?.replaceAll('"', '')

function asRefusal(error: unknown): Refusal {
  return asObjectStoreRefusal(error, 'of-backup-store')
}

async function* refusing<Piece>(content: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  try {
    yield* content
  } catch (error) {
    throw asRefusal(error)
  }
}

/** Reads no more than was asked for: a store may send the whole file instead of a part, or never end. */
function contentOf(body: Readable, { start = 0, end }: ByteRange = {}): AsyncIterable<Uint8Array> {
  return refusing(readWithLimits(body, end === undefined ? {} : { most: end - start + 1 }))
}

function rangeOf({ start = 0, end }: ByteRange = {}): { Range?: string } {
  return start === 0 && end === undefined ? {} : { Range: `bytes=${start}-${end ?? ''}` }
}

function pagesOfObjects(client: S3Client, Bucket: string, Prefix: string) {
  return pagesOfList(
    (after: { ContinuationToken?: string | undefined } | null) =>
      client.send(new (s3().ListObjectsV2Command)({ Bucket, Prefix, ...after })),
    (page) => (page.IsTruncated === true ? { ContinuationToken: page.NextContinuationToken } : null),
  )
}
