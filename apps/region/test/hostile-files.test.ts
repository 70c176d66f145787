import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type JobRequest, jobHasEnded } from '@roomkeeper/region-protocol'
import { sourceOf } from '@roomkeeper/region-protocol/conformance'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentsOf } from './documents.ts'
import {
  backupWith,
  damagedDatabase,
  databaseWith,
  endless,
  endlessCondition,
  exportOf,
  filesOfZip,
  valueIn,
} from './hostile-file.ts'
import { newCreation, type RegionProcess, startRegion } from './region-process.ts'

let region: RegionProcess
beforeAll(async () => {
  region = await startRegion({ REGION_CHECK_SECONDS: '4' })
})
afterAll(() => region.remove())

const run = <Input extends JobRequest>(input: Input) => region.client.runJob(crypto.randomUUID(), input)
const digestOf = async (room: string) => (await run({ type: 'digestRoom', room })).digest

let count = 0
async function newRoom() {
  count += 1
  const room = `hostile${count}`
  const { roomId } = await region.client.createRoom(room, newCreation())
  const { token } = await region.client.openSession(room, 'owner@example.org')
  return { room, roomId, documents: (database: string) => documentsOf(region.url, room, token, database) }
}

async function upload(content: Buffer): Promise<string> {
  const file = crypto.randomUUID()
  await region.client.putFile(file, sourceOf(content))
  return file
}

async function imported(own: { room: string; roomId: string }, database: string, content: Buffer): Promise<void> {
  const file = await upload(await exportOf(content))
  await run({ type: 'importDatabase', room: own.room, roomId: own.roomId, database, file, password: 'p' })
}

/** Expects a final refusal, an unchanged room and no remains. */
async function expectRefusal(room: string, code: string, act: () => Promise<unknown>): Promise<void> {
  const before = await digestOf(room)
  await expect(act()).rejects.toMatchObject({ type: `urn:roomkeeper-region:${code}`, isTransient: false })
  expect(await digestOf(room)).toBe(before)
  expect(await readdir(join(region.dataDir, 'work'))).toEqual([])
  expect((await readdir(join(region.dataDir, 'rooms'))).filter((name) => name.startsWith('.'))).toEqual([])
}

const ours = {
  about: 'CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;',
  documents:
    'CREATE TABLE documents (id TEXT PRIMARY KEY, body TEXT NOT NULL, changedAt TEXT NOT NULL) STRICT, WITHOUT ROWID;',
}

test('views that never end, named as our tables, are only taken along', async () => {
  const own = await newRoom()
  const views = await databaseWith(`
    CREATE TABLE kept (a); INSERT INTO kept VALUES ('kept');
    CREATE VIEW about AS SELECT i AS name, i AS value FROM (${endless});
    CREATE VIEW documents AS SELECT i AS id, i AS body, i AS changedAt FROM (${endless});
  `)
  await imported(own, 'views', views)
  expect((await region.client.databases(own.room)).map(({ name }) => name)).toEqual(['main', 'views'])
  expect((await own.documents('views').get('a')).status).toBe(409)
  expect((await own.documents('views').put('a', 1)).status).toBe(409)
  const { file } = await run({ type: 'backupRoom', room: own.room })
  const copy = await newRoom()
  await run({ type: 'restoreRoom', room: copy.room, roomId: copy.roomId, file })
  expect(await digestOf(copy.room)).toBe(await digestOf(own.room))
})

test('what acts when a document changes makes the tables others than ours', async () => {
  const own = await newRoom()
  const acting = {
    trigger: `CREATE TRIGGER hang AFTER INSERT ON documents BEGIN SELECT * FROM (${endless}); END;`,
    hidden: `CREATE TRIGGER hang AFTER UPDATE ON about BEGIN SELECT * FROM (${endless}); END;
      PRAGMA writable_schema = ON; UPDATE sqlite_schema SET type = 'index', tbl_name = 'x' WHERE type = 'trigger';`,
    index: `CREATE INDEX slow ON documents (${endlessCondition.replace('|| x ', '|| body ')});`,
  }
  for (const [name, sql] of Object.entries(acting)) {
    const content = await databaseWith(`${ours.about} ${ours.documents} ${sql}`)
    const taken = await imported(own, name, content).then(
      () => true,
      (error: { isTransient: boolean }) => error.isTransient,
    )
    if (taken) expect((await own.documents(name).put('a', 'x')).status, name).toBe(409)
  }
  const checked = ours.documents.replace(
    'body TEXT NOT NULL',
    `body TEXT NOT NULL CHECK (${endlessCondition.replace('|| x ', '|| body ')})`,
  )
  await imported(own, 'checked', await databaseWith(`${ours.about} ${checked}`))
  expect((await own.documents('checked').put('a', 'x')).status).toBe(409)
  await imported(own, 'vacuumed', await databaseWith(`PRAGMA auto_vacuum = FULL; ${ours.about} ${ours.documents}`))
  expect((await own.documents('vacuumed').put('a', 'x')).status).toBe(409)
  await imported(own, 'plain', await databaseWith(`${ours.about} ${ours.documents}`))
  expect((await own.documents('plain').put('a', 'x')).status).toBe(200)
})

test('references to documents do not act when a document goes', async () => {
  const own = await newRoom()
  const sql = `${ours.about} ${ours.documents}
    CREATE TABLE notes (id TEXT REFERENCES documents ON DELETE CASCADE);
    INSERT INTO documents VALUES ('a', '1', ''); INSERT INTO notes VALUES ('a note that stays');
    INSERT INTO notes VALUES ('a');`
  await imported(own, 'notes', await databaseWith(sql))
  expect((await own.documents('notes').remove('a')).status).toBe(204)
  const { file } = await run({ type: 'backupRoom', room: own.room })
  const content = (await filesOfZip(await contentOf(file))).get('databases/notes.db')
  expect(await valueIn(content ?? Buffer.alloc(0), 'SELECT count(*) FROM notes')).toBe(2)
})

async function contentOf(file: string): Promise<Buffer> {
  return Buffer.concat(await (await region.client.getFile(file)).content.toArray())
}

test('of a system database only rows come in: no triggers, no sessions, no views', async () => {
  const own = await newRoom()
  const { file } = await run({ type: 'backupRoom', room: own.room })
  const zip = await contentOf(file)
  const system = (await filesOfZip(zip)).get('system.db') ?? Buffer.alloc(0)
  const before = await digestOf(own.room)
  const acting = await databaseWith(
    `INSERT INTO sessions SELECT 'planted' || id, id, 'hash' || id, '2020', '2999' FROM users;
     CREATE TRIGGER hang AFTER INSERT ON sessions BEGIN SELECT * FROM (${endless}); END;`,
    system,
  )
  const taken = await upload(await backupWith(zip, { 'system.db': acting }))
  await run({ type: 'restoreRoom', room: own.room, roomId: own.roomId, file: taken })
  expect(await region.client.sessions(own.room)).toEqual([])
  expect((await region.client.openSession(own.room, 'owner@example.org')).user).toBe('owner@example.org')
  expect(await digestOf(own.room)).toBe(before)
})

test('a system database of another form is refused', async () => {
  const own = await newRoom()
  const { file } = await run({ type: 'backupRoom', room: own.room })
  const zip = await contentOf(file)
  const system = (await filesOfZip(zip)).get('system.db') ?? Buffer.alloc(0)
  const forms = {
    view: `DROP TABLE sub_licences; CREATE VIEW sub_licences AS
      SELECT i AS position, i AS licenseKey, i AS subLicenseAmount, i AS productKey FROM (${endless});`,
    'a table more': 'CREATE TABLE more (a);',
    'a column more': 'ALTER TABLE licences ADD COLUMN more TEXT;',
    'no settings': 'DELETE FROM settings;',
    'settings that are no JSON': "UPDATE settings SET value = '{';",
    'a version that is none': 'DELETE FROM schema_version; INSERT INTO schema_version VALUES (-1);',
  }
  for (const sql of Object.values(forms)) {
    const changed = await upload(await backupWith(zip, { 'system.db': await databaseWith(sql, system) }))
    await expectRefusal(own.room, 'wrong-content', () =>
      run({ type: 'restoreRoom', room: own.room, roomId: own.roomId, file: changed }),
    )
  }
})

/** A check reads a NOT NULL column even if it is computed. The column becomes slow only after the row was inserted. */
const endlessToCheck = `
  CREATE TABLE t (x, y AS (x = 'b') NOT NULL); INSERT INTO t VALUES ('b'); PRAGMA writable_schema = ON;
  UPDATE sqlite_schema SET sql = replace(sql, 'x = ''b''', '${endlessCondition.replaceAll("'", "''")}');`

test('content whose check never ends is given up; meanwhile others are served, and it can be cancelled', async () => {
  const own = await newRoom()
  const other = await newRoom()
  const file = await upload(await exportOf(await databaseWith(endlessToCheck)))
  const input = {
    type: 'importDatabase' as const,
    room: own.room,
    roomId: own.roomId,
    database: 'x',
    file,
    password: 'p',
  }
  await expectRefusal(own.room, 'takes-too-long', async () => {
    const id = crypto.randomUUID()
    await region.client.startJob(id, input)
    while (true) {
      expect((await other.documents('main').put('a', 1)).status).toBe(200)
      await region.client.lockRoom(other.room, { roomId: other.roomId, holder: 'me' })
      await region.client.unlockRoom(other.room, { roomId: other.roomId, holder: 'me' })
      if (jobHasEnded((await region.client.job(id)).state)) return region.client.runJob(id, input)
    }
  })
  await expectRefusal(own.room, 'cancelled', async () => {
    const id = crypto.randomUUID()
    await region.client.startJob(id, input)
    await region.client.cancelJob(id)
    return region.client.runJob(id, input)
  })
  const zip = await contentOf((await run({ type: 'backupRoom', room: own.room })).file)
  const changed = await upload(await backupWith(zip, { 'databases/main.db': await databaseWith(endlessToCheck) }))
  await expectRefusal(own.room, 'takes-too-long', () =>
    run({ type: 'restoreRoom', room: own.room, roomId: own.roomId, file: changed }),
  )
})

test('what says that it is larger than the disk is refused before it is written, and so is what is larger than it says', async () => {
  const own = await newRoom()
  const plain = await databaseWith('CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(100000))')
  const announcing = (pages: number) => {
    const content = Buffer.from(plain)
    content.writeUInt32BE(pages, 28)
    return content
  }
  await expectRefusal(own.room, 'storage-full', () => imported(own, 'large', announcing(0xffff_fffe)))
  await expectRefusal(own.room, 'wrong-content', () => imported(own, 'longer', announcing(3)))
  await expectRefusal(own.room, 'wrong-content', () => imported(own, 'zeros', Buffer.alloc(200 * 1024 * 1024)))
})

test('an upload that is larger than the disk is refused before it comes', async () => {
  const session = await fetch(`${region.url}/region/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName: region.address.userName, password: region.address.password }),
  })
  const { token } = (await session.json()) as { token: string }
  const id = crypto.randomUUID()
  const sending = request(`${region.url}/region/v1/files/${id}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/octet-stream',
      'content-length': 10 ** 15 - 1,
      digest: `sha-256=${Buffer.alloc(32).toString('base64')}`,
    },
  })
  sending.on('error', () => undefined)
  sending.write('the first of it')
  const [answer] = (await once(sending, 'response')) as [{ statusCode: number }]
  expect(answer.statusCode).toBe(507)
  sending.destroy()
  expect(await readdir(join(region.dataDir, 'files'))).not.toContain(id)
})

test('a database whose schema is longer than any has is refused', async () => {
  const own = await newRoom()
  const content = await databaseWith(`CREATE VIEW long AS SELECT '${'x'.repeat(17 * 1024 * 1024)}'`)
  await expectRefusal(own.room, 'wrong-content', () => imported(own, 'long', content))
  const statistics = await databaseWith(`CREATE TABLE t (a); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1); ANALYZE;
    INSERT INTO sqlite_stat1 VALUES ('t', 'i', hex(zeroblob(${9 * 1024 * 1024})))`)
  await expectRefusal(own.room, 'wrong-content', () => imported(own, 'statistics', statistics))
})

test('a database of which only an index is damaged is taken with the index built anew, and that is told', async () => {
  const own = await newRoom()
  const damaged = await damagedDatabase('index')
  const { file } = await run({ type: 'backupRoom', room: own.room })
  const good = Buffer.concat(await (await region.client.getFile(file)).content.toArray())
  const backup = await upload(await backupWith(good, { 'databases/orders.db': damaged }))
  const { rebuilt } = await run({ type: 'verifyBackup', room: own.room, from: { file: backup } })
  expect(rebuilt).toEqual(['orders'])
  const told =
    'Indexes of the database orders did not agree with its rows: they were built anew, and no row was changed.'
  for (const from of [{ type: 'restoreRoom', file: backup } as const, 'adb' as const]) {
    const { room, roomId } = await newRoom()
    const id = crypto.randomUUID()
    const input =
      from === 'adb'
        ? ({
            type: 'importDatabase',
            database: 'orders',
            password: 'p',
            file: await upload(await exportOf(damaged)),
          } as const)
        : from
    await region.client.runJob(id, { ...input, room, roomId })
    const { lines } = (await region.client.job(id)) ?? { lines: [] }
    expect(lines.map(({ text }) => text)).toContain(told)
    const database = new DatabaseSync(join(region.dataDir, 'rooms', room, 'databases/orders.db'), { readOnly: true })
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    expect(database.prepare("SELECT count(*) FROM orders WHERE word = 'wordXX'").get()).toEqual({ 'count(*)': 1 })
    database.close()
    const { file: again } = await run({ type: 'backupRoom', room })
    expect((await run({ type: 'verifyBackup', room, from: { file: again } })).rebuilt).toEqual([])
  }
})

test('a damaged table is refused with the name of its file', async () => {
  const own = await newRoom()
  const { file } = await run({ type: 'backupRoom', room: own.room })
  const good = Buffer.concat(await (await region.client.getFile(file)).content.toArray())
  const backup = await upload(await backupWith(good, { 'databases/orders.db': await damagedDatabase('table') }))
  const restore = () => run({ type: 'restoreRoom', room: own.room, roomId: own.roomId, file: backup })
  await expectRefusal(own.room, 'wrong-content', restore)
  await expect(restore()).rejects.toThrow('databases/orders.db is damaged: ')
})
