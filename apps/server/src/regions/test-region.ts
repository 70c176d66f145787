/** Signs in to a region, asks for its status and checks both passwords; says exactly what failed, in our own texts. */
import { randomUUID } from 'node:crypto'
import {
  because,
  type CodedReason,
  type RegionHealth,
  type RegionTest,
  type RegionTestResult,
} from '@roomkeeper/contract'
import {
  createRegionClient,
  NotARegion,
  type RegionAddress,
  type RegionClient,
  RegionRefusal,
  RegionUnreachable,
  refusalTypePrefix,
  WrongForm,
} from '@roomkeeper/region-protocol'
import { type Db, queryRows } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { isTlsError } from '#platform/system-error.ts'
import { checkPasswords, checkUrl, type RegionParts } from './change-region.ts'
import { learnInstances } from './connect-region.ts'
import { writeHealth } from './region-health.ts'
import { findRegionOf } from './region-instance.ts'
import type { StoredRegion } from './stored-region.ts'

const timeoutSeconds = 10

/**
 * With `id`, missing fields are taken from the stored region; its password is sent only to its own address and account.
 * @throws Refusal `region-unknown`, `invalid-input`, `region-refused` with the reason, `server-registered`
 */
export async function testRegion(parts: RegionParts, test: RegionTest): Promise<RegionTestResult> {
  const stored = test.id === undefined ? null : await findStored(parts.database.db, test.id)
  const { address, systemPassword } = loginOf(parts, test, stored)
  const began = performance.now()
  const region = createRegionClient(address, { timeoutSeconds })
  const isStored = stored !== null && isStoredLogin(test, stored, address)
  const note = async (health: RegionHealth, told: string | null) => {
    if (isStored) await writeHealth(parts.database.db, stored, health, told)
  }
  const status = region.status()
  const { version, products, instanceId } = await status.catch(async (error: unknown) => {
    const health = healthAfter(error)
    if (health !== null) await note(health, null)
    throw refuse('region-refused', { reason: reasonOf(error, address) })
  })
  const latencyMs = Math.round((performance.now() - began) * 10) / 10
  const known = stored?.instanceId ?? null
  await note('answers', version)
  if (instanceId !== null && instanceId !== known) {
    await learnInstances(parts.database.db, parts.connectRegion)
    const other = await findRegionOf(parts.database.db, instanceId, test.id)
    // Two old rows may name the same server; testing one of them is not a new registration.
    const isNew = stored === null || stored.url !== address.url
    if (other !== null && isNew) throw refuse('server-registered', { region: other })
  }
  await checkSystemPassword(region, systemPassword, address)
  return { ok: true, version, products, latencyMs, isOtherServer: known !== null && instanceId !== known }
}

/**
 * The protocol checks the system password only where it is used: at an update of a room's system database. The room that
 * is named here is nowhere, so a region that accepts the password refuses the room, and nothing begins.
 */
async function checkSystemPassword(region: RegionClient, password: string, address: RegionAddress): Promise<void> {
  const nowhere = { room: 'testconnection', roomId: randomUUID() }
  try {
    const job = { type: 'updateSystemDatabase', ...nowhere, systemPassword: password } as const
    await region.startJob(`test-${randomUUID()}`, job)
  } catch (error) {
    if (error instanceof RegionRefusal && refusedRooms.has(error.type)) return
    throw refuse('region-refused', { reason: reasonOf(error, address) })
  }
}

const refusedRooms = new Set(['room-unknown', 'room-differs'].map((code) => `${refusalTypePrefix}${code}`))

/** Whether the region was called as it is stored, so that the outcome tells about its health. */
function isStoredLogin({ password }: RegionTest, stored: Stored, { url, userName }: RegionAddress): boolean {
  return password === '' && url === stored.url && userName === stored.userName
}

function healthAfter(error: unknown): RegionHealth | null {
  if (error instanceof RegionRefusal) return error.status === 401 ? 'refuses-login' : null
  return error instanceof RegionUnreachable && !(error instanceof NotARegion) ? 'unreachable' : null
}

interface Stored extends Pick<StoredRegion, 'id' | 'url' | 'userName' | 'password' | 'instanceId'> {
  systemPassword: string
}

interface Login {
  address: RegionAddress
  systemPassword: string
}

function loginOf({ secrets, allowHttp }: RegionParts, test: RegionTest, stored: Stored | null): Login {
  const url = test.regionIPorURL === undefined ? undefined : checkUrl(test.regionIPorURL, allowHttp)
  if (stored === null) {
    const address = { url: url ?? '', userName: test.userName ?? 'superuser', password: test.password }
    return { address, systemPassword: test.passwordSystem }
  }
  const wanted = { url: url ?? stored.url, userName: test.userName ?? stored.userName }
  checkPasswords(stored, wanted, test)
  const sentOr = (sent: string, kept: string) => (sent === '' ? secrets.open(kept).reveal() : sent)
  return {
    address: { ...wanted, password: sentOr(test.password, stored.password) },
    systemPassword: sentOr(test.passwordSystem, stored.systemPassword),
  }
}

async function findStored(db: Db, id: number): Promise<Stored> {
  const [row] = await queryRows<Stored>(
    db,
    'select id, url, user_name, password, system_password, instance_id from regions where id = $1',
    [id],
  )
  if (row === undefined) throw refuse('region-unknown', { region: id })
  return row
}

/** Never repeats the text of an answer: the server need not be a region, and its text may be anything. */
function reasonOf(error: unknown, { url }: RegionAddress): CodedReason {
  const { host, hostname } = new URL(url)
  if (error instanceof NotARegion) return whatAnswers(error.status, host)
  if (error instanceof RegionUnreachable) return whyUnreachable(error.reason, host, hostname)
  // Its text names fields of the protocol only. 200 is the only success with a body.
  if (error instanceof WrongForm)
    return because('with-next', { reason: whatAnswers(200, host), next: because('told', { told: error.message }) })
  if (!(error instanceof RegionRefusal)) throw error
  const { status } = error
  if (status === 401) return because('region-denies', { host })
  if (error.type === `${refusalTypePrefix}wrong-system-password`) return because('region-denies-system', { host })
  if (error.type.startsWith(refusalTypePrefix)) return because('region-answers', { host, status })
  return whatAnswers(status, host)
}

function whatAnswers(status: number, host: string): CodedReason {
  return status >= 300 && status < 400
    ? because('host-redirects', { host })
    : because('host-no-region', { host, status })
}

function whyUnreachable(error: string, host: string, hostname: string): CodedReason {
  if (['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME'].includes(error))
    return because('host-not-found', { host: hostname })
  if (error === 'bad port') return because('port-forbidden', { host })
  if (error === 'ECONNREFUSED') return because('nothing-listens', { host })
  if (['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EADDRNOTAVAIL'].includes(error))
    return because('no-way-to-host', { host, error })
  if (/timeout|ETIMEDOUT|_TIMEOUT$/.test(error)) return because('host-too-slow', { host, seconds: timeoutSeconds })
  if (['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(error)) return because('host-closed', { host, error })
  if (/^HPE_|^HTTPParserError$/.test(error)) return because('host-no-http', { host })
  if (isTlsError(error)) return because('tls-failed', { host, reason: whyNoTls(error) })
  return because('host-unreachable', { host, error })
}

function whyNoTls(error: string): CodedReason {
  const known = tlsReasons.get(error)
  return known === undefined ? because('told', { told: error }) : because(known)
}

const tlsReasons = new Map(
  Object.entries({
    DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate-self-signed',
    SELF_SIGNED_CERT_IN_CHAIN: 'certificate-untrusted',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate-untrusted',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate-untrusted',
    CERT_HAS_EXPIRED: 'certificate-expired',
    CERT_NOT_YET_VALID: 'certificate-not-yet-valid',
    ERR_TLS_CERT_ALTNAME_INVALID: 'certificate-of-other-name',
    ERR_SSL_WRONG_VERSION_NUMBER: 'no-tls',
    ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no-tls',
  } as const),
)
