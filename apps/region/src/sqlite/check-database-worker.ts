/** The thread of `checkDatabase`: answers each wish with null, or with what is wrong with the file. */
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { parentPort } from 'node:worker_threads'

interface Wish {
  path: string
  tables: readonly string[]
  thorough: boolean
}

parentPort?.on('message', (wish: Wish) => parentPort?.postMessage(faultOf(wish)))

function faultOf({ path, tables, thorough }: Wish): string | null {
  try {
    // Nobody else has it open: without locks and companions, SQLite only reads.
    const database = new DatabaseSync(`${pathToFileURL(path)}?immutable=1`, { readOnly: true })
    try {
      // A file without any page is an empty database to SQLite, but hardly what somebody meant.
      if (database.prepare('PRAGMA page_count').get()?.page_count === 0) return 'it does not hold a database.'
      const row = database.prepare(`PRAGMA ${thorough ? 'integrity_check' : 'quick_check'}(1)`).get() ?? {}
      if (Object.values(row)[0] !== 'ok') return 'a database in it is damaged.'
      const find = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
      return tables.every((table) => find.get(table) !== undefined) ? null : 'a database in it has another structure.'
    } finally {
      database.close()
    }
  } catch {
    return 'it does not hold a database.'
  }
}
