/** Reads and writes an object in an object store, with the credentials that the caller of a job gave. */
import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { boundedAnswers, type ObjectStoreLocation, readWithLimits } from '@roomkeeper/region-protocol'
import { s3, s3Uploads } from './load-when-used.ts'
import { objectStoreFailure } from './object-store-failure.ts'

export interface StoredObject {
  /** `s3://bucket/key` */
  location: string
  /**
   * Writes the content in parts as it arrives. When it fails, it leaves no part behind.
   * @param expectedBytes an estimate of the content's length @throws {Refusal} see `objectStoreFailure`
   */
  write(content: AsyncIterable<Buffer>, expectedBytes: number): Promise<void>
  /** `size` null: the store does not say how long the content is. @throws {Refusal} also while the content is read */
  read(): Promise<{ size: number | null; content: AsyncIterable<Buffer> }>
  close(): void
}

const megabyte = 1024 * 1024
/** The minimum size of a part. `partsAtOnce` parts are in memory at once. */
const partBytes = 8 * megabyte
const partsAtOnce = 3
/** S3 allows 10,000 parts; the rest is for a content that is longer than expected. */
const partsExpectedAtMost = 8000
const connectMilliseconds = 5000
const silentSeconds = 30

/** @param signal aborts what is under way; the parts of an upload are removed all the same */
export function openObject(location: ObjectStoreLocation, signal: AbortSignal): StoredObject {
  const client = connect(location, signal)
  const object = { Bucket: location.bucket, Key: location.key }
  const failed = (error: unknown) => objectStoreFailure(error, location, signal)
  return {
    location: `s3://${location.bucket}/${location.key}`,
    close: () => client.destroy(),
    async write(content, expectedBytes) {
      const partSize = Math.max(partBytes, Math.ceil(expectedBytes / partsExpectedAtMost / megabyte) * megabyte)
      // Upload's own abort returns before the parts are removed. If the content fails instead, `done` waits for that.
      const upload = new (s3Uploads().Upload)({
        client,
        params: { ...object, Body: Readable.from(untilAborted(content, signal)), ContentType: 'application/zip' },
        queueSize: partsAtOnce,
        partSize,
      })
      await upload.done().catch((error: unknown) => {
        throw failed(error)
      })
    },
    async read() {
      const { Body, ContentLength } = await client.send(new (s3().GetObjectCommand)(object)).catch((error) => {
        throw failed(error)
      })
      return { size: ContentLength ?? null, content: contentOf(Body as Readable, ContentLength, failed) }
    },
  }
}

function connect({ endpoint, region, ...keys }: ObjectStoreLocation, signal: AbortSignal): S3Client {
  const client = new (s3().S3Client)({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: {
      accessKeyId: keys.accessKey,
      secretAccessKey: keys.secretKey,
      ...(keys.sessionToken === '' ? {} : { sessionToken: keys.sessionToken }),
    },
    maxAttempts: 3,
    // Not every store knows the newer checksums, and every written object is read back anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMilliseconds, socketTimeout: silentSeconds * 1000 },
  })
  const { requestHandler } = client.config
  const handle = boundedAnswers(requestHandler.handle.bind(requestHandler))
  // The job's signal aborts every request, except the one that removes the parts of an upload.
  requestHandler.handle = (request, options) =>
    handle(request, request.method === 'DELETE' ? options : { ...options, abortSignal: signal })
  return client
}

async function* untilAborted(content: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    signal.throwIfAborted()
    yield chunk
  }
}

/** Fails when the content stalls, arrives too slowly, or is longer than announced. */
async function* contentOf(
  body: Readable,
  most: number | undefined,
  failed: (error: unknown) => unknown,
): AsyncGenerator<Buffer> {
  try {
    yield* readWithLimits(body, { silentSeconds, ...(most === undefined ? {} : { most }) })
  } catch (error) {
    throw failed(error)
  }
}
