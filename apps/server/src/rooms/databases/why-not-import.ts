import type { Edition } from '@roomkeeper/contract'
import { refusals } from '@roomkeeper/contract'

interface ImportReason {
  code: 'single-database' | 'database-taken'
  text: string
}

/** The database that a new room starts with does not count as imported. */
const firstDatabase = 'main'

/** Why a room with these databases cannot take one more of this name, or null. */
export function whyNotImport(
  room: { edition: Edition },
  present: readonly string[],
  wanted: string,
): ImportReason | null {
  const sameName = present.some((name) => name.toLowerCase() === wanted.toLowerCase())
  if (sameName) return { code: 'database-taken', text: refusals['database-taken'].detail }
  const imported = present.filter((name) => name !== firstDatabase)
  if (room.edition === 'basic' && imported.length > 0)
    return { code: 'single-database', text: refusals['single-database'].detail }
  return null
}
