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
  type RegionRouteName,
  type RegionStatus,
  RegionUnreachable,
  regionRoutes,
  type SharedLogin,
} from '@roomkeeper/region-protocol'
import { currentSpan, inSpan, isTracing, type Span } from '@roomkeeper/tracing'
import { RegionLoginRefused } from '#operations/index.ts'
import { type Db, queryRows } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { refuse } from '#platform/refuse.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { sharedLookUps } from '#platform/shared-reads.ts'
import { recordUnanswered, refuseLateCalls } from './late-calls.ts'
import { isRegionError } from './region-failures.ts'
import { createHealthNotes, type HealthNotes, type NotedRegion } from './region-health.ts'
import { checkInstance } from './region-instance.ts'
import type { StoredRegion } from './stored-region.ts'

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

interface FoundRegion extends NotedRegion, Pick<StoredRegion, 'name' | 'userName' | 'password' | 'instanceId'> {
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

/** The names that regions have in the console, by the clients that are connected to them. */
const clientNames = new WeakMap<RegionClient, string>()

/** Undefined for clients of regions that are not registered (yet). */
export function nameOfClient(client: RegionClient): string | undefined {
  return clientNames.get(client)
}

/** @returns the same client */
function nameRegion(client: RegionClient, name: string): RegionClient {
  clientNames.set(client, name)
  return client
}

/** Connections of a drill: every region counts as one that does not answer, and nothing is sent to it. */
export function drillConnections(): ConnectRegion {
  const calls = Object.keys(createRegionClient({ url: 'http://drill.invalid', userName: '', password: '' }))
  const refused = async () => {
    throw new RegionUnreachable('this console is a drill')
  }
  const client = Object.fromEntries(calls.map((name) => [name, refused])) as unknown as RegionClient
  return async () => client
}

const answerMilliseconds = 3000

/** Asks all regions whose id is unknown; it stays unknown if the region does not answer or has none. */
export async function learnInstances(db: Db, connectRegion: ConnectRegion, regionIds?: number[]): Promise<void> {
  const unknown = await queryRows<{ id: number }>(
    db,
    'select id from regions where instance_id is null and ($1::integer[] is null or id = any($1))',
    [regionIds ?? null],
  )
  const signal = AbortSignal.timeout(answerMilliseconds)
  await Promise.allSettled(unknown.map(async ({ id }) => (await connectRegion(id, signal)).status()))
}

type Traced = NonNullable<RegionClientOptions['traced']>

/** The limit is per step: a step with more calls, such as a comparison of all rooms, would make an unreadable trace. */
const mostCalls = 200
const callsWithin = new WeakMap<Span, number>()

/**
 * Adds a span, which the region continues, for each call to a region that belongs to a trace.
 * @param region its name
 */
function traceRegionCalls(region: string): Traced {
  return async (call, send) => {
    const parent = currentSpan()
    if (parent === null || !isWorthASpan(parent, call)) return send({})
    const { method, path } = regionRoutes[call]
    const attributes = { 'http.request.method': method, 'url.template': path, 'roomkeeper.region.name': region }
    const outcome = await inSpan(`${method} ${path}`, { kind: 'client', attributes }, async (span) => {
      try {
        const response = await send(span === null ? {} : { traceparent: span.traceparent })
        span?.set({ 'http.response.status_code': response.status })
        // Not with a refusal: whether a name is free, say, is asked in the hope of a 404.
        if (response.status >= 500) span?.fail(String(response.status))
        return { response }
      } catch (error) {
        if (wasBrokenOff(error)) span?.set({ 'roomkeeper.end': 'broken-off' })
        else span?.fail('no answer')
        return { error }
      }
    })
    if ('error' in outcome) throw outcome.error
    return outcome.response
  }
}

/**
 * Whether the caller broke the call off, as when the worker stops or the operation is cancelled: no failure of the
 * region.
 */
function wasBrokenOff(error: unknown): boolean {
  return error instanceof DOMException && error.code === DOMException.ABORT_ERR
}

function isWorthASpan(parent: Span, call: RegionRouteName): boolean {
  // Whether a job has ended is asked again and again; the job has a span of its own.
  if (call === 'job') return false
  const calls = (callsWithin.get(parent) ?? 0) + 1
  callsWithin.set(parent, calls)
  if (calls > mostCalls) parent.set({ 'roomkeeper.region.calls_without_span': calls - mostCalls })
  return calls <= mostCalls
}
