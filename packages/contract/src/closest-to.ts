import { longestName } from './shortened.ts'

/** The word that was probably meant, or null: at most half of its letters have to change. */
export function closestTo(given: string, words: readonly string[]): string | null {
  // The time grows with the length.
  if (given.length > longestName) return null
  const distances = words.map((word) => ({ word, distance: editDistance(given.toLowerCase(), word.toLowerCase()) }))
  const near = distances.filter(({ word, distance }) => distance <= word.length / 2)
  const [best] = near.sort((one, other) => one.distance - other.distance)
  return best?.word ?? null
}

/** How many letters have to be put in, left out or replaced. */
function editDistance(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (before[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, (before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    before = row
  }
  return before[other.length] ?? 0
}
