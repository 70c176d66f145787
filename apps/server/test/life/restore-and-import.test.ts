/** Backups that are restored into their own room, another room or a new room. */
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  bootNetwork,
  miningDraft,
  type Network,
  type RunningRegion,
  roomDraft,
  uniqueRoomName,
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
