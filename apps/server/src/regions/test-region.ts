/** Signs in to a region and asks what it is; says exactly what failed, in words of our own. */
import type { RegionTest, RegionTestResult } from '@roomkeeper/contract'
import {
  createRegionClient,
  NoRegionAnswers,
  type RegionAddress,
  RegionRefusal,
  RegionUnreachable,
  typeOfRegion,
} from '@roomkeeper/region-protocol'
import type { Db } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import type { RegionParts } from './change-region.ts'
import { checkPasswords, checkUrl } from './check-region-draft.ts'
import { findRegionOf, learnInstances } from './region-instance.ts'
import type { StoredRegion } from './stored-region.ts'

const timeoutSeconds = 10

/**
 * With `id`, what is not sent is as stored; a stored password goes nowhere but to its own region and account.
 * @throws Refusal `region-unknown`, `invalid-input`, `region-refused` with the reason, `server-registered`
 */
export async function testRegion(parts: RegionParts, test: RegionTest): Promise<RegionTestResult> {
  const stored = test.id === undefined ? null : await findStored(parts.database.db, test.id)
  const address = addressOf(parts, test, stored)
  const began = performance.now()
  const status = createRegionClient(address, { timeoutSeconds }).status()
  const { version, products, instanceId } = await status.catch((error: unknown) => {
    throw refuse('region-refused', { reason: reasonOf(error, address) })
  })
  const latencyMs = Math.round((performance.now() - began) * 10) / 10
  const known = stored?.instanceId ?? null
  if (instanceId !== null && instanceId !== known) {
    await learnInstances(parts.database.db, parts.connectRegion)
    const region = await findRegionOf(parts.database.db, instanceId, test.id)
    // Rows from before may name one server twice; that is no new registration.
    const isNew = stored === null || stored.url !== address.url
    if (region !== null && isNew) throw refuse('server-registered', { region })
  }
  return { ok: true, version, products, latencyMs, isOtherServer: known !== null && instanceId !== known }
}

type Stored = Pick<StoredRegion, 'url' | 'userName' | 'password' | 'instanceId'>

function addressOf({ secrets, allowHttp }: RegionParts, test: RegionTest, stored: Stored | null): RegionAddress {
  const url = test.regionIPorURL === undefined ? undefined : checkUrl(test.regionIPorURL, allowHttp)
  if (stored === null) {
    return { url: url ?? '', userName: test.userName ?? 'superuser', password: test.password }
  }
  const wanted = { url: url ?? stored.url, userName: test.userName ?? stored.userName }
  checkPasswords(stored, wanted, test)
  const password = test.password === '' ? secrets.open(stored.password).reveal() : test.password
  return { url: wanted.url, userName: wanted.userName, password }
}

async function findStored(db: Db, id: number): Promise<Stored> {
  const row = await db
    .selectFrom('regions')
    .select(['url', 'userName', 'password', 'instanceId'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw refuse('region-unknown', { region: id })
  return row
}

/** Nothing of what the other side said is repeated: it may be anything, and need not be a region. */
function reasonOf(error: unknown, { url }: RegionAddress): string {
  const { host, hostname } = new URL(url)
  if (error instanceof NoRegionAnswers) return whatAnswers(error.status, host)
  if (error instanceof RegionUnreachable) return whyUnreachable(error.reason, host, hostname)
  if (!(error instanceof RegionRefusal)) throw error
  if (error.status === 401) return `${host} is a region, but it does not accept this user name and password.`
  if (error.type.startsWith(typeOfRegion)) return `The region at ${host} answers with ${error.status}.`
  return whatAnswers(error.status, host)
}

function whatAnswers(status: number, host: string): string {
  if (status >= 300 && status < 400) return `${host} answers with a redirect, which is not followed.`
  return `${host} answers, but it is not a region (status ${status}).`
}

function whyUnreachable(code: string, host: string, hostname: string): string {
  if (['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME'].includes(code)) return `The name ${hostname} is not found.`
  if (code === 'bad port') return `The port of ${host} belongs to another protocol and is never used for HTTP.`
  if (code === 'ECONNREFUSED') return `${host} refuses the connection: nothing listens there.`
  if (['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EADDRNOTAVAIL'].includes(code))
    return `There is no way to ${host} in the network (${code}).`
  if (/timeout|ETIMEDOUT|_TIMEOUT$/.test(code)) return `${host} did not answer within ${timeoutSeconds} seconds.`
  if (['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code)) return `${host} closed the connection (${code}).`
  if (/^HPE_|^HTTPParserError$/.test(code)) return `${host} answers, but it is not a region: it does not speak HTTP.`
  if (tlsCode.test(code)) return `The secure connection (TLS) to ${host} failed: ${tlsTexts[code] ?? code}.`
  return `${host} cannot be reached (${code}).`
}

const tlsCode = /CERT|SSL|TLS|EPROTO|SELF_SIGNED|UNABLE_TO_|CRL|ISSUER|HOSTNAME_MISMATCH|INVALID_CA|CHAIN/
const tlsTexts: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an authority that is not trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS on this port',
}
