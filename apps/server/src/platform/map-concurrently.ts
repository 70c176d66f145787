import pLimit from 'p-limit'

/**
 * Runs the work for each item, at most `concurrency` at a time. After a failure no more work begins, and running work
 * is awaited, so that none continues behind the caller's back.
 * @returns the results in the order of the items. @throws the first failure
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const limit = pLimit({ concurrency, rejectOnClear: true })
  const failures: unknown[] = []
  const all = items.map((item) =>
    limit(async () => {
      try {
        return await work(item)
      } catch (error) {
        failures.push(error)
        limit.clearQueue()
        throw error
      }
    }),
  )
  await Promise.allSettled(all)
  if (failures.length > 0) throw failures[0]
  return Promise.all(all)
}
