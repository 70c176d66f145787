/** Statements of a dead worker that take effect only after other workers have ended the operation. */
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LyingStore, startLyingStore } from './lying-store.ts'
import { serverKilled } from './server-killed.ts'

let store: LyingStore
let network: Network
beforeAll(async () => {
  store = await startLyingStore()
  store.sends = 'what was put'
  network = await bootNetwork({
    env: {
      OBJECT_STORE_URI: 's3://bucket/d2o',
      OBJECT_STORE_ENDPOINT: store.endpoint,
      OBJECT_STORE_ACCESS_KEY: 'access',
      OBJECT_STORE_SECRET_KEY: 'secret',
    },
  })
})
afterAll(async () => {
  await network?.stop()
  await store?.stop()
})

const ofRoom = (isD2O: boolean) => (projectRoomName: string) =>
  network.admin.call('backupRoom', { query: { projectRoomName, isD2O } })
const ofDatabase = (projectRoomName: string) =>
  network.admin.call('backupDatabase', { body: { projectRoomName, databaseName: 'main' } })

it.each([
  ['of a room', 'room.backup:record-backup', 'room_backups', ofRoom(false)],
  ['of a room in the object store', 'room.backup-d2o:record-backup', 'room_backups', ofRoom(true)],
  ['of a database', 'database.backup:record-backup', 'database_backups', ofDatabase],
] as const)('no backup %s is listed whose file was removed again', async (_, recording, table, start) => {
  const room = table === 'room_backups' ? await network.newSuspendedRoom() : await network.newRoom()
  await network.planFault(`${recording}:before:kill`)
  const { operationId } = (await start(room)).body
  await serverKilled(network)
  // An insert of the same key waits until this transaction ends, even if the inserting process has died.
  const blocking = new pg.Client({ connectionString: network.database.url })
  await blocking.connect()
  await blocking.query('begin')
  await blocking.query(inserts[table], [operationId])
  await network.restartServer()
  await until('the record is on its way', () => isUnderWay(table, 'Lock'))
  await network.server.stop('SIGKILL')
  await network.planFault(`${recording}:before:fail`)
  await network.restartServer()
  const ended = async () => (await stateOf(operationId)) === 'failed'
  await until('others have ended the operation, or cannot', async () => (await ended()) || holdsTheOperation(table))
  await blocking.query('rollback')
  await blocking.end()
  await network.settle()
  await until('nothing is on its way any more', async () => !(await isUnderWay(table)))
  expect(await stateOf(operationId)).toBe('failed')
  expect(await network.database.rows(`select id from ${table} where id = $1`, [operationId])).toEqual([])
})

const inserts = {
  room_backups: `insert into room_backups (id, room_id, room_name, kind, location, size, sha256)
                 values ($1, $1, 'none', 'classic', 'none', 0, '')`,
  database_backups: `insert into database_backups (id, room_id, database_name, store_key, size, sha256, sealed_password)
                     values ($1, $1, 'none', 'none', 0, '', '')`,
}

const underWay = `select 1 from pg_stat_activity where datname = current_database() and state = 'active'
                     and pid <> pg_backend_pid() and query like $1`

async function isUnderWay(table: string, waitsFor: string | null = null): Promise<boolean> {
  const found = await network.database.rows(`${underWay} and ($2::text is null or wait_event_type = $2)`, [
    `insert into ${table}%`,
    waitsFor,
  ])
  return found.length > 0
}

/** Whether the insert's transaction also locks the operation, so that no worker takes it over until the insert ends. */
async function holdsTheOperation(table: string): Promise<boolean> {
  const held = `select from pg_locks where pg_locks.pid = pg_stat_activity.pid and relation = 'operations'::regclass
                   and mode = 'RowExclusiveLock'`
  return (await network.database.rows(`${underWay} and exists (${held})`, [`insert into ${table}%`])).length > 0
}

async function stateOf(operationId: string): Promise<string | undefined> {
  const sql = 'select state from operations where id = $1'
  return (await network.database.rows<{ state: string }>(sql, [operationId]))[0]?.state
}
