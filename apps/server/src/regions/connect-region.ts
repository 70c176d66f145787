/**
 * Connections to regions. All clients with the same region and stored login share one session; each sign-in checks that
 * the server that answers is the region itself.
 */
import {
  type CallMark,
  createRegionClient,
  type RegionClient,
  type RegionClientOptions,
  RegionRefusal,
  type RegionStatus,
  type SharedLogin,
} from '@roomkeeper/region-protocol'
import { isTracing } from '@roomkeeper/tracing'
import type { Selectable } from 'kysely'
import { RegionLoginRefused } from '#operations/index.ts'
import { type Db, queryRows } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { refuse } from '#platform/refuse.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { sharedLookUps } from '#platform/shared-reads.ts'
import { recordUnanswered, refuseLateCalls } from './late-calls.ts'
import { nameRegion } from './named-region.ts'
import { createHealthNotes, type HealthNotes } from './region-health.ts'
import { checkInstance } from './region-instance.ts'
import type { RegionsTable } from './tables.ts'
import { traceRegionCalls } from './trace-region-calls.ts'
import { isRegionError } from './try-on-region.ts'

/**
 * @param signal aborts the calls of this client
 * @param how `plain`: neither refuses late calls first nor records unanswered calls; for calls that raise fences
 * @throws Refusal `region-unknown`
 */
export type ConnectRegion = (regionId: number, signal?: AbortSignal, how?: 'plain') => Promise<RegionClient>

export function createRegionConnections(
  db: Db,
  secrets: SecretBox,
  log: Log,
  notes: HealthNotes = createHealthNotes(db, log),
): ConnectRegion {
  const kept = new Map<number, { stored: string; login: SharedLogin }>()
  const lookUp = sharedLookUps(async (ids: readonly number[]) => {
    const found = await findRegions(db, ids)
    return ids.map((id) => found.find((region) => region.id === id))
  })
  return async (regionId, signal, how) => {
    const region = await lookUp(regionId)
    if (region === undefined) throw refuse('region-unknown', { region: regionId })
    const { name: _, owed, health: __, softwareVersion: ___, ...decisive } = region
    const stored = JSON.stringify(decisive)
    const known = kept.get(regionId)
    const login = known?.stored === stored ? known.login : { token: null }
    kept.set(regionId, { stored, login })
    const address = { url: region.url, userName: region.userName, password: secrets.open(region.password).reveal() }
    notes.read(region)
    const onSignIn = (status: RegionStatus) => {
      notes.note(region, 'answers', { version: status.version })
      return checkInstance(db, log, region, status.instanceId)
    }
    const signInRefused = (refusal: Error) => {
      if (!(refusal instanceof RegionRefusal && refusal.status === 401)) return refusal
      notes.note(region, 'refuses-login')
      return new RegionLoginRefused(region.name, refusal)
    }
    const onOutcome = (outcome: 'answers' | 'unreachable', begunAt: number) => notes.note(region, outcome, { begunAt })
    const options = {
      region: region.name,
      ...(isTracing() ? { traced: traceRegionCalls(region.name) } : {}),
      login,
      onSignIn,
      signInRefused,
      onOutcome,
      ...(signal === undefined ? {} : { signal }),
    }
    const plain = createRegionClient(address, options)
    const around = aroundCalls(db, regionId, owed ? plain : null)
    const client = namedIn(how === 'plain' ? plain : createRegionClient(address, { ...options, around }), region.name)
    const checked: RegionClient = {
      ...client,
      // Status calls check the instance again: a session may outlive a change of servers.
      async status() {
        const status = await client.status()
        await onSignIn(status).catch((error: unknown) => {
          login.token = null
          throw error
        })
        return status
      },
    }
    return nameRegion(checked, region.name)
  }
}

interface FoundRegion
  extends Pick<
    Selectable<RegionsTable>,
    'id' | 'name' | 'url' | 'userName' | 'password' | 'instanceId' | 'health' | 'softwareVersion'
  > {
  /** Whether the region has to be told to refuse late calls. */
  owed: boolean
}

function findRegions(db: Db, ids: readonly number[]): Promise<FoundRegion[]> {
  const [id, ...more] = new Set(ids)
  return more.length === 0
    ? queryRows<FoundRegion>(db, regionById, [id])
    : queryRows<FoundRegion>(db, regionsById, [[id, ...more]])
}

const foundRegions = `
  select id, name, url, user_name, password, instance_id, health, software_version,
         exists (select from late_calls where late_calls.region_id = regions.id) as owed
    from regions where id =`
/** Nearly always it is one. For a list of ids, PostgreSQL prefers to plan anew each time. */
const regionById = `${foundRegions} $1`
const regionsById = `${foundRegions} any($1::int[])`

/** Errors of the client's calls tell the region's name. */
function namedIn(client: RegionClient, region: string): RegionClient {
  const named =
    (call: (...given: unknown[]) => Promise<unknown>) =>
    async (...given: unknown[]) => {
      try {
        return await call(...given)
      } catch (error) {
        if (isRegionError(error)) error.region ??= region
        throw error
      }
    }
  return Object.fromEntries(
    Object.entries(client).map(([name, call]) => [name, named(call)]),
  ) as unknown as RegionClient
}

/** @param plain the client that tells the region to refuse late calls first; null: there are none to refuse */
function aroundCalls(db: Db, regionId: number, plain: RegionClient | null): NonNullable<RegionClientOptions['around']> {
  const refused = new Map<string, Promise<void>>()
  /** Simultaneous calls wait for the same refusal. */
  const refuseOnce = (region: RegionClient, mark: CallMark): Promise<void> => {
    const known = refused.get(mark.operation)
    if (known !== undefined) return known
    const begun = refuseLateCalls(db, region, regionId, mark)
    refused.set(mark.operation, begun)
    begun.catch(() => refused.delete(mark.operation))
    return begun
  }
  return async (mark, send) => {
    if (plain !== null) await refuseOnce(plain, mark)
    try {
      return await send()
    } catch (error) {
      recordUnanswered(mark, regionId, error)
      throw error
    }
  }
}
