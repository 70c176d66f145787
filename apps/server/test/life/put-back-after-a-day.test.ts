/**
 * A retry completes an incomplete undo however late it comes, because an undo needs neither the uploads nor the secrets
 * that are removed a day after a failure.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digestOf, wholeRoom, writeDocuments } from './room-life.ts'

let network: Network
let backup: Uint8Array<ArrayBuffer>
let adb: Uint8Array<ArrayBuffer>
const password = 'the password of the export'

beforeAll(async () => {
  network = await bootNetwork()
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: { from: 'the backup' } })
  const { client } = network.regions[0] as Network['regions'][number]
  const contentOf = async ({ file }: { file: string }) =>
    new Uint8Array(Buffer.concat(await (await client.getFile(file)).content.toArray()))
  backup = await contentOf(await client.runJob('backup', { type: 'backupRoom', room }))
  adb = await contentOf(await client.runJob('export', { type: 'backupDatabase', room, database: 'main', password }))
})
afterAll(() => network?.stop())

describe('a restore that could not be put back', () => {
  it('is put back by a retry after a day', async () => {
    const { room, digest, id } = await restoreNotPutBack()
    expect(await rowOf(room)).toMatchObject({ state: 'ERROR' })
    await aDayLater(id)
    await network.restartRegion(0)
    await retry(id)
    expect(await rowOf(room)).toEqual({ state: 'SUSPENDED', error_message: null })
    expect(await digestOf(network, room)).toBe(digest)
  })

  it('leaves the room suspended, and says so, when its region has not kept what it held before', async () => {
    const { room, digest, id } = await restoreNotPutBack()
    await aDayLater(id)
    await rm(`${network.dir}/region-1/files`, { recursive: true })
    const rooms = `${network.dir}/region-1/rooms`
    for (const name of await readdir(rooms))
      if (name.startsWith('.kept-')) await rm(join(rooms, name), { recursive: true })
    await network.restartRegion(0)
    await retry(id)
    expect(await rowOf(room)).toEqual({ state: 'SUSPENDED', error_message: null })
    expect(await endOf(id)).toEqual({
      state: 'failed',
      error:
        'The operation was cancelled. The region does not have what the project room held before (any more): the project room stays as it is there.',
    })
    expect(await digestOf(network, room)).not.toBe(digest)
    await network.admin.call('resumeRoom', { body: { roomName: room } })
  })
})

it('an import of a database that could not be put back is put back by a retry after a day', async () => {
  const room = await network.newRoom()
  const { fileName: file } = await network.upload('uploadDatabase', { name: 'a.adb', content: adb })
  const body = { dbName: 'extra', dbPassword: password, file, roomName: room }
  await network.planFault('database.import:import-database:after:hold')
  const { operationId } = (await network.admin.call('importDatabase', { body })).body
  await cancelWithoutRegion(operationId)
  await aDayLater(operationId)
  await network.restartRegion(0)
  expect((await wholeRoom(network, room)).region?.databases.sort()).toEqual(['extra', 'main'])
  await retry(operationId)
  expect((await wholeRoom(network, room)).region?.databases).toEqual(['main'])
})

/** A restore that was cancelled after the region had done it, while the region did not answer. */
async function restoreNotPutBack() {
  const room = await network.newRoom()
  await writeDocuments(network, room, { old: {} })
  await network.admin.call('suspendRoom', { body: { roomName: room } })
  const digest = await digestOf(network, room)
  const { tmpFileName } = await network.upload('uploadBackup', { name: 'backup.zip', content: backup })
  const body = { projectRoom: { tenantName: room }, tmpFileName, confirmOtherRoom: true }
  await network.planFault('room.restore:restore-room:after:hold')
  const { operationId: id } = (await network.admin.call('restoreRoom', { body })).body
  await cancelWithoutRegion(id)
  return { room, digest, id }
}

async function cancelWithoutRegion(id: string): Promise<void> {
  await until('the region has done it', () => network.faultHappened())
  await network.regions[0]?.stop('SIGKILL')
  await network.admin.call('cancelOperation', { params: { id } })
  await until('its undo fails', async () => {
    const failing = await network.database.rows(
      `update operation_steps set failing_since = now() - interval '20 minutes'
        where operation_id = $1 and failing_since is not null and failing_undo returning 1`,
      [id],
    )
    return failing.length > 0
  })
  await network.settle()
}

/** Lets a day pass, after which the uploads and secrets of failed operations are gone. */
async function aDayLater(id: string): Promise<void> {
  await network.database.rows(`update operations set ended_at = ended_at - interval '25 hours' where id = $1`, [id])
  await network.database.rows(`update uploads set delete_after = delete_after - interval '25 hours'`)
  await network.server.stop()
  await network.restartServer()
  await until('housekeeping was there', async () => {
    const left = await network.database.rows(
      `select 1 from uploads union all select 1 from operations where id = $1 and input ? 'sealed'`,
      [id],
    )
    return left.length === 0
  })
}

async function retry(id: string): Promise<void> {
  await network.admin.call('retryOperation', { params: { id } })
  await network.settle()
}

async function rowOf(room: string) {
  return (await network.database.rows('select state, error_message from rooms where name = $1', [room]))[0]
}

async function endOf(id: string) {
  return (await network.database.rows('select state, error from operations where id = $1', [id]))[0]
}
