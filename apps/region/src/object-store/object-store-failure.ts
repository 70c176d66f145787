/** Turns failures of an object store into refusals, by status and code: Ceph's errors carry no text. */
import { type ObjectStoreLocation, storeErrorCode } from '@roomkeeper/region-protocol'
import { Refusal, refuse } from '#refusals.ts'
import { s3 } from './load-when-used.ts'

/**
 * Final: 'object-store-refused' (credentials, a certificate, or a request that the store never accepts),
 * 'object-unknown'. Transient: 'object-store-unreachable' (no connection, 429, 5xx, an answer that cannot be read).
 * Errors that did not come from the store are returned as they are.
 */
export function objectStoreFailure(error: unknown, location: ObjectStoreLocation, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof Refusal || isOfFileSystem(error)) return error
  const status = statusOf(error)
  if (status === undefined) {
    const reason = nameOf(error)
    // Node's codes for a certificate that is not trusted, such as DEPTH_ZERO_SELF_SIGNED_CERT.
    if (/CERT|SIGNATURE/.test(reason))
      return refuse('object-store-refused', { what: `The certificate of the object store is not trusted (${reason})` })
    return refuse('object-store-unreachable', { reason })
  }
  if (status === 429 || status === 408 || status >= 500 || status < 300)
    return refuse('object-store-unreachable', { reason: `it answered ${status}` })
  const code = storeErrorCode(error) ?? ''
  // A 404 with another code, or none, does not come from the store.
  if (status === 404 && missingErrors.has(code))
    return refuse('object-unknown', { bucket: location.bucket, key: location.key })
  if (status === 401 || status === 403 || credentialErrors.has(code))
    return refuse('object-store-refused', { what: 'The object store refused the access key or its signature' })
  if (status === 400 && location.sessionToken !== '')
    return refuse('object-store-refused', { what: 'The object store refused the access key or its session token' })
  return refuse('object-store-refused', { what: `The object store refused the request (${status} ${nameOf(error)})` })
}

/** Undefined: no complete response head arrived. The response may come from a proxy instead of the store. */
function statusOf(error: unknown): number | undefined {
  const { $metadata } = (error ?? {}) as { $metadata?: { httpStatusCode?: number } }
  return $metadata?.httpStatusCode
}

const missingErrors: ReadonlySet<string> = new Set(['NoSuchKey', 'NoSuchBucket', 'NoSuchUpload'])

/** Some stores answer these with the status 400. */
const credentialErrors: ReadonlySet<string> = new Set([
  'AuthorizationHeaderMalformed',
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
  'TokenRefreshRequired',
])

/** A name for people, such as `ECONNREFUSED` or `NoSuchBucket`; never a text from outside. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  const name: unknown = typeof code === 'string' && !isOfStore(error) ? code : error.name
  return typeof name === 'string' && /^[A-Za-z0-9_.]{1,60}$/.test(name) ? name : 'unknown'
}

function isOfFileSystem(error: unknown): boolean {
  if (!(error instanceof Error) || isOfStore(error)) return false
  return 'path' in error || (error as { code?: unknown }).code === 'ENOSPC'
}

/** The client copies every field that the store sends into its errors, so their other properties prove nothing. */
function isOfStore(error: Error): boolean {
  return error instanceof s3().S3ServiceException
}
