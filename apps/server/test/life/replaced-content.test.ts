/** What a room held before a restore: kept by its region, or packed as a backup first, and put back by an undo. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutOptionalJobs } from './region-without-optional-jobs.ts'
import { digestOf, wholeRoom, writeDocuments } from './room-life.ts'

let network: Network
let backup: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  network = await bootNetwork()
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: { from: 'the backup' } })
  const { client } = network.regions[0] as Network['regions'][number]
  const { file } = await client.runJob('backup', { type: 'backupRoom', room })
  backup = new Uint8Array(Buffer.concat(await (await client.getFile(file)).content.toArray()))
})
afterAll(() => network?.stop())

const kept = async () =>
  (await readdir(join(network.dir, 'region-1', 'rooms'))).filter((name) => name.startsWith('.kept-'))
/** The types of the jobs that the operation has started, in the order of their ids. */
const jobsOf = async (id: string) => {
  const { client } = network.regions[0] as Network['regions'][number]
  const names = ['keep', 'replace', 'replace-put-back-1', 'replace-put-back-2', 'restore', 'restore-put-back']
  const ids = [1, 2].flatMap((attempt) => names.map((name) => `${id}-${attempt}-${name}-0`))
  const found = await Promise.all(ids.map((each) => client.job(each).catch(() => null)))
  return found.flatMap((job) => (job === null ? [] : [`${job.type} ${job.state}`]))
}

async function suspendedRoom(): Promise<string> {
  const room = await network.newRoom()
  await writeDocuments(network, room, { old: {} })
  await network.admin.call('suspendRoom', { body: { roomName: room } })
  return room
}

async function restore(room: string): Promise<string> {
  const { tmpFileName } = await network.upload('uploadBackup', { name: 'backup.zip', content: backup })
  const body = { projectRoom: { tenantName: room }, tmpFileName, confirmOtherRoom: true }
  return (await network.admin.call('restoreRoom', { body })).body.operationId
}

/** Somebody works in the room, which is then suspended again. */
async function digestAfterWork(room: string): Promise<string> {
  const { client } = network.regions[0] as Network['regions'][number]
  const roomId = (await client.room(room))?.roomId ?? ''
  await client.resumeRoom(room, roomId)
  await writeDocuments(network, room, { [crypto.randomUUID()]: {} })
  await client.suspendRoom(room, roomId)
  return digestOf(network, room)
}

async function retry(id: string): Promise<void> {
  await network.admin.call('retryOperation', { params: { id } })
  await network.settle()
}

async function cancelAfterRestore(room: string): Promise<string> {
  await network.planFault('room.restore:restore-room:after:hold')
  const id = await restore(room)
  await until('the region has done it', () => network.faultHappened())
  await network.admin.call('cancelOperation', { params: { id } })
  await network.settle()
  return id
}

it('is kept by the region without a backup, and put back when the restore is cancelled', async () => {
  const room = await suspendedRoom()
  const before = await wholeRoom(network, room)
  const id = await cancelAfterRestore(room)
  expect(await wholeRoom(network, room)).toEqual(before)
  expect(await jobsOf(id)).toEqual(['replaceRoom done', 'putBackRoom done'])
  expect(await kept()).toEqual([])
})

it('of an attempt that was put back is not put back again by the next attempt, which had replaced nothing', async () => {
  const room = await suspendedRoom()
  await network.planFault('room.restore:send-settings:before:fail')
  const id = await restore(room)
  await network.settle()
  expect(await jobsOf(id)).toEqual(['replaceRoom done', 'putBackRoom done'])

  const before = await digestAfterWork(room)
  await network.planFault('room.restore:restore-room:before:fail')
  await retry(id)
  expect(await digestOf(network, room)).toBe(before)
})

describe('on a region that keeps nothing of what it replaces', () => {
  let end: (() => void) | undefined
  beforeAll(async () => {
    end = await withoutOptionalJobs(network, 0)
  })
  afterAll(() => end?.())

  it('is packed as a backup first, and put back from it', async () => {
    const room = await suspendedRoom()
    const before = await wholeRoom(network, room)
    const id = await cancelAfterRestore(room)
    expect(await wholeRoom(network, room)).toEqual(before)
    expect(await jobsOf(id)).toEqual(['backupRoom done', 'restoreRoom done', 'restoreRoom done'])
    await restore(room)
    await network.settle()
    expect((await wholeRoom(network, room)).row).toMatchObject({ state: 'SUSPENDED' })
    expect(await digestOf(network, room)).not.toBe(before.region?.digest)
  })

  it('of an attempt that was put back from its backup is not put back again by the next attempt, which could make none', async () => {
    const room = await suspendedRoom()
    await network.planFault('room.restore:send-settings:before:fail')
    const id = await restore(room)
    await network.settle()
    const done = ['backupRoom done', 'restoreRoom done', 'restoreRoom done']
    expect(await jobsOf(id)).toEqual(done)

    const before = await digestAfterWork(room)
    await network.setRegionFaults([{ file: 'sqlite-copy', path: 'work/', action: 'ENOSPC' }])
    await retry(id)
    expect(await jobsOf(id)).toEqual([...done, 'backupRoom failed'])
    expect(await digestOf(network, room)).toBe(before)
  })
})
