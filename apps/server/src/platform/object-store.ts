/** Object stores that speak S3: how to reach one, and what its refusals mean. */
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { boundedAnswers, EndlessAnswer, shownText } from '@roomkeeper/region-protocol'
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
  place: { bucket: string; prefix: string } | null
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
    // Whether content is what was kept is told by its SHA-256; what has none is looked into.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
  })
  const { requestHandler } = client.config
  requestHandler.handle = boundedAnswers(requestHandler.handle.bind(requestHandler))
  return client
}

/**
 * Whatever a call of a store or the content of an object fails with is no fault of ours, also when a proxy answers in
 * its place and its words have no form of S3; a refusal stays as it is.
 * @param store how the text begins, such as `The backup store`
 */
export function asObjectStoreRefusal(error: unknown, store: string): Refusal {
  if (error instanceof Refusal) return error
  const code = mayPass(error) ? 'object-store-unreachable' : 'object-store-refused'
  return refuse(code, { reason: `${store}: ${objectStoreReason(error)}` })
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

/** In words. */
function objectStoreReason(error: unknown): string {
  if (error instanceof EndlessAnswer) return 'it sends more than it was asked for.'
  const status = statusOf(error)
  // Its client makes the name up where a 404 has none.
  if (error instanceof S3ServiceException && error.name !== 'NotFound') {
    // A store can send two names, or none.
    const name = String(error.name)
    // The answer to a HEAD has no body that could say more.
    const byStatus = status === 403 ? reasons.get('AccessDenied') : undefined
    return reasons.get(name) ?? byStatus ?? `it answered ${status ?? 'nothing'} ${shownText(name, 100)}.`
  }
  if (status !== null) return `it answered ${status}, but not as an object store does.`
  const code = codeOf(error)
  if (isOfCertificate(code)) return `its certificate is not accepted (${code}).`
  if (unreachable.has(code)) return 'it cannot be reached.'
  if (isOfConnection(code)) return `the connection to it failed (${code}).`
  return `it cannot be asked (${wordsOf(error)}).`
}

/** Null: no whole head of an answer came. */
function statusOf(error: unknown): number | null {
  const { $metadata } = (error ?? {}) as { $metadata?: { httpStatusCode?: unknown } }
  return typeof $metadata?.httpStatusCode === 'number' ? $metadata.httpStatusCode : null
}

/** Of Node or its TLS. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return shownText('code' in error ? String(error.code) : error.name, 100)
}

/** The code of Node; what has none are words of the client, such as that a file has too many parts. */
function wordsOf(error: unknown): string {
  return error instanceof Error && !('code' in error) ? shownText(error.message, 200) : codeOf(error)
}

/** Of the network, of Node's parser of HTTP, or of a clock; not of what cannot be sent, such as ERR_INVALID_CHAR. */
function isOfConnection(code: string): boolean {
  if (isOfCertificate(code)) return false
  return /^(?!ERR_)(E[A-Z0-9_]+|HPE_\w+|UND_\w+)$/.test(code) || /^ERR_SSL_/.test(code) || broken.has(code)
}

function isOfCertificate(code: string): boolean {
  return /CERT|SIGNATURE/.test(code)
}

export function objectStoreIsFull(error: unknown): boolean {
  return (
    error instanceof S3ServiceException &&
    (error.$metadata.httpStatusCode === 507 || ['QuotaExceeded', 'InsufficientStorage'].includes(error.name))
  )
}

/** By the codes of the S3 protocol. */
const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries({
    InvalidAccessKeyId: 'it does not know the access key.',
    SignatureDoesNotMatch: 'the secret key is wrong.',
    InvalidToken: 'the session token is wrong.',
    ExpiredToken: 'the session token has expired.',
    AccessDenied: 'access is denied: access key, secret key or session token are wrong, or do not allow it.',
    InvalidClientTokenId: 'it does not know the access key.',
    RequestTimeTooSkewed: 'the clocks differ too much.',
    NoSuchBucket: 'there is no such bucket.',
    NoSuchKey: 'there is no such file in the bucket.',
    PermanentRedirect: 'the bucket is in another region.',
    AuthorizationHeaderMalformed: 'the bucket is in another region.',
    IllegalLocationConstraintException: 'the bucket is in another region.',
    InvalidArgument: 'it does not take these values: the session token or the S3 URI is wrong.',
    InvalidRange: 'the file is empty.',
  }),
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
