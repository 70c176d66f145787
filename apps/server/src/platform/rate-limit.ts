/** Rate limits: such as 10 a minute, counted by the database for all processes; or by the second, in this process. */
import { type Db, queryRows } from './database.ts'

export interface RateLimit {
  /** The name of the limit, such as `find-customer-room`. */
  what: string
  most: number
  withinSeconds: number
}

/**
 * @param who whose calls are counted, such as an address or an e-mail
 * @returns whether the call is within the limit; a refused call does not count, so that a caller who waits gets through
 */
export async function takeFromRateLimit(
  db: Db,
  { what, most, withinSeconds }: RateLimit,
  who: string,
): Promise<boolean> {
  // One row holds all times of calls; its row lock orders simultaneous callers.
  const [row] = await queryRows<{ wasRefused: boolean }>(
    db,
    `insert into rate_limit_hits as known (limit_name, caller, hits) values ($1, $2, array[clock_timestamp()])
     on conflict (limit_name, caller) do update set (hits, was_refused, last_at) = (
       select case when count(*) < $3 then array_agg(recent) || clock_timestamp() else array_agg(recent) end,
              count(*) >= $3, clock_timestamp()
       from unnest(known.hits) as recent where recent between clock_timestamp() - make_interval(secs => $4) and clock_timestamp()
     )
     returning was_refused`,
    [what, who, most, withinSeconds],
  )
  return row?.wasRefused === false
}

/** Whether `takeFromRateLimit` would say yes now. Counts nothing, and leaves no row. */
export async function isWithinRateLimit(db: Db, limit: RateLimit, who: string): Promise<boolean> {
  const [row] = await queryRows<{ taken: number }>(
    db,
    `select count(*)::int as taken from rate_limit_hits, unnest(hits) as recent
      where limit_name = $1 and caller = $2 and recent between clock_timestamp() - make_interval(secs => $3) and clock_timestamp()`,
    [limit.what, who, limit.withinSeconds],
  )
  return (row?.taken ?? 0) < limit.most
}

/** @param olderThanSeconds at least as long as the longest limit */
export async function removeOldRateLimits(db: Db, olderThanSeconds: number): Promise<void> {
  // Locked rows are in use. Waiting for several of them could end in a deadlock.
  await queryRows(
    db,
    `delete from rate_limit_hits where (limit_name, caller) in (
       select limit_name, caller from rate_limit_hits where last_at < now() - make_interval(secs => $1) for update skip locked)`,
    [olderThanSeconds],
  )
}

export interface CallLimitOptions {
  perSecond: number
  /** As many calls as may come at once. */
  burst: number
}

interface Bucket {
  calls: number
  /** Milliseconds, when it held so many. */
  at: number
}

/**
 * A bucket of calls for each caller, in the memory of this process, that fills again.
 * @returns a function that takes a call of `who`: null if it is allowed, else the seconds until the next one is
 */
export function createCallLimit(
  { perSecond, burst }: CallLimitOptions,
  now: () => number = () => performance.now(),
): (who: string) => number | null {
  const buckets = new Map<string, Bucket>()
  const callsIn = ({ calls, at }: Bucket) => Math.min(burst, calls + ((now() - at) / 1000) * perSecond)
  return (who) => {
    forgetFull(buckets, (bucket) => callsIn(bucket) >= burst)
    const calls = callsIn(buckets.get(who) ?? { calls: burst, at: now() })
    const isThere = calls >= 1
    buckets.delete(who)
    buckets.set(who, { calls: isThere ? calls - 1 : calls, at: now() })
    return isThere ? null : Math.ceil((1 - calls) / perSecond)
  }
}

/** Buckets are ordered by last use, so the full ones are at the front. */
function forgetFull(buckets: Map<string, Bucket>, isFull: (bucket: Bucket) => boolean): void {
  for (const [who, bucket] of buckets) {
    if (!isFull(bucket)) return
    buckets.delete(who)
  }
}
