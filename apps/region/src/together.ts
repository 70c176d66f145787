/** Works that belong together: when one has failed, the others are ended, and nothing goes on afterwards. */

type Work<T> = (signal: AbortSignal) => Promise<T>

/** @param signal aborts all of them @throws what the first one failed with, once all have ended */
export async function together<A, B>(signal: AbortSignal, works: readonly [Work<A>, Work<B>]): Promise<[A, B]> {
  const failed = new AbortController()
  const both = AbortSignal.any([signal, failed.signal])
  const begin = <T>(work: Work<T>): Promise<T> =>
    work(both).catch((error: unknown) => {
      failed.abort(error)
      throw error
    })
  const begun = [begin(works[0]), begin(works[1])] as const
  try {
    return await Promise.all(begun)
  } finally {
    await Promise.allSettled(begun)
  }
}
