/** A full disk on the server or the region: a clear reason, nothing lost, no partial files, and a retry works. */
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { bootNetwork, mountSmallDisk, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { isOwnFile } from '../own-files.ts'
import { withoutOptionalJobs } from './region-without-optional-jobs.ts'
import { digestOf, wholeRoom, writeDocuments } from './room-life.ts'

const serverDisk = mountSmallDisk(128)
const regionDisk = mountSmallDisk(128)
let network: Network

beforeAll(async () => {
  if (serverDisk === null || regionDisk === null) return
  network = await bootNetwork({
    env: { BACKUP_STORE: join(serverDisk.folder, 'store') },
    regions: [{ dataDir: join(regionDisk.folder, 'region') }],
  })
})
afterAll(async () => {
  await network?.stop()
  serverDisk?.remove()
  regionDisk?.remove()
})

describe.skipIf(serverDisk === null || regionDisk === null)('a backup', () => {
  it.each(['server', 'region'] as const)(
    'that does not fit on the disk of the %s fails with nothing left of it',
    async (where) => {
      const disk = where === 'server' ? serverDisk : regionDisk
      const room = await suspendedRoomOfMegabytes(6)
      const before = await wholeRoom(network, room)
      const filesBefore = await filesOfStore()
      await disk?.fillUpTo(2_000_000)
      const { operationId } = (
        await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
      ).body
      await network.settle()
      const log = (await network.admin.call('operationLog', { query: { processId: operationId } })).body
      expect(log).toMatchObject({ state: 'failed', errorText: expect.stringContaining('no space left on the storage') })
      await disk?.relieve()
      expect(await wholeRoom(network, room)).toEqual(before)
      expect(await filesOfStore()).toEqual(filesBefore)
      await network.admin.call('retryOperation', { params: { id: operationId } })
      await network.settle()
      expect((await wholeRoom(network, room)).row).toMatchObject({ state: 'SUSPENDED', backups: 1 })
    },
  )
})

describe.skipIf(serverDisk === null || regionDisk === null)('a restore', () => {
  // shows: states-restore-fails
  it('that does not fit on the disk of the region leaves the room as it was', async () => {
    const source = await suspendedRoomOfMegabytes(8)
    await network.admin.call('backupRoom', { query: { projectRoomName: source, isD2O: false } })
    await network.settle()
    const [backup] = (await network.admin.call('roomBackups', { query: { projectRoom: source } })).body
    const answer = await network.admin.open('roomBackupContent', { params: { id: backup?.id ?? '' } })
    const content = new Uint8Array(await answer.arrayBuffer())
    const room = await suspendedRoomOfMegabytes(1)
    const before = await wholeRoom(network, room)
    const { tmpFileName } = await network.upload('uploadBackup', { name: 'a.zip', content })
    await regionDisk?.fillUpTo(12_000_000)
    const body = { projectRoom: { tenantName: room }, tmpFileName, confirmOtherRoom: true }
    const { operationId } = (await network.admin.call('restoreRoom', { body })).body
    await network.settle()
    const log = (await network.admin.call('operationLog', { query: { processId: operationId } })).body
    expect(log).toMatchObject({ state: 'failed', errorText: expect.stringContaining('no space left on the storage') })
    await regionDisk?.relieve()
    expect(await wholeRoom(network, room)).toEqual(before)
  })
})

describe.skipIf(serverDisk === null || regionDisk === null)('a restore whose room could not be kept first', () => {
  it('as on a region that keeps nothing of what it replaces, is done by a retry once there is space', async () => {
    onTestFinished(await withoutOptionalJobs(network, 0))
    const source = await suspendedRoomOfMegabytes(1)
    await network.admin.call('backupRoom', { query: { projectRoomName: source, isD2O: false } })
    await network.settle()
    const [backup] = (await network.admin.call('roomBackups', { query: { projectRoom: source } })).body
    const answer = await network.admin.open('roomBackupContent', { params: { id: backup?.id ?? '' } })
    const content = new Uint8Array(await answer.arrayBuffer())
    const room = await suspendedRoomOfMegabytes(8)
    const { tmpFileName } = await network.upload('uploadBackup', { name: 'a.zip', content })
    await regionDisk?.fillUpTo(4_000_000)
    const body = { projectRoom: { tenantName: room }, tmpFileName, confirmOtherRoom: true }
    const { operationId } = (await network.admin.call('restoreRoom', { body })).body
    await network.settle()
    const failed = (await network.admin.call('operationLog', { query: { processId: operationId } })).body
    const reason = 'Region region-1: There is no space left on the storage of the region.'
    expect(failed.lines).toContainEqual(
      expect.objectContaining({ level: 'error', text: `restore the room on the region: ${reason}` }),
    )
    await regionDisk?.relieve()
    await network.admin.call('retryOperation', { params: { id: operationId } })
    await network.settle()
    const retried = (await network.admin.call('operationLog', { query: { processId: operationId } })).body
    expect(retried).toMatchObject({ state: 'done', errorText: null })
    expect(await digestOf(network, room)).toBe(await digestOf(network, source))
  })
})

async function suspendedRoomOfMegabytes(megabytes: number): Promise<string> {
  const room = await network.newRoom()
  const piece = () => ({ content: randomBytes(250_000).toString('hex') })
  for (let part = 0; part < megabytes * 2; part++) await writeDocuments(network, room, { [`part${part}`]: piece() })
  await network.admin.call('suspendRoom', { body: { roomName: room, userNotification: false } })
  return room
}

async function filesOfStore(): Promise<string[]> {
  const entries = await readdir(join(serverDisk?.folder ?? '', 'store'), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => [])
  return entries
    .filter((each) => each.isFile() && !isOwnFile(each.name))
    .map((each) => join(each.parentPath, each.name))
    .sort()
}
