import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { documentsOf } from './documents.ts'
import { newCreation, type RegionProcess, startRegion } from './region-process.ts'

const regions: RegionProcess[] = []
afterEach(async () => {
  for (const region of regions.splice(0)) await region.remove()
})

/** The kernel's list of file locks. */
const locks = '/proc/locks'

test.skipIf(!existsSync(locks))(
  'after a backup the region holds its lock on a database that it has open, so that other programs see it in use',
  async () => {
    const region = await startRegion()
    regions.push(region)
    await region.client.createRoom('alpha', newCreation())
    const { token } = await region.client.openSession('alpha', 'owner@example.org')
    const documents = documentsOf(region.url, 'alpha', token)
    const { ino } = statSync(join(region.dataDir, 'rooms/alpha/databases/main.db'))
    const isLocked = () =>
      readFileSync(locks, 'utf8')
        .split('\n')
        .some((line) => line.includes(` ${region.child.pid} `) && line.includes(`:${ino} `))
    await documents.put('before', 1)
    expect(isLocked()).toBe(true)
    await region.client.runJob('backup', { type: 'backupRoom', room: 'alpha' })
    await documents.put('after', 2)
    expect(isLocked()).toBe(true)
  },
)
