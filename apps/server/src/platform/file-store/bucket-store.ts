/** Stores files in a bucket by multipart uploads, which become visible only once they are complete. */

import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { because } from '@roomkeeper/contract'
import { readWithLimits, storeErrorCode } from '@roomkeeper/region-protocol'
import { type ByteRange, FileMissing, type FileStore } from '../file-store.ts'
import { forEachCollectingErrors } from '../for-each-collecting-errors.ts'
import { s3, s3Uploads } from '../load-when-used.ts'
import {
  asObjectStoreRefusal,
  connectObjectStore,
  findObject,
  type ObjectName,
  type ObjectStoreAccess,
  objectIsMissing,
  objectStoreIsFull,
  removeObject,
} from '../object-store.ts'
import { type Refusal, refuse } from '../refuse.ts'
import { measured } from './measured.ts'

/** How many parts of an upload are in memory. */
const partsAtOnce = 2

const megabyte = 1024 * 1024
const usualPart = 32 * megabyte
const largestPart = 128 * megabyte
const maxParts = 10_000

/** Of a file of at most so many bytes, parts are no larger than usual. */
export const fitsUsualParts = maxParts * usualPart

export function createBucketStore(location: { bucket: string; prefix: string; access: ObjectStoreAccess }): FileStore {
  const { bucket: Bucket, prefix } = location
  const client = connectObjectStore(location.access)
  const named = (key: string) => ({ Bucket, Key: prefix + key })
  return {
    // Without a mark any place is the store: see marked-store.ts.
    async check() {},
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

/**
 * How large the parts of an upload to a bucket are, in bytes. It has at most 10,000 parts, so the usual ones allow
 * 312 GiB. Some parts are in memory, so their size has a limit, which a region's claim about its file cannot raise: an
 * upload of more than 1.2 TiB fails at its 10,001st part.
 * @param size in bytes, of the whole file; 0 if it is not known
 */
export function partBytes(size: number): number {
  return Math.min(largestPart, Math.max(usualPart, Math.ceil(size / maxParts / megabyte) * megabyte))
}

interface StoredParts {
  Bucket: string
  Key: string
  UploadId: string | undefined
}

/**
 * Incomplete uploads take space, but listings of objects do not show them. Aborts uploads that began before
 * `silentSince`, unless a part has arrived since: a large file over a slow link takes days.
 * @returns how many
 * @throws the first failure, at the end
 */
async function abortUploads(client: S3Client, Bucket: string, Prefix: string, silentSince: Date): Promise<number> {
  const failures: unknown[] = []
  let aborted = 0
  for await (const { Uploads = [] } of pagesOfUploads(client, Bucket, Prefix)) {
    await forEachCollectingErrors(Uploads, async ({ Key, UploadId, Initiated }) => {
      if (Initiated === undefined || Initiated >= silentSince || Key?.startsWith(Prefix) !== true) return
      try {
        if (await abortWhenSilent(client, { Bucket, Key, UploadId }, silentSince)) aborted += 1
      } catch (error) {
        // The upload was completed meanwhile, or the store lists an upload that it does not have.
        if (storeErrorCode(error) !== 'NoSuchUpload') throw error
      }
    }).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
  return aborted
}

async function abortWhenSilent(client: S3Client, upload: StoredParts, since: Date): Promise<boolean> {
  for await (const { Parts } of pagesOfParts(client, upload)) {
    if (Parts?.some(({ LastModified }) => LastModified !== undefined && LastModified >= since) === true) return false
  }
  await client.send(new (s3().AbortMultipartUploadCommand)(upload))
  return true
}

function pagesOfUploads(client: S3Client, Bucket: string, Prefix: string) {
  return pagesOfList(
    (after: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null) =>
      client.send(new (s3().ListMultipartUploadsCommand)({ Bucket, Prefix, ...after })),
    (page) =>
      page.IsTruncated === true ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : null,
  )
}

function pagesOfParts(client: S3Client, upload: StoredParts) {
  return pagesOfList(
    (after: { PartNumberMarker?: string | undefined } | null) =>
      client.send(new (s3().ListPartsCommand)({ ...upload, ...after })),
    (page) => (page.IsTruncated === true ? { PartNumberMarker: page.NextPartNumberMarker } : null),
  )
}

/** Pages of 1,000 entries each: more than are ever stored under one of our prefixes. */
const maxPages = 100

/**
 * Reads lists of a store, which come in pages, each with a marker for the next. A malicious store may never send a last
 * page.
 * @param ask gets one page; null asks for the first
 * @param markerOf the marker for the next page; null: this page is the last
 * @throws Refusal when a marker is repeated, or after `maxPages` pages
 */
async function* pagesOfList<Page, Marker extends object>(
  ask: (after: Marker | null) => Promise<Page>,
  markerOf: (page: Page) => Marker | null,
): AsyncGenerator<Page> {
  const seen = new Set(['{}'])
  let after: Marker | null = null
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page: Page = await ask(after)
    yield page
    after = markerOf(page)
    if (after === null) return
    const marker = JSON.stringify(after)
    if (seen.has(marker)) break
    seen.add(marker)
  }
  throw refuse('object-store-refused', {
    reason: because('of-backup-store', { reason: because('store-list-endless') }),
  })
}
