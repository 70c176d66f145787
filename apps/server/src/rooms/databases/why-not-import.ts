import type { Edition } from '@roomkeeper/contract'

/** The database that a new room starts with does not count as imported. */
const firstDatabase = 'main'

/** Why a room with these databases cannot take one more of this name, or null. */
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
