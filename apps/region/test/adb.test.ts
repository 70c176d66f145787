import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { sourceOf } from '@roomkeeper/region-protocol/conformance'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { digestDatabase } from '#rooms/digest-content.ts'
import { documentsOf } from './documents.ts'
import { newCreation, type RegionProcess, startRegion } from './region-process.ts'

let folder: string
let region: RegionProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roomkeeper-adb-test-'))
  region = await startRegion()
})
afterAll(async () => {
  await region.remove()
  await rm(folder, { recursive: true, force: true })
})

const program = fileURLToPath(new URL('../src/adb/main.ts', import.meta.url))
const password = 'pass wörd'

interface Outcome {
  code: number
  output: string
}

/** Runs the tool with the password in its environment or piped in. */
function adb(args: string[], given: { env?: string; input?: string } = { env: password }): Promise<Outcome> {
  const env = { PATH: process.env.PATH, ...(given.env === undefined ? {} : { ADB_PASSWORD: given.env }) }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    )
    child.stdin?.end(given.input ?? '')
  })
}

function makeDatabase(name: string): string {
  const path = join(folder, name)
  const database = new DatabaseSync(path)
  database.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE orders (customer TEXT, amount REAL, scan BLOB);
    CREATE INDEX by_customer ON orders (customer);
    CREATE VIRTUAL TABLE notes USING fts5 (text);
    CREATE VIEW large AS SELECT * FROM orders WHERE amount > 10;
  `)
  const insert = database.prepare('INSERT INTO orders VALUES (?, ?, ?)')
  for (let index = 0; index < 200; index += 1) insert.run(`customer ${index % 7}`, index / 3, randomBytes(3000))
  database.exec("INSERT INTO notes VALUES ('something to find')")
  database.close()
  return path
}

function digestOf(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return digestDatabase(database)
  } finally {
    database.close()
  }
}

async function importInto(room: string, file: string) {
  const creation = newCreation()
  await region.client.createRoom(room, creation)
  const id = crypto.randomUUID()
  await region.client.putFile(id, sourceOf(await readFile(file)))
  const own = { room, roomId: creation.roomId, password, file: id }
  await region.client.runJob(crypto.randomUUID(), { type: 'importDatabase', database: 'orders', ...own })
  return own
}

test('any SQLite database becomes an export, and comes back with the same digest', async () => {
  const from = makeDatabase('there.sqlite')
  const [export_, back] = [join(folder, 'there.adb'), join(folder, 'back.sqlite')]
  expect(await adb(['--from', from, '--to', export_])).toMatchObject({ code: 0 })
  const content = await readFile(export_)
  expect(content.includes('customer 1')).toBe(false)
  expect(await adb(['--open', export_, '--to', back], { input: `${password}\n` })).toMatchObject({ code: 0 })
  expect(digestOf(back)).toBe(digestOf(from))
})

test('a region imports it unchanged, and backs it up, restores and moves it like its own', async () => {
  const from = makeDatabase('foreign.sqlite')
  const file = join(folder, 'foreign.adb')
  await adb(['--from', from, '--to', file])
  const own = await importInto('foreign', file)
  const imported = join(region.dataDir, 'rooms/foreign/databases/orders.db')
  expect(digestOf(imported)).toBe(digestOf(from))
  const described = (await region.client.databases('foreign')).find(({ name }) => name === 'orders')
  expect(Date.parse(described?.createdAt ?? '')).toBeGreaterThan(Date.now() - 600_000)

  const run = region.client.runJob
  await run(crypto.randomUUID(), { type: 'restoreDatabase', ...own, database: 'orders' })
  const { file: backup } = await run(crypto.randomUUID(), { type: 'backupRoom', room: 'foreign' })
  const { roomId } = await region.client.createRoom('moved', newCreation())
  await run(crypto.randomUUID(), { type: 'restoreRoom', room: 'moved', roomId, file: backup })
  expect(digestOf(join(region.dataDir, 'rooms/moved/databases/orders.db'))).toBe(digestOf(from))

  const { token } = await region.client.openSession('foreign', 'owner@example.org')
  expect((await documentsOf(region.url, 'foreign', token, 'orders').put('a', 1)).status).toBe(409)
})

test('a wrong password is told apart from a damaged file, and neither writes anything', async () => {
  const from = makeDatabase('apart.sqlite')
  const file = join(folder, 'apart.adb')
  await adb(['--from', from, '--to', file])
  const to = join(folder, 'apart-opened.sqlite')
  expect(await adb(['--open', file, '--to', to], { env: 'wrong' })).toEqual({
    code: 1,
    output: 'The password of the database export is wrong.\n',
  })
  const damaged = await readFile(file)
  damaged.writeUInt8(damaged.readUInt8(5000) ^ 1, 5000)
  await writeFile(file, damaged)
  expect(await adb(['--open', file, '--to', to])).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^The file is damaged/),
  })
  expect(await readdir(folder)).not.toContain('apart-opened.sqlite')
})

test('what is no database, or a damaged one, makes no export', async () => {
  const text = join(folder, 'text.sqlite')
  await writeFile(text, 'no database at all, but long enough to be one '.repeat(100))
  const empty = join(folder, 'empty.sqlite')
  await writeFile(empty, '')
  const torn = makeDatabase('torn.sqlite')
  const content = await readFile(torn)
  content.fill(0xa5, 8192, 60_000)
  await writeFile(torn, content)
  for (const from of [text, empty, torn, join(folder, 'not-there.sqlite')]) {
    const to = join(folder, 'never.adb')
    expect(await adb(['--from', from, '--to', to])).toMatchObject({ code: 1 })
    expect(await readdir(folder)).not.toContain('never.adb')
  }
})

test('an existing file is kept, and a call without a password or with half of the arguments is refused', async () => {
  const from = makeDatabase('kept.sqlite')
  const to = join(folder, 'kept.adb')
  await writeFile(to, 'mine')
  expect(await adb(['--from', from, '--to', to])).toMatchObject({ code: 1 })
  expect(await readFile(to, 'utf8')).toBe('mine')
  expect(await adb(['--from', from, '--to', join(folder, 'x.adb')], {})).toMatchObject({
    code: 1,
    output: expect.stringContaining('ADB_PASSWORD'),
  })
  expect(await adb(['--from', from])).toMatchObject({ code: 2 })
})
