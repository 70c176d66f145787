/** Aborts incomplete multipart uploads. Their parts take space, but listings of objects do not show them. */
import type { S3Client } from '@aws-sdk/client-s3'
import { storeErrorCode } from '@roomkeeper/region-protocol'
import { forEachCollectingErrors } from '../for-each-collecting-errors.ts'
import { s3 } from '../load-when-used.ts'
import { pagesOfList } from './pages-of-list.ts'

interface StoredParts {
  Bucket: string
  Key: string
  UploadId: string | undefined
}

/**
 * Aborts uploads that began before `silentSince`, unless a part has arrived since: a large file over a slow link takes
 * days.
 * @returns how many
 * @throws the first failure, at the end
 */
export async function abortUploads(
  client: S3Client,
  Bucket: string,
  Prefix: string,
  silentSince: Date,
): Promise<number> {
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
