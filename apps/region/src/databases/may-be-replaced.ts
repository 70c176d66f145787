import { stat } from '#disk/files.ts'
import { runInSandbox, secondsFor } from '#sandbox/run-in-sandbox.ts'
import { settleDatabase } from '#sqlite/copy-database.ts'
import { openDatabase } from '#sqlite/database-handles.ts'
import { isEmpty } from './documents-database.ts'

/**
 * Whether nothing is lost when the other database replaces the room's own: the room's own is equal, or (with
 * `whenEmpty`) empty. Neither file may change meanwhile, and only the room's own may have SQLite's companion files.
 */
export async function mayBeReplaced(
  own: string,
  other: string,
  { signal, whenEmpty, checkSeconds }: { signal: AbortSignal; whenEmpty: boolean; checkSeconds: number },
): Promise<boolean> {
  if (whenEmpty && isEmptyFile(own)) return true
  settleDatabase(own)
  const digestOf = async (path: string) => {
    const files = { system: null, databases: [{ name: '', path }] }
    const seconds = secondsFor((await stat(path)).size, checkSeconds)
    return runInSandbox('digestContent', files, { signal, seconds })
  }
  return (await digestOf(own)) === (await digestOf(other))
}

function isEmptyFile(path: string): boolean {
  const database = openDatabase(path)
  try {
    return isEmpty(database)
  } finally {
    database.close()
  }
}
