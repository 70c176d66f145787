/** Object stores that speak S3: how to reach one, and what its refusals mean. */
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { boundedAnswers, EndlessAnswer, shownText } from '@roomkeeper/region-protocol'
import { refuse } from './refuse.ts'
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
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
  })
  const { requestHandler } = client.config
  requestHandler.handle = boundedAnswers(requestHandler.handle.bind(requestHandler))
  return client
}

/**
 * What a store refused, or that it cannot be reached, is no fault of ours; other errors stay what they are.
 * @param store how the text begins, such as `The backup store`
 */
export function asObjectStoreRefusal(error: unknown, store: string): unknown {
  const reason = objectStoreReason(error)
  if (reason === null) return error
  return refuse(mayPass(error) ? 'object-store-unreachable' : 'object-store-refused', { reason: `${store}: ${reason}` })
}

/** Overload and broken connections pass; wrong keys and certificates do not. */
function mayPass(error: unknown): boolean {
  if (error instanceof EndlessAnswer) return false
  if (!(error instanceof S3ServiceException))
    return !(error instanceof Error && 'code' in error && /CERT|SIGNATURE/.test(String(error.code)))
  const status = error.$metadata.httpStatusCode ?? 500
  return (status >= 500 && status !== 507) || status === 429
}

/** In words, when the store refused or could not be reached; null: the error is of another kind. */
function objectStoreReason(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof EndlessAnswer) return 'it sends more than it was asked for.'
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode
    // The answer to a HEAD has no body that could say more.
    const byStatus = status === 403 ? reasons.AccessDenied : undefined
    return reasons[error.name] ?? byStatus ?? `it answered ${status ?? 'nothing'} ${shownText(error.name, 100)}.`
  }
  const code = 'code' in error ? String(error.code) : error.name
  return unreachable.has(code) ? 'it cannot be reached.' : null
}

/** Nothing is there, of that name. */
export function objectIsMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(error.name)
}

export function objectStoreIsFull(error: unknown): boolean {
  return (
    error instanceof S3ServiceException &&
    (error.$metadata.httpStatusCode === 507 || ['QuotaExceeded', 'InsufficientStorage'].includes(error.name))
  )
}

/** By the codes of the S3 protocol. */
const reasons: Record<string, string> = {
  InvalidAccessKeyId: 'it does not know the access key.',
  SignatureDoesNotMatch: 'the secret key is wrong.',
  InvalidToken: 'the session token is wrong.',
  ExpiredToken: 'the session token has expired.',
  AccessDenied: 'access is denied: access key, secret key or session token are wrong, or do not allow it.',
  InvalidClientTokenId: 'it does not know the access key.',
  RequestTimeTooSkewed: 'the clocks differ too much.',
  NoSuchBucket: 'there is no such bucket.',
  NoSuchKey: 'there is no such file in the bucket.',
  NotFound: 'there is no such file in the bucket.',
  PermanentRedirect: 'the bucket is in another region.',
  AuthorizationHeaderMalformed: 'the bucket is in another region.',
  IllegalLocationConstraintException: 'the bucket is in another region.',
  InvalidArgument: 'it does not take these values: the session token or the S3 URI is wrong.',
  InvalidRange: 'the file is empty.',
}

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
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])
