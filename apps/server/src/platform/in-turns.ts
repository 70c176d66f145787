/** Does the work for each item, at most `atOnce` at a time. @returns the results in the order of the items */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const open = items.entries()
  const takeTurns = async () => {
    for (const [place, item] of open) results[place] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeTurns))
  return results
}
