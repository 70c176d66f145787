import type { DatabaseSync } from 'node:sqlite'
import { digestDatabase } from '#rooms/digest-room.ts'
import { openDatabase } from '#sqlite/database-handles.ts'
import { isEmpty } from './documents-database.ts'

/**
 * Whether nothing is lost when the other database takes the place of this one: it is equal, or empty (`whenEmpty`).
 * Both are files that nobody changes meanwhile.
 */
export async function givesWay(
  own: string,
  other: string,
  { signal, whenEmpty }: { signal: AbortSignal; whenEmpty: boolean },
): Promise<boolean> {
  const opened: DatabaseSync[] = []
  const open = (path: string) => {
    const database = openDatabase(path)
    opened.push(database)
    return database
  }
  try {
    const database = open(own)
    if (whenEmpty && isEmpty(database)) return true
    return (await digestDatabase(database, signal)) === (await digestDatabase(open(other), signal))
  } finally {
    for (const database of opened) database.close()
  }
}
