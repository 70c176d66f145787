/** Writes down the calls with a token that were refused: their number, the last one, and entries in the audit trail. */
import { because, type TokenRefusal } from '@roomkeeper/contract'
import { actorOf } from '@roomkeeper/rules'
import { recordChange } from '#changes/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { networkOf } from '#platform/networks.ts'
import { isWithinRateLimit, type RateLimit, takeFromRateLimit } from '#platform/rate-limit.ts'
import type { KnownToken } from './known-token.ts'

export interface RefusedCall {
  token: Pick<KnownToken, 'id' | 'tokenName' | 'email'>
  why: TokenRefusal
  address: string
  requestId: string
  /** On the clock of `performance.now()`. */
  at: number
}

/** Calls with the same token. */
export interface RefusedCalls {
  times: number
  last: RefusedCall
  /** The first one for each reason from each network; no more than may have an entry in the audit trail. */
  firsts: Map<string, RefusedCall>
}

/** Of one token, for one reason, from one network. */
const perNetwork: RateLimit = { what: 'token-refused-from', most: 1, withinSeconds: 3600 }
/** Of one token: whoever has it may have many networks. */
const perToken: RateLimit = { what: 'token-refused', most: 20, withinSeconds: 3600 }

export function callsOf(call: RefusedCall): RefusedCalls {
  return { times: 1, last: call, firsts: new Map([[keyOf(call), call]]) }
}

export function joinCalls(earlier: RefusedCalls, later: RefusedCalls): RefusedCalls {
  const firsts = new Map(earlier.firsts)
  for (const [key, call] of later.firsts) if (!firsts.has(key) && firsts.size < perToken.most) firsts.set(key, call)
  return { times: earlier.times + later.times, last: later.last, firsts }
}

export async function recordRefusals(tx: Tx, { times, last, firsts }: RefusedCalls): Promise<void> {
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
