/** Object stores that speak S3: how to reach one, and what its refusals mean. */

import { NotFound, S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { because, type CodedReason } from '@roomkeeper/contract'
import { boundedAnswers, cleanText, EndlessAnswer, storeErrorCode } from '@roomkeeper/region-protocol'
import { Refusal, refuse } from './refuse.ts'
import type { Secret } from './secrets.ts'

export interface ObjectStoreAccess {
  /** Null: Amazon's, for the region. */
  endpoint: string | null
  region: string
  accessKey: string
  secretKey: Secret
  sessionToken?: Secret
}

/** The object store of the settings. */
export interface ConfiguredObjectStore {
  access: ObjectStoreAccess
  /** Where regions write backups; `prefix` is empty or ends with a slash. Null: OBJECT_STORE_URI is not set. */
  location: { bucket: string; prefix: string } | null
}

export function connectObjectStore(access: ObjectStoreAccess): S3Client {
  const { endpoint, region, accessKey, secretKey, sessionToken } = access
  const client = new S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    credentials: {
      accessKeyId: accessKey,
      secretAccessKey: secretKey.reveal(),
      ...(sessionToken === undefined ? {} : { sessionToken: sessionToken.reveal() }),
    },
    followRegionRedirects: false,
    // The SHA-256 shows whether content is unchanged; content without one is inspected.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
  })
  const { requestHandler } = client.config
  requestHandler.handle = boundedAnswers(requestHandler.handle.bind(requestHandler))
  return client
}

/**
 * Turns any failure of a store's call, or of an object's content, into a refusal, also when a proxy answers something
 * that is not S3; refusals stay as they are.
 * @param store which one: how the text begins
 */
export function asObjectStoreRefusal(error: unknown, store: 'of-object-store' | 'of-backup-store'): Refusal {
  if (error instanceof Refusal) return error
  const code = mayPass(error) ? 'object-store-unreachable' : 'object-store-refused'
  return refuse(code, { reason: because(store, { reason: objectStoreReason(error) }) })
}

/**
 * Overload, broken connections and answers that cannot be read pass; wrong keys and certificates do not, nor does what
 * our own side of the call says no to.
 */
function mayPass(error: unknown): boolean {
  if (error instanceof EndlessAnswer) return false
  const status = statusOf(error)
  if (status === null) return isOfConnection(codeOf(error))
  return status < 300 || (status >= 500 && status !== 507) || status === 408 || status === 429
}

function objectStoreReason(error: unknown): CodedReason {
  if (error instanceof EndlessAnswer) return because('store-sends-too-much')
  const status = statusOf(error)
  // Anybody answers 404.
  if (error instanceof S3ServiceException && !(error instanceof NotFound)) {
    // For people. A store can send two names, or none.
    const name = String(error.name)
    // The answer to a HEAD has no body that could say more.
    const known = reasons.get(storeErrorCode(error) ?? '') ?? (status === 403 ? reasons.get('AccessDenied') : undefined)
    if (known !== undefined) return because(known)
    return because('store-answered', { status: status ?? 'nothing', name: cleanText(name, 100) })
  }
  if (status !== null) return because('store-answered-strangely', { status })
  const code = codeOf(error)
  if (isOfCertificate(code)) return because('store-certificate', { error: code })
  if (unreachable.has(code)) return because('store-unreachable')
  if (isOfConnection(code)) return because('store-connection-failed', { error: code })
  return because('store-cannot-be-asked', { error: textOf(error) })
}

/** Null: no whole head of an answer came. */
function statusOf(error: unknown): number | null {
  const { $metadata } = (error ?? {}) as { $metadata?: { httpStatusCode?: unknown } }
  return typeof $metadata?.httpStatusCode === 'number' ? $metadata.httpStatusCode : null
}

/** Of Node or its TLS. The store's client tells its own time-outs and what was given up by the name alone. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return cleanText('code' in error ? String(error.code) : error.name, 100)
}

/** The code of Node; what has none are words of the client, such as that a file has too many parts. */
function textOf(error: unknown): string {
  return error instanceof Error && !('code' in error) ? cleanText(error.message, 200) : codeOf(error)
}

/** Of the network, of Node's parser of HTTP, or of a clock; not of what cannot be sent, such as ERR_INVALID_CHAR. */
function isOfConnection(code: string): boolean {
  if (isOfCertificate(code)) return false
  return /^(?!ERR_)(E[A-Z0-9_]+|HPE_\w+|UND_\w+)$/.test(code) || /^ERR_SSL_/.test(code) || broken.has(code)
}

function isOfCertificate(code: string): boolean {
  return /CERT|SIGNATURE/.test(code)
}

const fullCodes: ReadonlySet<string> = new Set(['QuotaExceeded', 'InsufficientStorage'])

export function objectStoreIsFull(error: unknown): boolean {
  return (
    error instanceof S3ServiceException &&
    (error.$metadata.httpStatusCode === 507 || fullCodes.has(storeErrorCode(error) ?? ''))
  )
}

/** By the codes of the S3 protocol. */
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

/** What Node says of connections that ended while somebody wrote or read, and of calls that were given up. */
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
