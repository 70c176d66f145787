import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { digestContent } from './digest-content.ts'

const folder = mkdtempSync(join(tmpdir(), 'roomkeeper-digest-'))
afterAll(() => rmSync(folder, { recursive: true }))

let made = 0
function fileWith(value: string): string {
  made += 1
  const path = join(folder, `${made}.db`)
  const database = new DatabaseSync(path)
  database.exec('CREATE TABLE documents (id INTEGER PRIMARY KEY, value TEXT)')
  database.prepare('INSERT INTO documents (value) VALUES (?)').run(value)
  database.close()
  return path
}

const system = fileWith('of the system')

/** The digest of a room that holds these values, each in a database of its own. */
function digestOf(values: Record<string, string>): string {
  const databases = Object.entries(values).map(([name, value]) => ({ name, path: fileWith(value) }))
  return digestContent({ system, databases }, () => undefined)
}

test('every database of a room counts, with its name', () => {
  const digest = digestOf({ main: 'one', second: 'two', third: 'three' })
  expect(digestOf({ main: 'one', second: 'two', third: 'three' })).toBe(digest)
  const others = [
    { main: 'one', second: 'two', third: 'changed' },
    { main: 'one', second: 'changed', third: 'three' },
    { main: 'changed', second: 'two', third: 'three' },
    { main: 'one', second: 'two' },
    { main: 'one', third: 'two', second: 'three' },
    { main: 'one', second: 'two', fourth: 'three' },
  ]
  for (const other of others) expect(digestOf(other)).not.toBe(digest)
})
