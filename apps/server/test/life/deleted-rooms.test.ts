/** A deleted room leaves a last backup, and is listed for as long as that is kept. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { creation } from '../doctor/creation.ts'
import { findingsAbout, repair } from '../doctor/run-doctor.ts'
import { holdRows } from '../hold-rows.ts'
import { serverKilled } from '../server-killed.ts'
import { wholeRoom, writeDocuments } from './room-life.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 2, env: { KEEP_DELETED_DAYS: '7' } })
})
afterAll(() => network?.stop())

describe('the deletion of a room', () => {
  it.each([
    ['an active', () => network.newRoom()],
    ['a suspended', () => network.newSuspendedRoom()],
  ])(
    'first takes a backup of %s one, which is read back and expires when the room cannot come back',
    async (_, make) => {
      const room = await make()
      const { row } = await wholeRoom(network, room)
      expect(await remove(room)).toMatchObject({ state: 'done' })
      expect(await wholeRoom(network, room)).toEqual({ row: null, region: null })
      const [listed] = await deletedRooms(room)
      expect(listed).toMatchObject({ projectRoomName: room, deletedBy: 'admin@localhost', backup: { kind: 'classic' } })
      expect(listed?.backup?.checkedAt).not.toBeNull()
      expect(daysUntil(listed?.keptUntil)).toBeCloseTo(7, 1)
      const [backup] = await backupsOf(String(row?.id))
      expect(backup).toMatchObject({ id: listed?.backup?.id, days: 7 })
    },
  )

  // shows: deleted-last-backup
  it('ends as ERROR when the backup cannot be taken, goes on when that is retried, and does without if asked', async () => {
    const [retried, forced] = [await network.newRoom(), await network.newRoom()]
    for (const room of [retried, forced]) {
      await network.planFault('room.delete:store-backup:before:fail')
      expect(await remove(room)).toMatchObject({ state: 'failed' })
      const { row, region } = await wholeRoom(network, room)
      expect([row?.state, region?.state]).toEqual(['ERROR', 'active'])
    }
    const { id = '' } = (await newestOperation(retried)) ?? {}
    await network.admin.call('retryOperation', { params: { id } })
    await network.settle()
    expect(await deletedRooms(retried)).toMatchObject([{ backup: { kind: 'classic' } }])
    expect(await remove(forced, true)).toMatchObject({ state: 'done' })
    expect(await deletedRooms(forced)).toMatchObject([{ projectRoomName: forced, backup: null }])
  })

  it('without a last backup keeps it with the newest one that is not known to be bad', async () => {
    const room = await network.newSuspendedRoom()
    for (let count = 0; count < 2; count += 1) {
      await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
      await network.settle()
    }
    const { body: backups } = await network.admin.call('roomBackups', { query: { projectRoom: room } })
    const [newer, older] = backups
    await network.database.rows(
      `insert into doctor_findings (key, kind, severity, section, subject, run_id)
       values ('bad', 'backup-altered', 'error', 'backups', $1::text, gen_random_uuid())`,
      [newer?.id],
    )
    expect(await remove(room, true)).toMatchObject({ state: 'done' })
    expect(await deletedRooms(room)).toMatchObject([{ backup: { id: older?.id } }])
    await network.database.rows(`delete from doctor_findings where key = 'bad'`)
  })

  it('takes none of a room that its region does not have', async () => {
    const room = await network.newRoom()
    const roomId = (await wholeRoom(network, room)).region?.roomId ?? ''
    await network.regions[0]?.client.runJob('gone', { type: 'deleteRoom', room, roomId })
    expect(await remove(room)).toMatchObject({ state: 'done' })
    expect(await deletedRooms(room)).toMatchObject([{ backup: null }])
  })

  it('keeps users out while it takes the backup, and lets them in again when it fails', async () => {
    const room = await network.newRoom()
    await network.planFault('room.delete:make-backup:after:hold')
    const { operationId } = (await network.admin.call('deleteRoom', { body: { roomName: room } })).body
    await expect.poll(() => network.faultHappened()).toBe(true)
    expect((await wholeRoom(network, room)).region?.state).toBe('suspended')
    await network.admin.call('cancelOperation', { params: { id: operationId } })
    await network.settle()
    expect((await wholeRoom(network, room)).region?.state).toBe('active')
  })

  it('that is retried later has what users did in between in its backup, and only that one is left', async () => {
    const room = await network.newRoom()
    const { row } = await wholeRoom(network, room)
    await network.planFault('room.delete:require-backup:after:fail')
    const failed = await remove(room)
    expect(failed).toMatchObject({ state: 'failed' })
    await writeDocuments(network, room, { later: { than: 'the first backup' } })
    const { digest } = (await wholeRoom(network, room)).region ?? {}
    await network.admin.call('retryOperation', { params: { id: failed?.id ?? '' } })
    await network.settle()
    expect(await backupsOf(String(row?.id))).toHaveLength(1)
    expect(await filesOf(String(row?.id))).toHaveLength(1)
    await network.admin.call('restoreDeletedRoom', { params: { id: await idOf(room) }, body: {} })
    await network.settle()
    expect((await wholeRoom(network, room)).region?.digest).toBe(digest)
  })

  it('that may have taken effect keeps its backup beside that of a retry, which may find an older room', async () => {
    const room = await network.newRoom()
    const roomId = String((await wholeRoom(network, room)).row?.id)
    await writeDocuments(network, room, { newest: {} })
    const { digest } = (await wholeRoom(network, room)).region ?? {}
    await network.planFault('room.delete:delete-room:after:fail')
    const failed = await remove(room)
    const [first] = await backupsOf(roomId)
    // As after the region's server was put back to an earlier state.
    await network.regions[0]?.client.createRoom(room, creation(roomId))
    await network.admin.call('retryOperation', { params: { id: failed?.id ?? '' } })
    await network.settle()
    expect(await newestOperation(room)).toMatchObject({ kind: 'room.delete', state: 'done' })
    expect((await backupsOf(roomId)).map(({ days }) => days)).toEqual([7, 7])
    expect(await filesOf(roomId)).toHaveLength(2)
    await network.admin.call('restoreDeletedRoom', { params: { id: await idOf(room) }, body: {} })
    await network.settle()
    expect((await wholeRoom(network, room)).region?.digest).not.toBe(digest)
    const { body: backups } = await network.admin.call('roomBackups', { query: { projectRoom: room } })
    expect(backups.map(({ id }) => id)).toContain(first?.id)
    await network.admin.call('verifyRoomBackup', { params: { id: first?.id ?? '' } })
    await network.settle()
    const [tested] = await network.database.rows<{ restored_at: string | null }>(
      'select restored_at from room_backups where id = $1',
      [first?.id],
    )
    expect(tested?.restored_at).not.toBeNull()
  })

  it('that failed lets users in again, also when an attempt before could not: the room was an error, and active', async () => {
    const room = await network.newRoom()
    await network.database.rows(`update rooms set state = 'ERROR', error_message = 'x' where name = $1`, [room])
    await network.planFault('room.delete:require-backup:after:fail')
    const failed = await remove(room)
    const { row, region } = await wholeRoom(network, room)
    expect([row?.state, region?.state]).toEqual(['ERROR', 'active'])
    // As when the region could not be reached by the first attempt any more.
    await network.regions[0]?.client.suspendRoom(room, String(row?.id))
    await network.planFault('room.delete:require-backup:after:fail')
    await network.admin.call('retryOperation', { params: { id: failed?.id ?? '' } })
    await network.settle()
    expect((await wholeRoom(network, room)).region?.state).toBe('active')
  })

  it('of a room that a failed one has left suspended brings it back as active as it was', async () => {
    const room = await network.newRoom()
    await network.planFault('room.delete:require-backup:after:fail')
    await remove(room)
    const { row } = await wholeRoom(network, room)
    expect(row?.state).toBe('ERROR')
    // As when the region could not be reached any more.
    await network.regions[0]?.client.suspendRoom(room, String(row?.id))
    expect(await remove(room)).toMatchObject({ state: 'done' })
    await network.admin.call('restoreDeletedRoom', { params: { id: await idOf(room) }, body: {} })
    await network.settle()
    const back = await wholeRoom(network, room)
    expect([back.row?.state, back.region?.state]).toEqual(['DEFAULT', 'active'])
  })

  it('does not go on without its backup: one that was lost meanwhile is taken again by a retry', async () => {
    const room = await network.newRoom()
    const { row } = await wholeRoom(network, room)
    await network.planFault('room.delete:record-backup:recorded:kill')
    await network.admin.call('deleteRoom', { body: { roomName: room } })
    await serverKilled(network)
    await rm(join(backupFolder(String(row?.id)), (await filesOf(String(row?.id)))[0] ?? ''))
    await network.restartServer()
    await network.settle()
    const failed = await newestOperation(room)
    expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('was not deleted') })
    expect((await wholeRoom(network, room)).region?.state).toBe('active')
    const params = { id: failed?.id ?? '' }
    await network.planFault('room.delete:require-backup:after:fail')
    await network.admin.call('retryOperation', { params })
    await network.settle()
    // The deletion itself has not begun yet, so the operation can still be cancelled.
    await network.planFault('room.delete:require-backup:after:hold')
    await network.admin.call('retryOperation', { params })
    await expect.poll(() => network.faultHappened()).toBe(true)
    await network.admin.call('cancelOperation', { params })
    await network.settle()
    const { row: again, region } = await wholeRoom(network, room)
    expect([again?.state, region?.state, await filesOf(String(row?.id))]).toEqual(['DEFAULT', 'active', []])
    expect(await remove(room)).toMatchObject({ state: 'done' })
    expect(await deletedRooms(room)).toMatchObject([{ backup: { kind: 'classic' } }])
    expect(await filesOf(String(row?.id))).toHaveLength(1)
  })

  it('leaves the room and no backup when it is cancelled before its region has begun', async () => {
    const room = await network.newRoom()
    await writeDocuments(network, room, { one: {} })
    const before = await wholeRoom(network, room)
    await network.planFault('room.delete:record-backup:after:hold')
    const { operationId } = (await network.admin.call('deleteRoom', { body: { roomName: room } })).body
    await expect.poll(() => network.faultHappened()).toBe(true)
    await network.admin.call('cancelOperation', { params: { id: operationId } })
    await network.settle()
    expect(await wholeRoom(network, room)).toEqual(before)
    expect(await deletedRooms(room)).toEqual([])
  })
})

describe('a deleted room that comes back', () => {
  // shows: deleted-restore, notes-survive, C-restoreDeletedRoom
  it.each([
    ['active', (given: object) => network.newRoom(given)],
    ['suspended', (given: object) => network.newSuspendedRoom(given)],
  ])('is as it was, %s and under another name if one is given', async (_, make) => {
    const room = await make({ licenses: { YABD: 3 }, companyName: 'Back Ltd.' })
    await network.admin.call('labelRoom', { body: { projectRoom: room, labels: ['VIP'] } })
    await network.admin.call('addRoomNote', { body: { projectRoom: room, text: 'Ticket 4711', pinned: true } })
    const before = await wholeRoom(network, room)
    await remove(room)
    const [listed] = await deletedRooms(room)
    const params = { id: listed?.id ?? '' }
    const tenantName = `${room}b`
    await network.admin.call('restoreDeletedRoom', { params, body: { tenantName } })
    await network.settle()
    expect(await newestOperation(tenantName)).toMatchObject({ state: 'done', error: null })
    const after = await wholeRoom(network, tenantName)
    expect({ ...after.row, backups: 0 }).toEqual(before.row)
    expect((await network.admin.call('room', { query: { projectRoom: tenantName } })).body).toMatchObject({
      labels: ['VIP'],
      pinnedNotes: [{ text: 'Ticket 4711' }],
    })
    expect(after.region).toEqual(before.region)
    expect(await deletedRooms(room)).toEqual([])
    expect(await backupsOf(String(before.row?.id))).toMatchObject([{ days: null }])
  })
})

describe('a room that comes back', () => {
  it('lets nobody in before it is whole, and is kept once it was checked: a retry goes on', async () => {
    const room = await network.newRoom()
    await writeDocuments(network, room, { one: {} })
    const before = await wholeRoom(network, room)
    await remove(room)
    const params = { id: await idOf(room) }
    await network.planFault('room.restore-deleted:send-settings:after:hold')
    const { operationId } = (await network.admin.call('restoreDeletedRoom', { params, body: {} })).body
    await expect.poll(() => network.faultHappened()).toBe(true)
    expect((await network.regions[0]?.client.room(room))?.state).toBe('suspended')
    await network.admin.call('labelRoom', { body: { projectRoom: room, labels: ['given meanwhile'] } })
    await network.admin.call('cancelOperation', { params: { id: operationId } })
    await network.settle()
    expect(await deletedRooms(room)).toMatchObject([{ state: 'KEPT' }])
    await network.planFault('room.restore-deleted:put-state-back:after:fail')
    await network.admin.call('restoreDeletedRoom', { params, body: {} })
    await network.settle()
    expect(await deletedRooms(room)).toEqual([])
    const failed = await newestOperation(room)
    expect([failed?.state, (await wholeRoom(network, room)).row?.state]).toEqual(['failed', 'ERROR'])
    await writeDocuments(network, room, { two: { written: 'meanwhile' } })
    const { digest } = (await wholeRoom(network, room)).region ?? {}
    await network.admin.call('retryOperation', { params: { id: failed?.id ?? '' } })
    await network.settle()
    const after = await wholeRoom(network, room)
    const { body } = await network.admin.call('room', { query: { projectRoom: room } })
    expect(body.labels).toEqual(['given meanwhile'])
    expect({ ...after.row, backups: 0 }).toEqual(before.row)
    expect(after.region?.digest).toBe(digest)
  })

  it('and was an error whose region kept users out comes back suspended', async () => {
    const room = await network.newSuspendedRoom()
    await network.database.rows(`update rooms set state = 'ERROR', error_message = 'x' where name = $1`, [room])
    await remove(room)
    await network.admin.call('restoreDeletedRoom', { params: { id: await idOf(room) }, body: {} })
    await network.settle()
    const { row, region } = await wholeRoom(network, room)
    expect([row?.state, region?.state]).toEqual(['SUSPENDED', 'suspended'])
  })

  it('from another good backup when the last one is known to be bad or gone', async () => {
    const room = await network.newSuspendedRoom()
    await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
    await network.settle()
    const roomId = String((await wholeRoom(network, room)).row?.id)
    const [earlier] = await backupsOf(roomId)
    await remove(room)
    const last = (await deletedRooms(room))[0]?.backup?.id
    expect(last).not.toBe(earlier?.id)
    await network.database.rows(
      `insert into doctor_findings (key, kind, severity, section, room_id, room_name, subject, facts, run_id)
       values ('a test', 'backup-altered', 'error', 'backups', $1, $2, $3, '{}', gen_random_uuid())`,
      [roomId, room, last],
    )
    expect(await deletedRooms(room)).toMatchObject([{ backup: { id: earlier?.id, isKnownBad: false } }])
    await network.database.rows(`delete from doctor_findings where key = 'a test'`)
    expect(await deletedRooms(room)).toMatchObject([{ backup: { id: last } }])
    await network.database.rows('delete from room_backups where id = $1', [last])
    expect(await deletedRooms(room)).toMatchObject([{ backup: { id: earlier?.id } }])
    const refused = network.admin.call('deleteRoomBackup', { params: { id: earlier?.id ?? '' } })
    await expect(refused).rejects.toMatchObject({ code: 'backup-of-deleted-room', problem: { status: 409 } })
    await network.admin.call('restoreDeletedRoom', { params: { id: await idOf(room) }, body: {} })
    await network.settle()
    expect(await newestOperation(room)).toMatchObject({ state: 'done' })
  })
})

it('a deleted room is locked before its backups: a restore from one of them and its adoption do not block each other', async () => {
  const [room, into] = [await network.newRoom(), await network.newSuspendedRoom()]
  await remove(room)
  const [listed] = await deletedRooms(room)
  const backupId = listed?.backup?.id ?? ''
  // As the adoption does, which then keeps the backups for longer.
  const held = await holdRows(network, 'select from deleted_rooms where id = $1 for update', [listed?.id])
  const body = { projectRoom: { tenantName: into }, backupId, confirmOtherRoom: true }
  const restoring = network.admin.call('restoreRoom', { body })
  await held.waitsFor(1)
  await held.query('update room_backups set expires_at = null where id = $1', [backupId])
  await held.release()
  const { operationId } = (await restoring).body
  await network.settle()
  expect(await newestOperation(into)).toMatchObject({ id: operationId, state: 'done' })
})

describe('a deleted room that cannot come back', () => {
  it('because its region has it again is not touched there: it can be adopted', async () => {
    const room = await network.newRoom()
    const { row, region } = await wholeRoom(network, room)
    const roomId = String(row?.id)
    await network.admin.call('labelRoom', { body: { projectRoom: room, labels: ['VIP'] } })
    await network.admin.call('addRoomNote', { body: { projectRoom: room, text: 'Ticket 4711', pinned: true } })
    await remove(room)
    const client = network.regions[0]?.client
    // As after the region's server was put back to an earlier state, and users have gone on.
    await client?.createRoom(room, creation(roomId))
    await writeDocuments(network, room, { newer: { than: 'any backup' } })
    const params = { id: await idOf(room) }
    await network.admin.call('restoreDeletedRoom', { params, body: {} })
    await network.settle()
    const refused = expect.stringContaining('still has this project room')
    expect(await newestOperation(room)).toMatchObject({ state: 'failed', error: refused })
    // Nor under another name, or in another region: there would be two of it.
    for (const elsewhere of [{ tenantName: 'itsnewname' }, { region: 2 }]) {
      const { operationId } = (await network.admin.call('restoreDeletedRoom', { params, body: elsewhere })).body
      await network.settle()
      const [again] = await network.database.rows('select state, error from operations where id = $1', [operationId])
      expect(again).toMatchObject({ state: 'failed', error: refused })
    }
    const there = await wholeRoom(network, room)
    expect([there.row, there.region?.roomId]).toEqual([null, roomId])
    expect(there.region?.digest).not.toBe(region?.digest)
    const [finding] = await findingsAbout(network, room)
    if (finding === undefined) throw new Error('The room was not found.')
    expect(await repair(network, finding, 'adopt')).toEqual({ state: 'done', error: null })
    expect(await deletedRooms(room)).toEqual([])
    expect(await backupsOf(roomId)).toMatchObject([{ days: null }])
    expect((await network.admin.call('room', { query: { projectRoom: room } })).body).toMatchObject({
      labels: ['VIP'],
      pinnedNotes: [{ text: 'Ticket 4711' }],
    })
    // Its next deletion is one like any other.
    await remove(room)
    const [again] = await deletedRooms(room)
    expect(daysUntil(again?.keptUntil)).toBeCloseTo(7, 1)
    await network.admin.call('restoreDeletedRoom', { params: { id: again?.id ?? '' }, body: {} })
    await network.settle()
    expect((await wholeRoom(network, room)).region?.digest).toBe(there.region?.digest)
  })

  it('because its name or SAP number is taken, or its region full or disabled, is refused and stays listed', async () => {
    const sapNumberLast = `SAP ${crypto.randomUUID().slice(0, 8)}`
    const room = await network.newRoom()
    await giveSapNumber(room, sapNumberLast)
    await remove(room)
    const params = { id: await idOf(room) }
    const restore = (body: { region?: number; tenantName?: string }) =>
      network.admin.call('restoreDeletedRoom', { params, body })
    await network.newRoom({ tenantName: room })
    await expect(restore({})).rejects.toMatchObject({ code: 'name-taken', problem: { status: 409 } })
    await giveSapNumber(await network.newRoom(), sapNumberLast)
    const tenantName = `${room}b`
    await expect(restore({ tenantName })).rejects.toMatchObject({ code: 'sap-number-taken', problem: { status: 409 } })
    await expect(restore({ tenantName, region: 99 })).rejects.toMatchObject({ problem: { status: 400 } })
    const second = (columns: string) => network.database.rows(`update regions set ${columns} where id = 2`)
    await second('max_rooms = 0')
    await expect(restore({ tenantName, region: 2 })).rejects.toMatchObject({ code: 'region-full' })
    await second("max_rooms = -1, state = 'disabled'")
    await expect(restore({ tenantName, region: 2 })).rejects.toMatchObject({ code: 'region-disabled' })
    await second("state = 'enabled'")
    expect(await deletedRooms(room)).toMatchObject([{ state: 'KEPT', operationId: null }])
  })

  it('because its backup is lost stays listed, and the reason says so', async () => {
    const room = await network.newRoom()
    await remove(room)
    const params = { id: await idOf(room) }
    await network.database.rows(
      "update room_backups set location = location || '.lost' where id = (select backup_id from deleted_rooms where id = $1)",
      [params.id],
    )
    await network.admin.call('restoreDeletedRoom', { params, body: {} })
    await network.settle()
    expect(await newestOperation(room)).toMatchObject({ state: 'failed', error: expect.stringContaining('.lost') })
    expect(await wholeRoom(network, room)).toEqual({ row: null, region: null })
    expect(await deletedRooms(room)).toMatchObject([{ state: 'KEPT', operationId: null }])
  })
})

describe('a room that had expired before it was deleted', () => {
  it('comes back as it was, in another region if one is named: with its day, past which it stays expired', async () => {
    const room = await network.newRoom()
    await network.database.rows("update rooms set expiration_date = '2020-02-01' where name = $1", [room])
    await remove(room)
    const params = { id: await idOf(room) }
    await network.admin.call('restoreDeletedRoom', { params, body: { region: 2 } })
    await network.settle()
    expect(await newestOperation(room)).toMatchObject({ state: 'done' })
    const { row, region } = await wholeRoom(network, room)
    expect([row?.region_id, region?.state]).toEqual([2, 'active'])
    const { body } = await network.admin.call('room', { query: { projectRoom: room } })
    expect(body.expirationDate).toMatch(/^2020-02-01/)
  })
})

describe('housekeeping', () => {
  it('forgets a room whose days are over, and its backup, but not while it comes back', async () => {
    const [over, coming] = [await network.newRoom(), await network.newRoom()]
    for (const room of [over, coming]) await remove(room)
    const ids = [await idOf(over), await idOf(coming)]
    const roomIds = await network.database.rows<{ id: string }>(
      'select room_id as id from deleted_rooms where id = any($1) order by name = $2 desc',
      [ids, over],
    )
    await network.planFault('room.restore-deleted:create-room:after:hold')
    await network.admin.call('restoreDeletedRoom', { params: { id: ids[1] ?? '' }, body: {} })
    await expect.poll(() => network.faultHappened()).toBe(true)
    await network.database.rows('update deleted_rooms set kept_until = now() where id = any($1)', [ids])
    await network.database.rows('update room_backups set expires_at = now() where room_id = any($1)', [
      roomIds.map(({ id }) => id),
    ])
    expect(await deletedRooms(over)).toEqual([])
    const late = network.admin.call('restoreDeletedRoom', { params: { id: ids[0] ?? '' }, body: {} })
    await expect(late).rejects.toMatchObject({ code: 'deleted-room-unknown' })
    await network.server.stop()
    // It cleans up as it starts.
    await network.restartServer()
    await network.settle()
    await expect.poll(() => backupsOf(roomIds[0]?.id ?? ''), { timeout: 20_000 }).toEqual([])
    const left = await network.database.rows('select id from deleted_rooms where id = any($1)', [ids])
    expect(left).toEqual([])
    expect(await newestOperation(coming)).toMatchObject({ kind: 'room.restore-deleted', state: 'done' })
    expect(await backupsOf(roomIds[1]?.id ?? '')).toMatchObject([{ days: null }])
  })
})

describe('the list of deleted rooms', () => {
  // shows: deleted-list, C-deletedRooms
  it('is searched by name, e-mail address and company, newest first and page by page', async () => {
    const company = 'Searched & Sons 100%'
    const names = [
      await network.newRoom({ companyName: company }),
      await network.newRoom({ companyName: company.toUpperCase() }),
    ]
    for (const name of names) await remove(name, true)
    expect((await deletedRooms('sons 100%')).map(({ projectRoomName }) => projectRoomName)).toEqual(names.toReversed())
    const query = { search: 'sons 100%', page: 1, size: 1 }
    const { body } = await network.admin.call('deletedRooms', { query })
    expect(body).toMatchObject({ data: [{ projectRoomName: names[0] }], totalElements: 2, totalPages: 2 })
  })

  it('has nobody while KEEP_DELETED_DAYS is 0: no backup is taken', async () => {
    const room = await network.newRoom()
    await network.server.stop()
    await network.restartServer({ KEEP_DELETED_DAYS: '0' })
    const { row } = await wholeRoom(network, room)
    expect(await remove(room)).toMatchObject({ state: 'done' })
    expect(await deletedRooms(room)).toEqual([])
    expect(await backupsOf(String(row?.id))).toEqual([])
  })
})

async function remove(roomName: string, withoutBackup?: boolean) {
  await network.admin.call('deleteRoom', { body: { roomName, withoutBackup } })
  await network.settle()
  return newestOperation(roomName)
}

async function giveSapNumber(room: string, sapNumber: string): Promise<void> {
  await network.database.rows('update rooms set sap_number_last = $2 where name = $1', [room, sapNumber])
}

async function idOf(room: string): Promise<string> {
  return (await deletedRooms(room)).find(({ projectRoomName }) => projectRoomName === room)?.id ?? ''
}

async function newestOperation(room: string) {
  const [row] = await network.database.rows<{ id: string; kind: string; state: string; error: string | null }>(
    'select id, kind, state, error from operations where room_name = $1 order by created_at desc limit 1',
    [room],
  )
  return row
}

async function deletedRooms(search: string) {
  return (await network.admin.call('deletedRooms', { query: { search } })).body.data
}

function backupsOf(roomId: string) {
  return network.database.rows<{ id: string; days: number }>(
    `select id, round(extract(epoch from expires_at - now()) / 86400)::int as days from room_backups where room_id = $1`,
    [roomId],
  )
}

const backupFolder = (roomId: string) => join(network.dir, 'server', 'backups', 'rooms', roomId)
// The folder goes with its last file.
const filesOf = (roomId: string) => readdir(backupFolder(roomId)).catch(() => [])

function daysUntil(time: string | undefined): number {
  return (new Date(time ?? 0).getTime() - Date.now()) / 86_400_000
}
