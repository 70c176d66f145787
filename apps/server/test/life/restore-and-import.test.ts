/** Backups that are restored into their own room, another room or a new room. */
import { createHash, randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  bootNetwork,
  miningDraft,
  type Network,
  type RunningRegion,
  roomDraft,
  uniqueRoomName,
  until,
} from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wrongDocuments } from '../chaos/real-room.ts'
import { digestOf, wholeRoom, writeDocuments } from './room-life.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork()
})
afterAll(() => network?.stop())

describe('a classic backup', () => {
  // shows: C-backupRoom, C-restoreRoom
  it('is listed with size and digest, downloaded, and brings back what the room held', async () => {
    const room = await network.newRoom()
    await writeDocuments(network, room, { precious: { worth: 'keeping' } })
    await suspend(room)
    const digest = await digestOf(network, room)
    const zip = await backup(room)
    await resume(room)
    await writeDocuments(network, room, { precious: { worth: 'nothing' }, more: {} })
    await suspend(room)
    expect(await digestOf(network, room)).not.toBe(digest)
    const { tmpFileName, backup: contents } = await network.upload('uploadBackup', {
      name: `${room}.zip`,
      content: zip,
    })
    expect(contents).toMatchObject({
      kind: 'room',
      roomName: room,
      product: 'ARIS',
      edition: 'basic',
      databases: ['main'],
    })
    await network.admin.call('restoreRoom', { body: { projectRoom: { tenantName: room }, tmpFileName } })
    await network.settle()
    expect(await digestOf(network, room)).toBe(digest)
    expect((await wholeRoom(network, room)).row).toMatchObject({ state: 'SUSPENDED' })
  })

  // shows: rooms-backup-suspended, states-one-operation
  it('is made only of suspended rooms, and not while something else runs', async () => {
    const room = await network.newRoom()
    const start = () => network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
    await expect(start()).rejects.toMatchObject({
      problem: { status: 409, detail: 'The project room must be suspended first.' },
    })
    await suspend(room)
    await start()
    await expect(start()).rejects.toMatchObject({ problem: { status: 409 } })
    await network.settle()
  })

  // shows: rooms-backups-id
  it('of a deleted room never appears under a later room of that name', async () => {
    const room = await network.newRoom()
    await suspend(room)
    await backup(room)
    await network.admin.call('deleteRoom', { body: { roomName: room } })
    await network.settle()
    await network.newRoom({ tenantName: room })
    expect((await network.admin.call('roomBackups', { query: { projectRoom: room } })).body).toEqual([])
    const kept = await network.database.rows<{ days: number }>(
      'select distinct round(extract(epoch from expires_at - now()) / 86400)::int as days from room_backups where room_name = $1',
      [room],
    )
    expect(kept).toEqual([{ days: 30 }])
  })
})

describe('a restore', () => {
  // shows: rooms-restore-product
  it('of another product is refused, and the file can still be used', async () => {
    const mining = await network.newRoom(miningDraft())
    await suspend(mining)
    const zip = await backup(mining)
    const aris = await network.newSuspendedRoom()
    const { tmpFileName } = await network.upload('uploadBackup', { name: 'a.zip', content: zip })
    const restore = (tenantName: string) =>
      network.admin.call('restoreRoom', { body: { projectRoom: { tenantName }, tmpFileName } })
    await expect(restore(aris)).rejects.toMatchObject({
      problem: { status: 422, detail: 'The backup is of MINING, the project room is of ARIS.' },
    })
    await restore(mining)
    await network.settle()
    await expect(restore(mining)).rejects.toMatchObject({ problem: { status: 404 } })
  })

  it('of a file that the store has lost fails at once, and says which file is missing', async () => {
    const room = await network.newRoom()
    await suspend(room)
    const digest = await digestOf(network, room)
    const { tmpFileName } = await network.upload('uploadBackup', { name: 'a.zip', content: await backup(room) })
    const [upload] = await network.database.rows<{ key: string }>(
      'select store_key as key from uploads where name = $1',
      [tmpFileName],
    )
    await rm(join(network.dir, 'server', 'backups', upload?.key ?? ''))
    const restore = await network.admin.call('restoreRoom', {
      body: { projectRoom: { tenantName: room }, tmpFileName },
    })
    await network.settle()
    const told = await network.database.rows(
      `select state, error, (select count(*)::int from operation_log where operation_id = id and level = 'warning') as warnings
         from operations where id = $1`,
      [restore.body.operationId],
    )
    const error = `The file ${upload?.key} is missing in the backup store.`
    expect(told).toEqual([{ state: 'failed', error: expect.stringContaining(error), warnings: 0 }])
    expect(await digestOf(network, room)).toBe(digest)
  })

  // shows: rooms-restore-other, states-settings-after
  it("of another room's backup wants to be confirmed, and sends the console's own settings after it", async () => {
    const source = await network.newRoom({ companyName: 'Source Ltd.', licenses: { YABD: 3 } })
    await writeDocuments(network, source, { from: { source } })
    await suspend(source)
    const zip = await backup(source)
    const target = await network.newSuspendedRoom({ companyName: 'Target Ltd.', licenses: { YABD: 5 } })
    const { tmpFileName } = await network.upload('uploadBackup', { name: 'a.zip', content: zip })
    const body = { projectRoom: { tenantName: target }, tmpFileName }
    await expect(network.admin.call('restoreRoom', { body })).rejects.toMatchObject({
      problem: { status: 409, type: 'urn:roomkeeper:other-room', detail: expect.stringContaining(source) },
    })
    await network.admin.call('restoreRoom', { body: { ...body, confirmOtherRoom: true } })
    await network.settle()
    const { region } = await wholeRoom(network, target)
    expect(region?.licences.find((each) => each.licenseKey === 'YABD')?.licenseAmount).toBe(5)
  })

  // shows: C-restoreRoom, rooms-restore-new
  it('into a room that does not exist creates it, for which all of it must be sent', async () => {
    const source = await network.newRoom()
    await writeDocuments(network, source, { from: { source } })
    await suspend(source)
    const content = await digestOf(network, source)
    const zip = await backup(source)
    const { tmpFileName } = await network.upload('uploadBackup', { name: 'a.zip', content: zip })
    const tenantName = uniqueRoomName('fresh')
    const send = (projectRoom: object) =>
      network.admin.call('restoreRoom', { body: { projectRoom: projectRoom as never, tmpFileName } })
    await expect(send({ tenantName })).rejects.toMatchObject({ problem: { status: 404 } })
    await expect(send({ tenantName, product: 'ARIS' })).rejects.toMatchObject({ problem: { status: 400 } })
    await send(roomDraft({ tenantName }))
    await network.settle()
    expect((await wholeRoom(network, tenantName)).row).toMatchObject({ state: 'DEFAULT' })
    expect(await digestOf(network, tenantName)).toBe(content)
  })
})

describe('a stored backup', () => {
  // shows: C-restoreRoom, C-inspectRoomBackup, stored-restore
  it('is looked into and restored by its id, if need be again, and the room holds what it held then', async () => {
    const room = await network.newRoom()
    await writeDocuments(network, room, { precious: { worth: 'keeping' } })
    await suspend(room)
    const digest = await digestOf(network, room)
    const stored = await storedBackup(room)
    expect(stored).toMatchObject({ policies: [], isKnownBad: false })
    await resume(room)
    await writeDocuments(network, room, { precious: { worth: 'nothing' }, more: {} })
    await suspend(room)
    const { body: contents } = await network.admin.call('inspectRoomBackup', { params: { id: stored.id } })
    expect(contents).toMatchObject({ kind: 'room', roomName: room, product: 'ARIS', databases: ['main'] })
    const before = await digestOf(network, room)
    await network.planFault('room.restore:send-settings:before:fail')
    const failed = await restoreStored(room, stored.id)
    expect(failed).toMatchObject({ kind: 'room.restore', state: 'failed' })
    expect(await digestOf(network, room)).toBe(before)
    await network.admin.call('retryOperation', { params: { id: failed.id } })
    await network.settle()
    expect(await digestOf(network, room)).toBe(digest)
    // What was brought into the store, or restored, takes no more space on the region.
    const files = await readdir(join(network.dir, 'region-1', 'files'))
    expect(files.filter((name) => name.includes(stored.id) || name.includes(failed.id))).toEqual([])
    expect((await wholeRoom(network, room)).row).toMatchObject({ state: 'SUSPENDED' })
    const [entry] = await network.database.rows(
      `select actor, action, detail from audit where room_name = $1 and action like 'room.restore%'`,
      [room],
    )
    expect(entry).toEqual({ actor: 'admin@localhost', action: 'room.restore', detail: stored.location })
  })

  // shows: stored-restore-one
  it('or an uploaded one has to be given, not both, and only into a room that exists and is suspended', async () => {
    const wrong = async (given: object) => {
      const body = { projectRoom: { tenantName: 'any' }, ...given }
      const { problem } = await network.admin.call('restoreRoom', { body }).catch((error) => error)
      return [problem.status, problem.errors.map(({ field, code }: { field: string; code: string }) => [field, code])]
    }
    const backupId = randomUUID()
    expect(await wrong({})).toEqual([400, [['tmpFileName', 'upload-or-backup-missing']]])
    expect(await wrong({ tmpFileName: 'a.zip', backupId })).toEqual([400, [['backupId', 'backup-besides-upload']]])
    const room = await network.newSuspendedRoom()
    await expect(restoreStored(room, backupId)).rejects.toMatchObject({ problem: unknown })
    const { id } = await storedBackup(room)
    await expect(restoreStored(uniqueRoomName('none'), id)).rejects.toMatchObject({ problem: { status: 404 } })
    await resume(room)
    await expect(restoreStored(room, id)).rejects.toMatchObject({
      problem: { status: 409, detail: 'The project room must be suspended first.' },
    })
  })

  // shows: stored-restore-other
  it('of another room wants to be confirmed, and of another product is refused', async () => {
    const source = await network.newRoom()
    await writeDocuments(network, source, { from: { source } })
    await suspend(source)
    const content = await digestOf(network, source)
    const { id } = await storedBackup(source)
    const target = await network.newSuspendedRoom()
    await expect(restoreStored(target, id)).rejects.toMatchObject({
      problem: { status: 409, type: 'urn:roomkeeper:other-room', detail: expect.stringContaining(source) },
    })
    const mining = await network.newRoom(miningDraft())
    await suspend(mining)
    await expect(restoreStored(mining, id, true)).rejects.toMatchObject({
      problem: {
        type: 'urn:roomkeeper:other-product',
        detail: 'The backup is of ARIS, the project room is of MINING.',
      },
    })
    expect(await restoreStored(target, id, true)).toMatchObject({ state: 'done' })
    expect(await digestOf(network, target)).toBe(content)

    await network.admin.call('deleteRoom', { body: { roomName: source } })
    await network.settle()
    await network.database.rows('update deleted_rooms set purge_begun_at = now() where name = $1', [source])
    await expect(restoreStored(target, id, true)).rejects.toMatchObject({
      problem: { type: 'urn:roomkeeper:purge-begun' },
    })
  })

  // shows: stored-restore-refused
  it('that is still being taken, or is being removed, is refused; one that was lost fails and changes nothing', async () => {
    const room = await network.newSuspendedRoom()
    const other = await network.newSuspendedRoom()
    await network.planFault('room.backup:record-backup:after:hold')
    const query = { projectRoomName: other, isD2O: false }
    const { operationId: taken } = (await network.admin.call('backupRoom', { query })).body
    await until('the step is held', () => network.faultHappened())
    await expect(restoreStored(room, taken, true)).rejects.toMatchObject({
      problem: { status: 409, type: 'urn:roomkeeper:backup-in-use', detail: expect.stringContaining('still being') },
    })
    await network.admin.call('cancelOperation', { params: { id: taken } })
    await network.settle()
    await expect(restoreStored(room, taken, true)).rejects.toMatchObject({ problem: unknown })

    const { id, location } = await storedBackup(room)
    await network.database.rows(
      `insert into backup_uses (id, backup_id, kind, used_by, held_until)
       values (gen_random_uuid(), $1, 'removal', 'x', now() + interval '30 seconds')`,
      [id],
    )
    await expect(restoreStored(room, id)).rejects.toMatchObject({ problem: unknown })
    await network.database.rows('delete from backup_uses')

    const before = await wholeRoom(network, room)
    await rm(join(network.dir, 'server', 'backups', location))
    await expect(network.admin.call('inspectRoomBackup', { params: { id } })).rejects.toMatchObject({
      problem: { status: 409, type: 'urn:roomkeeper:backup-damaged' },
    })
    const failed = await restoreStored(room, id)
    expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining(`The file ${location} is missing`) })
    expect(await wholeRoom(network, room)).toEqual(before)
    await network.admin.call('deleteRoomBackup', { params: { id } })
    await expect(network.admin.call('retryOperation', { params: { id: failed.id } })).rejects.toMatchObject({
      problem: unknown,
    })
    expect((await wholeRoom(network, room)).row).toMatchObject({ state: 'SUSPENDED' })
  })

  const unknown = { status: 404, type: 'urn:roomkeeper:backup-unknown' }
})

describe('an import', () => {
  // shows: C-importRoom, import-second
  it('fills the form from the manifest and makes a room with the same content, and a second product backup joins it', async () => {
    const source = await network.newRoom({ companyName: 'Moved Ltd.', licenses: { YABD: 4 } })
    await writeDocuments(network, source, { from: source })
    await suspend(source)
    const zip = await backup(source)
    const sales = await network.as('CLOUD_SALES')
    const found = await network.upload('uploadImport', { name: 'moved.zip', content: zip }, sales)
    expect(found).toMatchObject({
      tenantName: source,
      product: 'ARIS',
      companyName: 'Moved Ltd.',
      licenses: { YABD: 4 },
    })
    const product = await productBackup('extra')
    const { tmpFileName: productTmpFileName } = await network.upload(
      'uploadBackup',
      { name: 'product.zip', content: product },
      sales,
    )
    const tenantName = uniqueRoomName('imported')
    const { operationId } = (
      await sales.call('importRoom', {
        body: { projectRoom: roomDraft({ tenantName }), tmpFileName: found.tmpFileName, productTmpFileName },
      })
    ).body
    await network.settle()
    const log = (await sales.call('operationLog', { query: { processId: operationId } })).body
    expect(log.errorText).toBeNull()
    const { row, region } = await wholeRoom(network, tenantName)
    expect(row).toMatchObject({ state: 'DEFAULT' })
    expect(region?.databases.sort()).toEqual(['extra', 'main'])
    const documents = { certain: new Map([['from', source]]), possible: new Map() }
    expect(await wrongDocuments(network.regions[0] as RunningRegion, tenantName, documents)).toEqual([])
  })

  it("of another operator's upload is refused, and so is none at all", async () => {
    const source = await network.newSuspendedRoom()
    const zip = await backup(source)
    const { tmpFileName } = await network.upload('uploadImport', { name: 'mine.zip', content: zip })
    const sales = await network.as('CLOUD_SALES')
    const projectRoom = roomDraft()
    const send = (name: string | null) =>
      sales.call('importRoom', { body: { projectRoom, tmpFileName: name, productTmpFileName: null } })
    await expect(send(tmpFileName)).rejects.toMatchObject({ problem: { status: 404 } })
    await expect(send(null)).rejects.toMatchObject({ problem: { status: 400 } })
  })

  it('with an existing name is refused and does not use the file up', async () => {
    const source = await network.newSuspendedRoom()
    const { tmpFileName } = await network.upload('uploadImport', { name: 'a.zip', content: await backup(source) })
    const send = (tenantName: string) =>
      network.admin.call('importRoom', {
        body: { projectRoom: roomDraft({ tenantName }), tmpFileName, productTmpFileName: null },
      })
    await expect(send(source)).rejects.toMatchObject({ problem: { status: 409 } })
    await send(uniqueRoomName('other'))
    await network.settle()
  })
})

describe('creating with a backup', () => {
  // shows: rooms-create-backup
  it('is for administrators and brings the content', async () => {
    const source = await network.newRoom()
    await writeDocuments(network, source, { from: { source } })
    await suspend(source)
    const digest = await digestOf(network, source)
    const { tmpFileName } = await network.upload('uploadBackup', { name: 'a.zip', content: await backup(source) })
    const body = { ...roomDraft(), tmpFileName }
    await expect((await network.as('CLOUD_SALES')).call('createRoom', { body })).rejects.toMatchObject({
      problem: { status: 403 },
    })
    await network.admin.call('createRoom', { body })
    await network.settle()
    expect(await digestOf(network, body.tenantName)).toBe(digest)
  })
})

/** A product backup of a room whose only database has this name. */
async function productBackup(database: string): Promise<Uint8Array<ArrayBuffer>> {
  const room = await network.newRoom()
  const roomId = (await wholeRoom(network, room)).region?.roomId ?? ''
  const { client } = network.regions[0] as Network['regions'][number]
  const made = await client.runJob('p1', { type: 'backupDatabase', room, database: 'main', password: 'x' })
  await client.runJob('p2', { type: 'importDatabase', room, roomId, database, file: made.file, password: 'x' })
  await client.runJob('p3', { type: 'deleteDatabase', room, roomId, database: 'main' })
  const { file } = await client.runJob('p4', { type: 'backupRoom', room, kind: 'product' })
  return new Uint8Array(Buffer.concat(await (await client.getFile(file)).content.toArray()))
}

async function storedBackup(projectRoom: string) {
  await backup(projectRoom)
  const [newest] = (await network.admin.call('roomBackups', { query: { projectRoom } })).body
  if (newest === undefined) throw new Error(`There is no backup of ${projectRoom}.`)
  return newest
}

/** @returns the operation, when it has ended */
async function restoreStored(tenantName: string, backupId: string, confirmOtherRoom = false) {
  const body = { projectRoom: { tenantName }, backupId, confirmOtherRoom }
  const { operationId } = (await network.admin.call('restoreRoom', { body })).body
  await network.settle()
  const [ended] = await network.database.rows<{ id: string; kind: string; state: string; error: string | null }>(
    'select id, kind, state, error from operations where id = $1',
    [operationId],
  )
  if (ended === undefined) throw new Error(`There is no operation ${operationId}.`)
  return ended
}

async function suspend(roomName: string): Promise<void> {
  await network.admin.call('suspendRoom', { body: { roomName, userNotification: false } })
}

async function resume(roomName: string): Promise<void> {
  await network.admin.call('resumeRoom', { body: { roomName, userNotification: false } })
}

/** Makes a classic backup, checks its entry against its content, and returns the content. */
async function backup(projectRoom: string): Promise<Uint8Array<ArrayBuffer>> {
  await network.admin.call('backupRoom', { query: { projectRoomName: projectRoom, isD2O: false } })
  await network.settle()
  const [entry] = (await network.admin.call('roomBackups', { query: { projectRoom } })).body
  expect(entry).toMatchObject({ kind: 'classic', checkedAt: expect.any(String), verifiedAt: null })
  const answer = await network.admin.open('roomBackupContent', { params: { id: entry?.id ?? '' } })
  const zip = new Uint8Array(await answer.arrayBuffer())
  expect(zip.byteLength).toBe(entry?.size)
  expect(createHash('sha256').update(zip).digest('hex')).toBe(entry?.sha256)
  return zip
}
