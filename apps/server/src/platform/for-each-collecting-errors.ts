/**
 * Runs for each item, one after the other; the failure of one does not stop the others.
 * @throws the first failure, at the end
 */
export async function forEachCollectingErrors<T>(items: Iterable<T>, run: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  for (const item of items) await run(item).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
