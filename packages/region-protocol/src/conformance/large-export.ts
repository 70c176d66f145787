/** An export of a large database, with which jobs take long enough to be killed in the middle. */
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { writeExport } from './export.ts'

/** Random, so that nothing makes the database smaller. */
const rowBytes = 64 * 1024

interface LargeExport {
  bytes: Buffer
  password: string
  /** The lines of the database in the digest of a room (formats.md, The digest of a room). */
  lines: Iterable<string>
}

export function largeExport(megabytes: number): LargeExport {
  const contents = Array.from({ length: (megabytes * 1024 * 1024) / rowBytes }, () => randomBytes(rowBytes))
  const password = 'correct horse battery'
  return { bytes: writeExport(databaseOf(contents), password), password, lines: linesOf(contents) }
}

function databaseOf(contents: Buffer[]): Buffer {
  using database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE large (id INTEGER PRIMARY KEY, content BLOB NOT NULL); BEGIN')
  const insert = database.prepare('INSERT INTO large VALUES (?, ?)')
  for (const [index, content] of contents.entries()) insert.run(index + 1, content)
  database.exec('COMMIT')
  return Buffer.from(database.serialize())
}

function linesOf(contents: Buffer[]): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      yield '["table","large","content","id"]\n'
      for (const [index, content] of contents.entries()) yield `["b${content.toString('hex')}","i${index + 1}"]\n`
    },
  }
}
