/** @throws what the first that fails throws; no further one is begun then, and those under way are waited for */
export async function eachConcurrently<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items]
  let failed: { error: unknown } | null = null
  const worker = async () => {
    for (let next = left.shift(); next !== undefined && failed === null; next = left.shift()) {
      await work(next).catch((error: unknown) => {
        failed ??= { error }
      })
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  if (failed !== null) throw (failed as { error: unknown }).error
}
