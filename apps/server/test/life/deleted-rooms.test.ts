/** A deleted room leaves a last backup, and is listed for as long as that is kept. */
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wholeRoom, writeDocuments } from './room-life.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: [{ env: { REGION_FAULTS: '1' } }, {}], env: { KEEP_DELETED_DAYS: '7' } })
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

  it('takes none of a room that its region does not have', async () => {
    const room = await network.newRoom()
    const roomId = (await wholeRoom(network, room)).region?.roomId ?? ''
    await network.regions[0]?.client.runJob('gone', { type: 'deleteRoom', room, roomId })
    expect(await remove(room)).toMatchObject({ state: 'done' })
    expect(await deletedRooms(room)).toMatchObject([{ backup: null }])
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
  // shows: deleted-restore
  it.each([
    ['active', (given: object) => network.newRoom(given)],
    ['suspended', (given: object) => network.newSuspendedRoom(given)],
  ])('is as it was, %s and under another name if one is given', async (_, make) => {
    const room = await make({ licenses: { YABD: 3 }, companyName: 'Back Ltd.' })
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
    expect(after.region).toEqual(before.region)
    expect(await deletedRooms(room)).toEqual([])
    expect(await backupsOf(String(before.row?.id))).toMatchObject([{ days: null }])
  })
})

describe('a deleted room that cannot come back', () => {
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
  // shows: deleted-list
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

function daysUntil(time: string | undefined): number {
  return (new Date(time ?? 0).getTime() - Date.now()) / 86_400_000
}
