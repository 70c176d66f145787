/** The process dies after the rename by which a job takes effect, before it can record the job's end. */
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { JobRequest } from '@roomkeeper/region-protocol'
import { afterEach, expect, test } from 'vitest'
import { documentsOf } from './documents.ts'
import { setFaults } from './injected-faults.ts'
import { newCreation, type RegionProcess, startRegion } from './region-process.ts'

const regions: RegionProcess[] = []
afterEach(async () => {
  for (const region of regions.splice(0)) await region.remove()
})

const room = 'alpha'
const password = 'p'

/** A room with the database main, an export of it, and a backup of the room. */
async function prepared() {
  const region = await startRegion()
  regions.push(region)
  const { roomId } = await region.client.createRoom(room, newCreation())
  const { token } = await region.client.openSession(room, 'owner@example.org')
  await documentsOf(region.url, room, token).put('a', 'backed up')
  const { file } = await region.client.runJob('export', { type: 'backupDatabase', room, database: 'main', password })
  return { region, token, file, own: { room, roomId } }
}

/** Kills the region at the n-th rename to such a path. @returns the region that was started again */
async function killedAfterRename(region: RegionProcess, job: JobRequest, fault: { path: string; nth?: number }) {
  await setFaults(region, [{ file: 'rename', action: 'exit-after', ...fault }])
  const exit = once(region.child, 'exit')
  await region.client.startJob('job', job)
  await exit
  const next = await region.again()
  regions.push(next)
  return next
}

test('an import that had taken effect is done, also for another try, and what users wrote since stays', async () => {
  const { region, token, file, own } = await prepared()
  const job = { type: 'importDatabase' as const, ...own, database: 'more', file, password }
  const next = await killedAfterRename(region, job, { path: 'databases/more.db' })
  const more = documentsOf(next.url, room, token, 'more')
  expect((await more.put('b', 'written since')).status).toBe(200)

  expect(await next.client.job('job')).toMatchObject({ state: 'done', result: { database: 'more' }, error: null })
  expect(await next.client.runJob('another-try', job)).toEqual({ database: 'more' })
  expect(await (await more.get('b')).json()).toBe('written since')
})

test('a database that was deleted after its import can be imported again, and is another one then', async () => {
  const { region, file, own } = await prepared()
  const job = { type: 'importDatabase' as const, ...own, database: 'more', file, password }
  await region.client.runJob('first', job)
  await region.client.runJob('delete', { type: 'deleteDatabase', ...own, database: 'more' })
  const { file: other } = await region.client.runJob('empty', { ...job, type: 'backupDatabase', database: 'main' })
  await region.client.runJob('second', { ...job, file: other })
  await expect(region.client.runJob('third', { ...job, database: 'MORE' })).rejects.toMatchObject({
    type: 'urn:roomkeeper-region:database-exists',
  })
})

test('a restore of a database that had taken effect is not done over what users wrote since', async () => {
  const { region, token, file, own } = await prepared()
  const job = { type: 'restoreDatabase' as const, ...own, database: 'main', file, password }
  const next = await killedAfterRename(region, job, { path: 'databases/main.db' })
  expect(await next.client.job('job')).toMatchObject({ state: 'done', result: { database: 'main' } })
  expect(await (await documentsOf(next.url, room, token).get('a')).json()).toBe('backed up')
})

test('a restore of a room that had taken effect is done; one that had not is interrupted', async () => {
  const { region, own } = await prepared()
  const { file } = await region.client.runJob('backup', { type: 'backupRoom', room })
  const job = { type: 'restoreRoom' as const, ...own, file }
  const next = await killedAfterRename(region, job, { path: 'rooms/alpha' })
  expect(await next.client.job('job')).toMatchObject({ state: 'done', result: { databases: ['main'] } })

  await setFaults(next, [{ file: 'rename', path: '/old', action: 'exit-after' }])
  const exit = once(next.child, 'exit')
  await next.client.startJob('again', job)
  await exit
  const last = await next.again()
  regions.push(last)
  expect((await last.client.job('again')).state).toBe('interrupted')
  expect((await last.client.room(room))?.databases).toEqual(['main'])
  expect(await effectsOfOthersThanDone(last)).toBe(0)
})

test('a restore that had digested what it brought still says so after the kill', async () => {
  const { region, own } = await prepared()
  const { file, digest } = await region.client.runJob('backup', { type: 'backupRoom', room, digest: true })
  const job = { type: 'restoreRoom' as const, ...own, file, digest: true as const }
  const next = await killedAfterRename(region, job, { path: 'rooms/alpha' })
  expect(await next.client.job('job')).toMatchObject({ state: 'done', result: { databases: ['main'], digest } })
})

/** Counts effects that were recorded but did not happen: another file would get their inode sooner or later. */
async function effectsOfOthersThanDone(region: RegionProcess): Promise<number> {
  await region.kill()
  const database = new DatabaseSync(join(region.dataDir, 'region.db'))
  const row = database.prepare("SELECT count(*) AS count FROM jobs WHERE effect IS NOT NULL AND state <> 'done'").get()
  database.close()
  return Number(row?.count)
}
