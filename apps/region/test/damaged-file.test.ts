/** A file that was damaged on its region's disk, or on the way, is not taken for the one that was announced. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RegionRefusal } from '@roomkeeper/region-protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newCreation, type RegionProcess, startRegion } from './region-process.ts'

let region: RegionProcess
beforeAll(async () => {
  region = await startRegion()
})
afterAll(() => region.remove())

test('a file of the right length and another content fails where it ends', async () => {
  const { client } = region
  await client.createRoom('alpha', newCreation())
  const made = await client.runJob('backup', { type: 'backupRoom', room: 'alpha' })
  await writeFile(join(region.dataDir, 'files', made.file, 'content'), Buffer.alloc(made.size, 'x'))
  const { content } = await client.getFile(made.file, made)
  const failure = await content.toArray().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(RegionRefusal)
  expect(failure).toMatchObject({ type: 'urn:roomkeeper-region:digest-mismatch' })
})
