/** The content of a room for benchmarks: documents that do not compress, like most of what fills rooms. */
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** @param path the database of a room whose region is stopped */
export function fillRoom(path: string, megabytes: number): void {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; BEGIN')
  const insert = database.prepare('INSERT INTO documents VALUES (?, ?, ?)')
  const now = new Date().toISOString()
  // 64 documents make a megabyte.
  for (let index = 0; index < megabytes * 64; index += 1)
    insert.run(`document ${index}`, JSON.stringify(randomBytes(12 * 1024).toString('base64')), now)
  database.exec('COMMIT; PRAGMA journal_mode = WAL')
  database.close()
}
