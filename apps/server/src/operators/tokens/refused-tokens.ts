/**
 * What is kept of calls that were refused although their token is known, because somebody may have stolen it: the number
 * of them and the last one with the token, and entries in the audit trail, of which nobody can cause many.
 */
import type { TokenRefusal } from '@roomkeeper/contract'
import { actorOf } from '@roomkeeper/rules'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { networkOf } from '#platform/network-of.ts'
import { isWithinRateLimit, type RateLimit, takeFromRateLimit } from '#platform/rate-limit.ts'
import { sharedLookUps } from '#platform/shared-look-ups.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { KnownToken } from './known-token.ts'

export interface RefusedCall {
  token: Pick<KnownToken, 'id' | 'tokenName' | 'email'>
  why: TokenRefusal
  address: string
  requestId: string
}

/** Of one token, for one reason, from one network. */
const perNetwork: RateLimit = { what: 'token-refused-from', most: 1, withinSeconds: 3600 }
/** Of one token: whoever has it may have many networks. */
const perToken: RateLimit = { what: 'token-refused', most: 20, withinSeconds: 3600 }

/** @returns records a call before it is answered. Calls that come at once share a transaction */
export function createRefusalRecords(database: Database): (refused: RefusedCall) => Promise<void> {
  return sharedLookUps(async (calls: readonly RefusedCall[]) => {
    await database.transaction(async (tx) => {
      // All transactions lock in the same order.
      for (const ofToken of groupedBy(calls, ({ token }) => token.id)) await recordCalls(tx, ofToken)
    })
    return calls.map(() => undefined)
  })
}

async function recordCalls(tx: Tx, calls: readonly [RefusedCall, ...RefusedCall[]]): Promise<void> {
  const last = calls.at(-1) ?? calls[0]
  await queryRows(
    tx,
    `update api_tokens set refused_times = refused_times + $2, refused_at = now(), refused_from = $3, refused_why = $4
      where id = $1`,
    [last.token.id, calls.length, last.address, last.why],
  )
  for (const [first] of groupedBy(calls, keyOf)) {
    if (await mayBeAudited(tx, first)) await recordAudit(tx, entryOf(first))
  }
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
  return { actor, action: 'token.refused', detail: `${why}, from ${address}`, requestId }
}

/** By key. */
function groupedBy<Each>(all: readonly Each[], keyOfEach: (each: Each) => string): [Each, ...Each[]][] {
  const groups = Map.groupBy(all, keyOfEach)
  return [...groups.keys()].toSorted().map((key) => groups.get(key) as [Each, ...Each[]])
}
