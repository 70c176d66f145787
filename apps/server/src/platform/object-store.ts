/** Object stores that speak S3: how to reach one, what its refusals mean, and single objects. */
import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { because, type CodedReason } from '@roomkeeper/contract'
import { boundedAnswers, cleanText, EndlessAnswer, storeErrorCode } from '@roomkeeper/region-protocol'
import { s3 } from './load-when-used.ts'
import { Refusal, refuse } from './refuse.ts'
import type { Secret } from './secrets.ts'

export interface ObjectStoreAccess {
  /** null: Amazon's endpoint for the region. */
  endpoint: string | null
  region: string
  accessKey: string
  secretKey: Secret
  sessionToken?: Secret
}

/** The object store of the settings. */
export interface ConfiguredObjectStore {
  access: ObjectStoreAccess
  /** Where regions write backups; `prefix` is empty or ends with a slash. null: OBJECT_STORE_URI is not set. */
  location: { bucket: string; prefix: string } | null
}

export function connectObjectStore(access: ObjectStoreAccess): S3Client {
  const { endpoint, region, accessKey, secretKey, sessionToken } = access
  const client = new (s3().S3Client)({
    region,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    credentials: {
      accessKeyId: accessKey,
      secretAccessKey: secretKey.reveal(),
      ...(sessionToken === undefined ? {} : { sessionToken: sessionToken.reveal() }),
    },
    followRegionRedirects: false,
    // Our own SHA-256 shows whether content is unchanged; content without one is inspected.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
  })
  const { requestHandler } = client.config
  requestHandler.handle = boundedAnswers(requestHandler.handle.bind(requestHandler))
  return client
}

export interface ObjectName {
  Bucket: string
  Key: string
}

export interface ObjectFound {
  /** Bytes. */
  size: number
  etag: string | undefined
}

/**
 * Only an answer of the store itself proves that an object is missing.
 * @returns null: there is no such object
 * @throws the store's error unchanged
 */
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

/**
 * Turns any failure of a call to a store, or of reading an object, into a refusal, even if a proxy's answer is not S3.
 * A refusal stays as it is.
 * @param store which store the text names
 */
export function asObjectStoreRefusal(error: unknown, store: 'of-object-store' | 'of-backup-store'): Refusal {
  if (error instanceof Refusal) return error
  const code = isTransient(error) ? 'object-store-unreachable' : 'object-store-refused'
  return refuse(code, { reason: because(store, { reason: objectStoreReason(error) }) })
}

/**
 * Overload, broken connections and unreadable answers are transient. Wrong keys and certificates are not, nor are calls
 * that our own S3 client refuses to send.
 */
function isTransient(error: unknown): boolean {
  if (error instanceof EndlessAnswer) return false
  const status = statusOf(error)
  if (status === null) return isConnectionError(codeOf(error))
  return status < 300 || (status >= 500 && status !== 507) || status === 408 || status === 429
}

function objectStoreReason(error: unknown): CodedReason {
  if (error instanceof EndlessAnswer) return because('store-sends-too-much')
  const status = statusOf(error)
  // Any server may answer 404, so that alone says nothing about the store.
  if (error instanceof s3().S3ServiceException && !(error instanceof s3().NotFound)) {
    // Shown to people. A store may send two names, or none.
    const name = String(error.name)
    // The answer to a HEAD has no body, so its status has to do.
    const known = reasons.get(storeErrorCode(error) ?? '') ?? (status === 403 ? reasons.get('AccessDenied') : undefined)
    if (known !== undefined) return because(known)
    return because('store-answered', { status: status ?? 'nothing', name: cleanText(name, 100) })
  }
  if (status !== null) return because('store-answered-strangely', { status })
  const code = codeOf(error)
  if (isCertificateError(code)) return because('store-certificate', { error: code })
  if (unreachable.has(code)) return because('store-unreachable')
  if (isConnectionError(code)) return because('store-connection-failed', { error: code })
  return because('store-cannot-be-asked', { error: textOf(error) })
}

/** null: the head of an answer did not arrive completely. */
function statusOf(error: unknown): number | null {
  const { $metadata } = (error ?? {}) as { $metadata?: { httpStatusCode?: unknown } }
  return typeof $metadata?.httpStatusCode === 'number' ? $metadata.httpStatusCode : null
}

/** The code of Node or its TLS. The S3 client's own time-outs and aborts have only a name. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return cleanText('code' in error ? String(error.code) : error.name, 100)
}

/** Node's code; an error without one has a message of the S3 client, such as that a file has too many parts. */
function textOf(error: unknown): string {
  return error instanceof Error && !('code' in error) ? cleanText(error.message, 200) : codeOf(error)
}

/** Codes of the network, of Node's HTTP parser and of time-outs; not of unsendable requests (ERR_INVALID_CHAR). */
function isConnectionError(code: string): boolean {
  if (isCertificateError(code)) return false
  return /^(?!ERR_)(E[A-Z0-9_]+|HPE_\w+|UND_\w+)$/.test(code) || /^ERR_SSL_/.test(code) || broken.has(code)
}

function isCertificateError(code: string): boolean {
  return /CERT|SIGNATURE/.test(code)
}

const fullCodes: ReadonlySet<string> = new Set(['QuotaExceeded', 'InsufficientStorage'])

export function objectStoreIsFull(error: unknown): boolean {
  return (
    error instanceof s3().S3ServiceException &&
    (error.$metadata.httpStatusCode === 507 || fullCodes.has(storeErrorCode(error) ?? ''))
  )
}

/** Reasons by the error codes of the S3 protocol. */
const reasons = new Map(
  Object.entries({
    InvalidAccessKeyId: 'store-knows-no-key',
    SignatureDoesNotMatch: 'store-secret-wrong',
    InvalidToken: 'store-token-wrong',
    ExpiredToken: 'store-token-expired',
    AccessDenied: 'store-denies',
    InvalidClientTokenId: 'store-knows-no-key',
    RequestTimeTooSkewed: 'store-clocks-differ',
    NoSuchBucket: 'store-bucket-unknown',
    NoSuchKey: 'store-file-unknown',
    PermanentRedirect: 'store-bucket-elsewhere',
    AuthorizationHeaderMalformed: 'store-bucket-elsewhere',
    IllegalLocationConstraintException: 'store-bucket-elsewhere',
    InvalidArgument: 'store-takes-not',
    InvalidRange: 'store-file-empty',
  } as const),
)

/** Node's codes for connections that ended during a write or read, and for aborted calls. */
const broken = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_SOCKET_CLOSED',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  'ABORT_ERR',
  'AbortError',
  'TimeoutError',
])

const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'TimeoutError',
])
