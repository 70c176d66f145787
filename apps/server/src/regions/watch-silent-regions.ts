/**
 * For an operation over many rooms that begins no room where a region does not answer, because each would fail only after
 * many tries. It asks these regions every 5 s, because nothing else may call them, and lets the operation go on when they
 * answer.
 */
import { because } from '@roomkeeper/contract'
import type { StepCall } from '#operations/index.ts'
import { mapConcurrently } from '#platform/map-concurrently.ts'

export interface SilentRegion {
  id: number
  name: string
}

interface Watch {
  /** The regions that rooms of the operation wait for. */
  find: () => Promise<SilentRegion[]>
  /** Tells pages to load the progress again. */
  announce: () => Promise<void>
}

const everyMilliseconds = 5_000
const answerMilliseconds = 5_000
const mostAtOnce = 4

type Call = Pick<StepCall<unknown>, 'log' | 'services' | 'signal'>

/** @returns a function to call, as often as one likes, while rooms wait for a region */
export function watchSilentRegions(call: Call, { find, announce }: Watch): () => void {
  let told: readonly number[] = []
  let isLooking = false
  let lookedAt = Number.NEGATIVE_INFINITY
  const look = async () => {
    const silent = await find()
    for (const { id, name } of silent)
      if (!told.includes(id)) await call.log([because('log-waits-for-region', { region: name })], 'warning')
    told = silent.map(({ id }) => id)
    await announce()
    await mapConcurrently(silent, mostAtOnce, ({ id }) => ask(call, id))
  }
  return () => {
    if (isLooking || performance.now() - lookedAt < everyMilliseconds) return
    isLooking = true
    // A failure, such as of the database, is the loop's to see.
    void look()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false
        lookedAt = performance.now()
      })
  }
}

/** The call notes whether the region answers. */
async function ask({ services, signal }: Call, regionId: number): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(answerMilliseconds)])
  await services
    .connectRegion(regionId, limit)
    .then((region) => region.status())
    .catch(() => undefined)
}
