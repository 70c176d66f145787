/** Limits how often something is called, by whom, in the memory of this process: a bucket of calls that fills again. */

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

/** @returns a function that takes a call of `who`: null if it is allowed, else the seconds until the next one is */
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
