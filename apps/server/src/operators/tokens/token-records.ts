/**
 * What is recorded of calls with API tokens that are known: when and from where each token was used last, and the calls
 * that were refused.
 */

import { because, type TokenRefusal } from '@roomkeeper/contract'
import { actorOf } from '@roomkeeper/rules'
import { recordChange } from '#changes/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { networkOf } from '#platform/networks.ts'
import { pause, withTimeout } from '#platform/pause.ts'
import { isWithinRateLimit, type RateLimit, takeFromRateLimit } from '#platform/rate-limit.ts'
import type { KnownToken } from './known-token.ts'

const everySeconds = 60
const retryMilliseconds = 2_000

interface LastUses {
  note(token: Pick<KnownToken, 'id' | 'secondsSinceUse'>, address: string): void
  /** Writes what was noted. */
  close(): Promise<void>
}

interface Use {
  id: string
  from: string
  /** On the clock of `performance.now()`. */
  at: number
}

/** Uses are recorded to the minute, beside the calls: none of them waits for it. */
export function createLastUses(db: Db, log: Log): LastUses {
  const noted = new Map<string, Use>()
  const closing = new AbortController()
  let writing: Promise<void> | null = null

  const write = async () => {
    let mayGoOn = true
    while (noted.size > 0 && mayGoOn) {
      try {
        for (const use of noted.values()) {
          await writeUse(db, use)
          noted.delete(use.id)
        }
      } catch (error) {
        // The uses stay noted, so that none is lost while the database is away.
        log.warn({ err: error }, 'the last use of an API token could not be recorded yet')
        mayGoOn = !closing.signal.aborted
        await pause(retryMilliseconds, closing.signal)
      }
    }
    writing = null
  }
  return {
    note({ id, secondsSinceUse }, address) {
      if (noted.has(id) || (secondsSinceUse !== null && secondsSinceUse < everySeconds)) return
      noted.set(id, { id, from: address, at: performance.now() })
      writing ??= write()
    },
    async close() {
      closing.abort()
      await writing
    },
  }
}

/** Another process may have recorded a later one. */
async function writeUse(db: Db, { id, from, at }: Use): Promise<void> {
  await queryRows(
    db,
    `update api_tokens set last_used_at = now() - make_interval(secs => $3), last_used_from = $2
      where id = $1 and (last_used_at is null or last_used_at < now() - make_interval(secs => $3))`,
    [id, from, (performance.now() - at) / 1000],
  )
}

const longestWaitMilliseconds = 2_000

interface RefusalRecords {
  /** Ends when the call is recorded, or soon without: it is then recorded as soon as the database takes it. */
  record(refused: Omit<RefusedCall, 'at'>): Promise<void>
  /** Records what is left. */
  close(): Promise<void>
}

interface Unrecorded {
  calls: RefusedCalls
  /** Resolves when they are recorded, or could not be yet. */
  tried: PromiseWithResolvers<void>
}

/**
 * Records calls that were refused although their token is known, because the token may be stolen: the token keeps their
 * number and the last one, and the audit trail gets a limited number of entries. Each record waits for the row of its
 * token, which may take long where commits are slow. So a process makes one record at a time, on one connection, and
 * counts in memory the calls that come meanwhile.
 */
export function createRefusalRecords(database: Database, log: Log): RefusalRecords {
  /** The keys are the ids of the tokens. */
  const unrecorded = new Map<string, Unrecorded>()
  const closing = new AbortController()
  let writing: Promise<void> | null = null

  const putBack = (id: string, { calls }: Unrecorded) => {
    const since = unrecorded.get(id)
    if (since !== undefined) since.calls = joinCalls(calls, since.calls)
    else unrecorded.set(id, { calls, tried: Promise.withResolvers() })
  }
  const write = async () => {
    let mayGoOn = true
    while (mayGoOn) {
      const [next] = unrecorded
      if (next === undefined) break
      const [id, mine] = next
      unrecorded.delete(id)
      try {
        await database.transaction((tx) => recordRefusals(tx, mine.calls))
        mine.tried.resolve()
      } catch (error) {
        putBack(id, mine)
        mine.tried.resolve()
        log.warn({ err: error }, 'refused calls with an API token could not be recorded yet')
        mayGoOn = !closing.signal.aborted
        await pause(retryMilliseconds, closing.signal)
      }
    }
    writing = null
  }
  const note = (refused: RefusedCall): Promise<void> => {
    const id = refused.token.id
    const before = unrecorded.get(id)
    const noted = before ?? { calls: callsOf(refused), tried: Promise.withResolvers<void>() }
    if (before === undefined) unrecorded.set(id, noted)
    else before.calls = joinCalls(before.calls, callsOf(refused))
    writing ??= write()
    return noted.tried.promise
  }
  return {
    async record(refused) {
      await withTimeout(longestWaitMilliseconds, note({ ...refused, at: performance.now() }))
    },
    async close() {
      closing.abort()
      await writing
    },
  }
}

interface RefusedCall {
  token: Pick<KnownToken, 'id' | 'tokenName' | 'email'>
  why: TokenRefusal
  address: string
  requestId: string
  /** On the clock of `performance.now()`. */
  at: number
}

/** Calls with the same token. */
interface RefusedCalls {
  times: number
  last: RefusedCall
  /** The first one for each reason from each network; no more than may have an entry in the audit trail. */
  firsts: Map<string, RefusedCall>
}

/** The limit is per token, reason and network. */
const perNetwork: RateLimit = { what: 'token-refused-from', most: 1, withinSeconds: 3600 }
/** The limit is per token, because its holder may use many networks. */
const perToken: RateLimit = { what: 'token-refused', most: 20, withinSeconds: 3600 }

function callsOf(call: RefusedCall): RefusedCalls {
  return { times: 1, last: call, firsts: new Map([[keyOf(call), call]]) }
}

function joinCalls(earlier: RefusedCalls, later: RefusedCalls): RefusedCalls {
  const firsts = new Map(earlier.firsts)
  for (const [key, call] of later.firsts) if (!firsts.has(key) && firsts.size < perToken.most) firsts.set(key, call)
  return { times: earlier.times + later.times, last: later.last, firsts }
}

async function recordRefusals(tx: Tx, { times, last, firsts }: RefusedCalls): Promise<void> {
  // Another process may have recorded a later one.
  await queryRows(
    tx,
    `update api_tokens set refused_times = refused_times + $2, refused_at = greatest(refused_at, call.at),
            refused_from = case when refused_at > call.at then refused_from else $3 end,
            refused_why = case when refused_at > call.at then refused_why else $4 end
       from (select now() - make_interval(secs => $5) as at) as call
      where id = $1`,
    [last.token.id, times, last.address, last.why, (performance.now() - last.at) / 1000],
  )
  for (const first of firsts.values()) if (await mayBeAudited(tx, first)) await recordChange(tx, entryOf(first))
}

/** The row of the token, which is locked, puts its calls in order. */
async function mayBeAudited(tx: Tx, refused: RefusedCall): Promise<boolean> {
  return (
    // First, because each network leaves a row.
    (await isWithinRateLimit(tx, perToken, refused.token.id)) &&
    (await takeFromRateLimit(tx, perNetwork, keyOf(refused))) &&
    (await takeFromRateLimit(tx, perToken, refused.token.id))
  )
}

function keyOf({ token, why, address }: RefusedCall): string {
  return `${token.id} ${why} ${networkOf(address)}`
}

function entryOf({ token, why, address, requestId }: RefusedCall) {
  const actor = actorOf(token.email, token.tokenName)
  return { actor, kind: 'token.refused' as const, detail: because(`audit-token-${why}`, { address }), requestId }
}
