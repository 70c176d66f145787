import type { Edition } from '@roomkeeper/contract'

/** Every new room starts with this database, so it does not count as imported. */
const firstDatabase = 'main'

/** Why no database of this name can be added to a room that has the `present` ones, or null. */
export function whyNotImport(
  room: { edition: Edition },
  present: readonly string[],
  wanted: string,
): 'single-database' | 'database-taken' | null {
  const sameName = present.some((name) => name.toLowerCase() === wanted.toLowerCase())
  if (sameName) return 'database-taken'
  const imported = present.filter((name) => name !== firstDatabase)
  return room.edition === 'basic' && imported.length > 0 ? 'single-database' : null
}
