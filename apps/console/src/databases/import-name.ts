/** The name of a database that is to be imported: what it is at first, and what is wrong with it. */
import {
  type CodedError,
  codedError,
  fieldErrorsOf,
  type ProjectRoom,
  type RoomDatabase,
  routes,
} from '@roomkeeper/contract'
import { z } from 'zod'

/** Every room starts with it, empty; it does not count as imported. */
const initialDatabase = 'main'

/** `my data.adb` → `my data` */
export function nameOfFile(fileName: string): string {
  return fileName.replace(/\.[^.]*$/, '').trim()
}

/** On Basic there can be only one imported database. The server checks again. */
export function isFullOfDatabases(room: Pick<ProjectRoom, 'edition'>, databases: readonly RoomDatabase[]): boolean {
  return room.edition === 'basic' && databases.some((each) => each.databaseName !== initialDatabase)
}

/** Null when nothing is wrong. Names that differ only in case are one name. */
export function whyInvalidName(name: string, databases: readonly RoomDatabase[]): CodedError | null {
  const { error, data = '' } = z.safeParse(routes.importDatabase.body.shape.dbName, name)
  if (error !== undefined) return fieldErrorsOf(error)[0] ?? null
  const isTaken = databases.some((each) => each.databaseName.toLowerCase() === data.toLowerCase())
  return isTaken ? codedError('database-taken') : null
}
