/** Backups that are restored in a test: what is told of them, what a bad one brings about, and what stays on regions. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { runDoctor } from '../doctor/run-doctor.ts'
import { type LyingStore, startLyingStore } from '../lying-store.ts'
import { withoutOptionalJobs } from './region-without-optional-jobs.ts'
import { sentForTests, wholeRoom, writeDocuments } from './room-life.ts'

let store: LyingStore
let network: Network
beforeAll(async () => {
  store = await startLyingStore()
  store.sends = 'what was put'
  network = await bootNetwork({
    regions: 2,
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
afterEach(async () => {
  await network.database.rows(`update regions set state = 'enabled', products = $1`, [products])
  expect(await sentForTests(network)).toEqual([])
})
const products = ['ARIS', 'MINING']

describe('a backup that is restored in a test', () => {
  // shows: verify-restored, verify-verified-at, C-verifyRoomBackup
  it.each([
    ['in the backup store', false],
    ['in the object store', true],
  ])('%s is said to be, and its room, which is in use, is as before', async (_, isD2O) => {
    const { room, id } = await backedUp(isD2O)
    await network.admin.call('resumeRoom', { body: { roomName: room, userNotification: false } })
    const before = await wholeRoom(network, room)
    expect(await listed(room)).toMatchObject({ verifiedAt: null, isKnownBad: false })
    expect(await verify(id)).toMatchObject({ state: 'done', error: null, room_id: null, room_name: room })
    expect(await listed(room)).toMatchObject({ checkedAt: expect.any(String), verifiedAt: expect.any(String) })
    expect(await wholeRoom(network, room)).toEqual(before)
    const [entry] = await network.database.rows('select actor, action, room_name from audit order by id desc limit 1')
    expect(entry).toEqual({ actor: 'admin@localhost', action: 'backup.verify', room_name: room })
  })

  // shows: verify-deleted-room
  it('may be of a deleted room, on the region that it was in and on no other', async () => {
    const room = await network.newRoom()
    await network.admin.call('deleteRoom', { body: { roomName: room } })
    await network.settle()
    const deleted = async () => (await network.admin.call('deletedRooms', { query: { search: room } })).body.data[0]
    const id = (await deleted())?.backup?.id ?? ''
    expect(await verify(id)).toMatchObject({ state: 'done', region_id: 1 })
    expect((await deleted())?.backup?.verifiedAt).toEqual(expect.any(String))
    // As while it is removed for good.
    const busy = `with begun as (insert into operations (id, kind, version, room_name, input, state, started_by)
      values (gen_random_uuid(), 'room.purge', 999, '', '{}', 'running', 'x') returning id)
      update deleted_rooms set operation_id = (select id from begun) where name = $1`
    await network.database.rows(busy, [room])
    expect(await refusalOf(id)).toMatchObject({ status: 409, type: 'urn:roomkeeper:room-busy' })
    await network.database.rows(`delete from operations where kind = 'room.purge'`)
    const elsewhere = { status: 409, detail: expect.stringContaining('Another region gets the backup only when') }
    await network.database.rows(`update regions set products = '{MINING}' where id = 1`)
    expect(await refusalOf(id)).toMatchObject(elsewhere)
    await network.database.rows(`update regions set state = 'disabled', products = $1 where id = 1`, [products])
    expect(await refusalOf(id)).toMatchObject(elsewhere)
    // As of a room that does not stay among the deleted ones.
    await network.database.rows(`update regions set state = 'enabled' where id = 1`)
    await network.database.rows('delete from deleted_rooms where name = $1', [room])
    expect(await verify(id)).toMatchObject({ state: 'done', region_id: 1 })
  })
})

describe('a backup that is found to be bad', () => {
  // shows: verify-alarm
  it('by one altered byte in the store counts as bad at once, until it was restored in a later test', async () => {
    const { room, id, file } = await backedUp()
    const content = await readFile(file)
    await writeFile(file, oneByteAltered(content))
    expect(await verify(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('another SHA-256') })
    expect(await alarms()).toMatchObject([{ kind: 'backup-altered', subject: id }])
    expect(await listed(room)).toMatchObject({ verifiedAt: null, isKnownBad: true })
    expect(await metric()).toBe(1)
    await runDoctor(network)
    expect(await alarms()).toHaveLength(1)
    await writeFile(file, content)
    expect(await verify(id)).toMatchObject({ state: 'done' })
    expect(await alarms()).toEqual([])
    expect(await listed(room)).toMatchObject({ verifiedAt: expect.any(String), isKnownBad: false })
    expect(await metric()).toBe(0)
  })

  it('by its size is not even sent', async () => {
    const { id, file } = await backedUp()
    const content = await readFile(file)
    await writeFile(file, content.subarray(10))
    expect(await verify(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('instead of') })
    expect(await alarms()).toMatchObject([{ kind: 'backup-altered', subject: id }])
    await writeFile(file, content)
    await runDoctor(network)
    expect(await alarms()).toEqual([])
  })

  // shows: stored-restore-refused
  it('because it was never one that can be restored stays so, although its file is the one that was made', async () => {
    const { room, id, file } = await backedUp()
    const altered = oneByteAltered(await readFile(file))
    await writeFile(file, altered)
    const sha256 = createHash('sha256').update(altered).digest('hex')
    await network.database.rows('update room_backups set sha256 = $2 where id = $1', [id, sha256])
    expect(await verify(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('cannot be restored') })
    for (let run = 0; run < 2; run += 1) await runDoctor(network)
    expect(await alarms()).toMatchObject([{ kind: 'backup-altered', subject: id }])
    expect(await listed(room)).toMatchObject({ isKnownBad: true })
    await expect(restore(room, id)).rejects.toMatchObject({
      problem: { status: 409, type: 'urn:roomkeeper:backup-damaged' },
    })
    await network.admin.call('deleteRoomBackup', { params: { id } })
    await runDoctor(network)
    expect(await alarms()).toEqual([])
  })

  it('in the object store is so, too', async () => {
    const { room, id } = await backedUp(true)
    store.sends = 'other bytes'
    expect(await verify(id)).toMatchObject({ state: 'failed' })
    store.sends = 'what was put'
    expect(await listed(room)).toMatchObject({ isKnownBad: true })
    expect(await verify(id)).toMatchObject({ state: 'done' })
    expect(await alarms()).toEqual([])
  })
})

describe('a project room with a damaged index', () => {
  it('is told by the test of its backup, and is in order again when that was restored', async () => {
    const { room } = await backedUp()
    await damageIndexOf(room)
    const damaged = await backUp(room, false)
    expect(await verify(damaged.id)).toMatchObject({ state: 'done', error: null })
    await runDoctor(network)
    expect(await alarms()).toMatchObject([{ kind: 'indexes-damaged', subject: damaged.id }])
    expect(await listed(room)).toMatchObject({ id: damaged.id, isKnownBad: false, hasDamagedIndexes: true })
    const content = await readFile(damaged.file)
    const { tmpFileName } = await network.upload('uploadBackup', { name: 'backup.zip', content })
    const { body } = await network.admin.call('restoreRoom', {
      body: { projectRoom: { tenantName: room }, tmpFileName },
    })
    await network.settle()
    const { body: log } = await network.admin.call('operationLog', { query: { processId: body.operationId } })
    expect(JSON.stringify(log)).toContain('Indexes of the database main did not agree with its rows')
    expect(await verify((await backUp(room, false)).id)).toMatchObject({ state: 'done' })
    expect(await alarms()).toEqual([])
    expect(await listed(room)).toMatchObject({ hasDamagedIndexes: false })
  })

  it('is shown at its backup also after it was deleted, or its region was removed', async () => {
    const { room } = await backedUp()
    await damageIndexOf(room)
    const { id } = await backUp(room, false)
    await verify(id)
    await network.admin.call('deleteRoom', { body: { roomName: room, withoutBackup: true } })
    await network.settle()
    const deleted = (await network.admin.call('deletedRooms', { query: { search: room } })).body.data
    expect(deleted).toMatchObject([{ backup: { id, isKnownBad: false, hasDamagedIndexes: true } }])
    // As if its region had been removed before.
    await network.database.rows(
      `with gone as (delete from deleted_rooms where name = $1 returning room_id, name)
       insert into removed_rooms (room_id, room_name, region_name) select room_id, name, 'gone' from gone`,
      [room],
    )
    const removed = (await network.admin.call('removedRoomBackups', { query: { size: 100 } })).body.data
    expect(removed.find((backup) => backup.id === id)).toMatchObject({ isKnownBad: false, hasDamagedIndexes: true })
    await network.admin.call('deleteRoomBackup', { params: { id } })
    await runDoctor(network)
    expect(await alarms()).toEqual([])
  })
})

// shows: stored-restore-kept
describe('a backup that an operation reads is not removed before that has ended', () => {
  it.each([
    ['a test', 'backup.verify:send-backup:after:hold', false, 'The backup is being restored in a test'],
    ['a test in the object store', 'backup.verify:send-backup:after:hold', true, 'The backup is being restored in a'],
    ['a restore', 'room.restore:check-room:after:hold', false, 'The backup is being restored'],
    ['a restore from the object store', 'room.restore-d2o:check-room:after:hold', true, 'The backup is being restored'],
  ])('%s', async (_, fault, isD2O, detail) => {
    const { room, id } = await backedUp(isD2O)
    await network.planFault(fault)
    const { operationId } = fault.startsWith('backup.verify')
      ? (await network.admin.call('verifyRoomBackup', { params: { id } })).body
      : await restore(room, id)
    await until('the step is held', () => network.faultHappened())
    const remove = () => network.admin.call('deleteRoomBackup', { params: { id } })
    const problem = { status: 409, type: 'urn:roomkeeper:backup-in-use', detail: expect.stringContaining(detail) }
    await expect(remove()).rejects.toMatchObject({ problem })
    await expect(remove()).rejects.toMatchObject({
      problem: { detail: expect.stringContaining('(begun by admin@localhost)') },
    })
    expect(await listed(room)).toMatchObject({ id })
    await network.admin.call('cancelOperation', { params: { id: operationId } })
    await network.settle()
    await remove()
    expect(await listed(room)).toBeUndefined()
  })

  it('nor begun to be read while it is removed', async () => {
    const { id } = await backedUp()
    const removing = (until: string) =>
      network.database.rows(
        `insert into backup_uses (id, backup_id, kind, used_by, held_until) values (gen_random_uuid(), $1, 'removal', 'x', ${until})`,
        [id],
      )
    await removing(`now() + interval '30 seconds'`)
    expect(await refusalOf(id)).toMatchObject({ status: 404, type: 'urn:roomkeeper:backup-unknown' })
    await network.database.rows('delete from backup_uses')
    // Of a process that died.
    await removing('now()')
    expect(await verify(id)).toMatchObject({ state: 'done' })
  })
})

describe('a test of a backup', () => {
  // shows: verify-nothing-left
  it('that is cancelled, or fails for another reason, says nothing of the backup and leaves nothing', async () => {
    const { room, id } = await backedUp()
    for (const step of ['send-backup', 'verify-backup']) {
      await network.planFault(`backup.verify:${step}:after:hold`)
      const { operationId } = (await network.admin.call('verifyRoomBackup', { params: { id } })).body
      await until('the step is held', () => network.faultHappened())
      expect(await sentForTests(network)).toHaveLength(1)
      await network.admin.call('cancelOperation', { params: { id: operationId } })
      await network.settle()
      expect(await operation(operationId)).toMatchObject({ state: 'cancelled' })
      expect(await sentForTests(network), step).toEqual([])
      await network.planFault(`backup.verify:${step}:after:fail`)
      expect(await verify(id)).toMatchObject({ state: 'failed' })
    }
    expect(await alarms()).toEqual([])
    expect(await listed(room)).toMatchObject({ verifiedAt: null, isKnownBad: false })
  })

  it('is refused beside another one of the backup, in a disabled region, and of an unknown backup', async () => {
    const { id } = await backedUp()
    await network.planFault('backup.verify:send-backup:after:hold')
    const { operationId } = (await network.admin.call('verifyRoomBackup', { params: { id } })).body
    await until('the step is held', () => network.faultHappened())
    expect(await refusalOf(id)).toMatchObject({ status: 409, type: 'urn:roomkeeper:verification-running' })
    await network.admin.call('cancelOperation', { params: { id: operationId } })
    await network.settle()
    await network.database.rows(`update regions set state = 'disabled' where id = 1`)
    expect(await refusalOf(id)).toMatchObject({ status: 409, type: 'urn:roomkeeper:wrong-state' })
    expect(await refusalOf(crypto.randomUUID())).toMatchObject({ status: 404 })
  })

  it('that failed is not retried beside another one of the backup', async () => {
    const { id } = await backedUp()
    await network.planFault('backup.verify:send-backup:after:fail')
    const failed = await startVerification(id)
    await network.planFault('backup.verify:send-backup:after:hold')
    const other = await startVerification(id, false)
    await until('the step is held', () => network.faultHappened())
    const retrying = network.admin.call('retryOperation', { params: { id: failed } })
    await expect(retrying).rejects.toMatchObject({ code: 'verification-running', problem: { status: 409 } })
    await network.admin.call('cancelOperation', { params: { id: other } })
    await network.settle()
  })

  it('does not take for the store what an earlier one has left on the region', async () => {
    const { id, file } = await backedUp()
    const content = await readFile(file)
    await network.planFault('backup.verify:record-verification:after:fail')
    const first = await startVerification(id)
    // As if the region had been away when that file was to be removed.
    const sent = { size: content.length, sha256: createHash('sha256').update(content).digest('hex') }
    const left = [`verify-${id}`, `verify-${first}-1`]
    for (const name of left)
      await network.regions[0]?.client.putFile(name, {
        ...sent,
        async *open(from: number) {
          yield content.subarray(from)
        },
      })
    await writeFile(file, oneByteAltered(content))
    expect(await verify(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('another SHA-256') })
    await network.admin.call('retryOperation', { params: { id: first } })
    await network.settle()
    expect(await operation(first)).toMatchObject({ state: 'failed', error: expect.stringContaining('another SHA-256') })
    await writeFile(file, content)
    expect(await verify(id)).toMatchObject({ state: 'done' })
    for (const name of left) await network.regions[0]?.client.deleteFile(name)
  })

  it('that finds a backup bad after a run of the doctor has read it is believed until the next run', async () => {
    const { id, file } = await backedUp()
    const content = await readFile(file)
    await writeFile(file, oneByteAltered(content))
    expect(await verify(id)).toMatchObject({ state: 'failed' })
    await writeFile(file, content)
    const foundAt = (when: string) =>
      network.database.rows(`update doctor_findings set seen_at = ${when} where subject = $1`, [id])
    // As if the run had read the file before the test did: whatever it reads was read a minute ago.
    await foundAt(`now() + interval '1 minute'`)
    await runDoctor(network)
    expect(await alarms()).toMatchObject([{ kind: 'backup-altered', subject: id }])
    await foundAt('now()')
    await runDoctor(network)
    expect(await alarms()).toEqual([])
  })

  it('on a region that cannot test backups fails, and says why', async () => {
    const { room, id } = await backedUp()
    await withoutOptionalJobs(network, 0)
    expect(await verify(id)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('cannot restore backups in a test'),
    })
    expect(await listed(room)).toMatchObject({ verifiedAt: null, isKnownBad: false })
  })
})

async function restore(tenantName: string, backupId: string) {
  return (await network.admin.call('restoreRoom', { body: { projectRoom: { tenantName }, backupId } })).body
}

/** A suspended room with content and a backup; `file` only of one in the backup store. */
async function backedUp(isD2O = false) {
  const room = await network.newRoom()
  await writeDocuments(network, room, { kept: { in: room } })
  await network.admin.call('suspendRoom', { body: { roomName: room, userNotification: false } })
  return { room, ...(await backUp(room, isD2O)) }
}

async function backUp(room: string, isD2O: boolean) {
  await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O } })
  await network.settle()
  const { id = '', location = '' } = (await listed(room)) ?? {}
  return { id, file: join(network.dir, 'server', 'backups', location) }
}

/** Alters a row of an indexed table in the file itself. */
async function damageIndexOf(room: string): Promise<void> {
  const path = join(network.dir, 'region-1', 'rooms', room, 'databases', 'main.db')
  const database = new DatabaseSync(path)
  database.exec(`CREATE TABLE orders (word TEXT); CREATE INDEX words ON orders (word);
    INSERT INTO orders VALUES ('word1'), ('word2'); PRAGMA wal_checkpoint(TRUNCATE)`)
  database.close()
  const content = await readFile(path)
  content.write('wordX', content.indexOf('word2'))
  await writeFile(path, content)
}

async function listed(projectRoom: string) {
  return (await network.admin.call('roomBackups', { query: { projectRoom } })).body[0]
}

async function verify(id: string) {
  return operation(await startVerification(id))
}

/** @param untilItEnds default: true */
async function startVerification(id: string, untilItEnds = true): Promise<string> {
  const { operationId } = (await network.admin.call('verifyRoomBackup', { params: { id } })).body
  if (untilItEnds) await network.settle()
  return operationId
}

async function operation(id: string) {
  const [row] = await network.database.rows<Record<string, unknown>>(
    'select state, error, room_id, room_name, region_id from operations where id = $1',
    [id],
  )
  return row
}

async function refusalOf(id: string): Promise<unknown> {
  const call = network.admin.call('verifyRoomBackup', { params: { id } })
  return call.then(
    () => null,
    (error: { problem?: unknown }) => error.problem,
  )
}

function alarms() {
  return network.database.rows('select kind, subject from doctor_findings where closed_at is null')
}

async function metric(): Promise<number> {
  const text = await (await fetch(`${network.server.address}/metrics`)).text()
  return Number(/^roomkeeper_bad_backups (\d+)$/m.exec(text)?.[1])
}

function oneByteAltered(content: Buffer): Buffer {
  const altered = Buffer.from(content)
  altered.writeUInt8(altered.readUInt8(content.length >> 1) ^ 1, content.length >> 1)
  return altered
}
