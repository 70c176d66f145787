/** Backups in a store that loses, alters or belatedly removes files: only what is really stored counts. */
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runDoctor } from './doctor/run-doctor.ts'
import { digestOf, writeDocuments } from './life/room-life.ts'
import { type LyingStore, startLyingStore } from './lying-store.ts'

let store: LyingStore
let network: Network
beforeAll(async () => {
  store = await startLyingStore()
  network = await bootNetwork({
    env: {
      BACKUP_STORE: 's3://bucket/console',
      OBJECT_STORE_URI: 's3://bucket/d2o',
      OBJECT_STORE_ENDPOINT: store.endpoint,
      OBJECT_STORE_ACCESS_KEY: 'access',
      OBJECT_STORE_SECRET_KEY: 'secret',
    },
  })
})
beforeEach(() => {
  store.sends = 'what was put'
})
afterAll(async () => {
  await network?.stop()
  await store?.stop()
})

describe('a backup of a database', () => {
  it('of which the store holds other bytes fails, and the one before it is put back', async () => {
    const room = await network.newRoom()
    await writeDocuments(network, room, { kept: {} })
    const digest = await digestOf(network, room)
    expect(await backUpDatabase(room)).toMatchObject({ state: 'done' })
    await writeDocuments(network, room, { later: {} })
    store.sends = 'other bytes'
    expect(await backUpDatabase(room)).toEqual({
      state: 'failed',
      error: 'The backup in the store is not the one that the region made. The project room is active as before.',
    })
    expect(await backupsOf(room)).toHaveLength(1)
    store.sends = 'what was put'
    await network.admin.call('restoreDatabase', { body: { projectRoomName: room, databaseName: 'main' } })
    await network.settle()
    expect(await digestOf(network, room)).toBe(digest)
  })

  it('that went bad later is not put back while there is a good one, which is not removed for it', async () => {
    const room = await network.newRoom()
    await writeDocuments(network, room, { kept: {} })
    const digest = await digestOf(network, room)
    await backUpDatabase(room)
    await writeDocuments(network, room, { later: {} })
    await backUpDatabase(room)
    const [good, bad] = await backupsOf(room)
    await network.database.rows(
      `update database_backups set created_at = created_at - interval '3 days',
              sha256 = case when id = $2 then repeat('0', 64) else sha256 end
        where room_id = (select id from rooms where name = $1)`,
      [room, bad?.id],
    )
    expect((await network.doctor()).map(({ kind }) => kind)).toEqual(['backup-altered'])
    await tidy()
    expect(await backupsOf(room)).toMatchObject([{ id: good?.id }, { id: bad?.id }])
    await network.admin.call('restoreDatabase', { body: { projectRoomName: room, databaseName: 'main' } })
    await network.settle()
    expect(await digestOf(network, room)).toBe(digest)
  })

  it('that nobody has read back is the only one left when the doctor has read it, and not when it could not be read', async () => {
    const room = await network.newRoom()
    await backUpDatabase(room)
    await writeDocuments(network, room, { later: {} })
    await backUpDatabase(room)
    const [older, newer] = await backupsOf(room)
    // As if none had been read so far.
    await network.database.rows(
      `with unread as (delete from database_backups where room_id = (select id from rooms where name = $1) returning *)
       insert into database_backups (id, room_id, database_name, store_key, size, sha256, sealed_password, created_at)
       select id, room_id, database_name, store_key, size, sha256, sealed_password, created_at - interval '3 days'
         from unread`,
      [room],
    )
    store.unreadable = newer?.key ?? ''
    expect((await runDoctor(network)).map(({ kind }) => kind)).toContain('store-unreachable')
    await tidy()
    expect(await backupsOf(room)).toMatchObject([{ id: older?.id }, { id: newer?.id }])
    store.unreadable = null
    await runDoctor(network)
    await tidy()
    expect(await backupsOf(room)).toMatchObject([{ id: newer?.id }])
  })
})

describe('a removal by an undone attempt that comes late', () => {
  it.each([
    ['of a room', 'room.backup:record-backup', backUpRoom],
    ['of a database', 'database.backup:record-backup', backUpDatabase],
    ['of a room in the object store', 'room.backup-d2o:record-backup', (room: string) => backUpRoom(room, true)],
  ])('does not remove the backup %s that a retry made', async (_, recording, backUp) => {
    const room = await network.newRoom()
    if (recording.startsWith('room.')) await network.admin.call('suspendRoom', { body: { roomName: room } })
    const late: (() => void)[] = []
    store.late = late
    await network.planFault(`${recording}:before:fail`)
    const failed = backUp(room)
    await until('the removal is on its way', async () => late.length > 0)
    store.late = null
    expect(await failed).toMatchObject({ state: 'failed' })
    await network.admin.call('retryOperation', { params: { id: (await newestOperation(room))?.id ?? '' } })
    await network.settle()
    expect(await newestOperation(room)).toMatchObject({ state: 'done' })
    for (const remove of late) remove()
    const [backup] = await backupsOf(room)
    expect((await fetch(`${store.endpoint}/bucket/${backup?.key}`, { method: 'HEAD' })).status).toBe(200)
  })
})

/** Housekeeping runs when a process starts. Waits until it has removed an expired backup, which shows that it ran. */
async function tidy(): Promise<void> {
  const other = await network.newRoom()
  await backUpDatabase(other)
  const [backup] = await backupsOf(other)
  await network.database.rows(`update database_backups set expires_at = now() where id = $1`, [backup?.id])
  await network.server.stop()
  await network.restartServer()
  await until('housekeeping was there', async () => (await backupsOf(other)).length === 0)
}

async function backUpDatabase(projectRoomName: string) {
  await network.admin.call('backupDatabase', { body: { projectRoomName, databaseName: 'main' } })
  return ended(projectRoomName)
}

async function backUpRoom(projectRoomName: string, isD2O = false) {
  await network.admin.call('backupRoom', { query: { projectRoomName, isD2O } })
  return ended(projectRoomName)
}

async function ended(room: string) {
  await network.settle()
  const { state, error } = (await newestOperation(room)) ?? {}
  return { state, error }
}

async function newestOperation(room: string) {
  const [row] = await network.database.rows<{ id: string; state: string; error: string | null }>(
    'select id, state, error from operations where room_name = $1 order by created_at desc limit 1',
    [room],
  )
  return row
}

/** The backups of the room, oldest first, with their keys in the bucket. */
function backupsOf(room: string) {
  return network.database.rows<{ id: string; key: string }>(
    `select b.id, b.key from (
       select id, room_id, created_at, replace('console/' || location, 'console/s3://bucket/', '') as key from room_backups
       union all select id, room_id, created_at, 'console/' || store_key from database_backups
     ) b where room_id = (select id from rooms where name = $1) order by created_at`,
    [room],
  )
}
