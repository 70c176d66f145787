/** Files that real regions make are accepted as uploads without changes. */

import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { bootNetwork, type Network, type RunningRegion, roomDraft } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendFiles } from './send-file.ts'

let network: Network
let region: RunningRegion
let room: { id: string; name: string }
beforeAll(async () => {
  network = await bootNetwork({ regions: 1 })
  const body = roomDraft({ licenses: { YABD: 4 } })
  await network.admin.call('createRoom', { body })
  await network.settle()
  const [first] = network.regions
  const [row] = await network.database.rows<{ id: string; name: string }>('select id, name from rooms')
  if (first === undefined || row === undefined) throw new Error('There is no room.')
  region = first
  room = row
})
afterAll(() => network?.stop())

it('the backup of a room fills the form of a new one', async () => {
  const content = await made('room', { type: 'backupRoom', room: room.name })
  const answer = await sendFiles(network, 'uploadImport', [{ content, name: `${room.name}.zip` }])
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({
    tenantName: room.name,
    licenses: { YABD: 4 },
    backup: { kind: 'room', roomName: room.name, databases: ['main'], size: content.length },
  })
})

it('a product backup is taken as the second one', async () => {
  const content = await made('product', { type: 'backupRoom', room: room.name, kind: 'product' })
  const answer = await sendFiles(network, 'uploadBackup', [{ content }])
  expect(await answer.json()).toMatchObject({ backup: { kind: 'product', databases: ['main'] } })
})

it('a database export is taken', async () => {
  const job = { type: 'backupDatabase', room: room.name, database: 'main', password: 'secret' } as const
  const content = await made('database', job)
  const answer = await sendFiles(network, 'uploadDatabase', [{ content, name: 'main.adb' }])
  expect(answer.status).toBe(200)
})

type FileJob = Parameters<RunningRegion['client']['startJob']>[1] & { type: 'backupRoom' | 'backupDatabase' }

async function made(id: string, job: FileJob): Promise<Buffer> {
  const { file } = await region.client.runJob(id, job)
  return buffer(Readable.from((await region.client.getFile(file)).content))
}
