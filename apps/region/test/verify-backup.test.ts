/** Backups that are restored in a test: what they find, what they leave, and what they do not wait for. */
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { RegionJobFailed } from '@roomkeeper/region-protocol'
import { sourceOf } from '@roomkeeper/region-protocol/conformance'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentsOf } from './documents.ts'
import { eventually, newCreation, type RegionProcess, startRegion } from './region-process.ts'

let region: RegionProcess
beforeAll(async () => {
  region = await startRegion()
  await region.client.createRoom('alpha', newCreation())
})
afterAll(() => region.remove())

const newId = () => crypto.randomUUID()
const workOf = (at: RegionProcess) => readdir(join(at.dataDir, 'work'))

async function bytesOf(file: string): Promise<Buffer> {
  return Buffer.concat(await (await region.client.getFile(file)).content.toArray())
}

async function outcomeOf(content: Buffer) {
  const file = newId()
  await region.client.putFile(file, sourceOf(content))
  return region.client
    .runJob(newId(), { type: 'verifyBackup', room: 'alpha', from: { file } })
    .catch((error: unknown) => error)
}

test('of a backup with any byte of a file altered nothing is believed, and nothing stays', async () => {
  const { file } = await region.client.runJob(newId(), { type: 'backupRoom', room: 'alpha' })
  const whole = await bytesOf(file)
  for (let tries = 0; tries < 8; tries += 1) {
    const altered = Buffer.from(whole)
    const at = Math.floor((altered.length * (tries + 1)) / 12)
    altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
    expect(await outcomeOf(altered), `byte ${at}`).toBeInstanceOf(RegionJobFailed)
  }
  expect(await workOf(region)).toEqual([])
  expect((await region.client.rooms()).rooms.map(({ name }) => name)).toEqual(['alpha'])
})

test('a large backup is verified beside a locked room, may be cancelled, and a killed region clears it away', async () => {
  const { roomId } = await region.client.createRoom('large', newCreation())
  const { token } = await region.client.openSession('large', 'owner@example.org')
  const documents = documentsOf(region.url, 'large', token)
  for (let index = 0; index < 90; index += 1)
    await documents.put(`big${index}`, randomBytes(350_000).toString('base64'))
  const { digest } = await region.client.runJob(newId(), { type: 'digestRoom', room: 'large' })
  const { file } = await region.client.runJob(newId(), { type: 'backupRoom', room: 'large' })
  await region.client.lockRoom('large', { roomId, holder: 'somebody' })
  const verify = { type: 'verifyBackup' as const, room: 'large', from: { file } }
  const found = await region.client.runJob(newId(), verify)
  expect(found).toMatchObject({ digest, files: 2 })
  const cancelled = newId()
  await region.client.startJob(cancelled, verify)
  await eventually(async () => (await workOf(region)).length > 0)
  await region.client.cancelJob(cancelled)
  expect(await workOf(region)).toEqual([])

  await region.client.startJob(newId(), verify)
  await eventually(async () => (await workOf(region)).length > 0)
  await region.kill()
  region = await region.again()
  expect(await workOf(region)).toEqual([])
  expect(await region.client.runJob(newId(), verify)).toMatchObject({ digest })
}, 120_000)
