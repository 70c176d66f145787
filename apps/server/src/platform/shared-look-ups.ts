/**
 * Lets look-ups of the same kind share statements. Each is answered by a statement that began after it was asked for, so
 * nobody is told what was true only before: this is no cache. Under load one statement serves all who came while the
 * one before was under way; a single look-up begins at once.
 */
import { releaseAfter } from './release-after.ts'

interface Asked<Key, Found> {
  key: Key
  resolve(found: Found): void
  reject(error: unknown): void
}

const mostAtOnce = 100

/**
 * @param find answers for each of the keys, in their order; what it throws is thrown to all of them
 * @returns the function that looks up one key
 */
export function sharedLookUps<Key, Found>(
  find: (keys: readonly Key[]) => Promise<readonly Found[]>,
): (key: Key) => Promise<Found> {
  const asked: Asked<Key, Found>[] = []
  let isHeldUp = false

  const begin = () => {
    const mine = asked.splice(0, mostAtOnce)
    if (mine.length === 0) return
    isHeldUp = true
    const finding = find(mine.map(({ key }) => key))
    releaseAfter(finding, () => {
      isHeldUp = false
      begin()
    })
    finding.then(
      (found) => {
        for (const [position, { resolve }] of mine.entries()) resolve(found[position] as Found)
      },
      (error: unknown) => {
        for (const { reject } of mine) reject(error)
      },
    )
  }
  return (key) =>
    new Promise<Found>((resolve, reject) => {
      asked.push({ key, resolve, reject })
      if (!isHeldUp) begin()
    })
}
