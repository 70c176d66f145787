import { jobHasEnded } from '@roomkeeper/region-protocol'
import { sourceOf } from '@roomkeeper/region-protocol/conformance'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseWith, exportOf } from './hostile-file.ts'
import { newCreation, type RegionProcess, startRegion } from './region-process.ts'

let region: RegionProcess
beforeAll(async () => {
  region = await startRegion()
})
afterAll(() => region.remove())

const megabyte = 1024 * 1024

/** A room with this many rows of a megabyte. */
async function roomWith(name: string, megabytes: number): Promise<{ room: string; roomId: string }> {
  const { roomId } = await region.client.createRoom(name, newCreation())
  const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${megabytes})`
  const content = await databaseWith(
    `CREATE TABLE t (a, b); ${rows} INSERT INTO t SELECT i, zeroblob(${megabyte}) FROM n`,
  )
  const file = crypto.randomUUID()
  await region.client.putFile(file, sourceOf(await exportOf(content)))
  const input = { type: 'importDatabase' as const, room: name, roomId, database: 'large', file, password: 'p' }
  await region.client.runJob(crypto.randomUUID(), input)
  return { room: name, roomId }
}

test('while a large room is digested other rooms answer and locks are renewed', async () => {
  const { room } = await roomWith('large', 120)
  const { roomId } = await region.client.createRoom('other', newCreation())
  const id = crypto.randomUUID()
  await region.client.startJob(id, { type: 'digestRoom', room })
  let rounds = 0
  for (;;) {
    await region.client.lockRoom('other', { roomId, holder: 'me' })
    expect((await region.client.room('other'))?.lock?.holder).toBe('me')
    // A call that was answered before the digest was ready did not wait for it.
    if (jobHasEnded((await region.client.job(id)).state)) break
    rounds += 1
  }
  expect((await region.client.job(id)).state).toBe('done')
  expect(rounds).toBeGreaterThan(3)
})

test('what a large room is restored with is digested', async () => {
  const source = await roomWith('packed', 40)
  const { file, digest } = await region.client.runJob('pack', { type: 'backupRoom', room: source.room, digest: true })
  const { roomId } = await region.client.createRoom('copy', newCreation())
  const restore = { type: 'restoreRoom' as const, room: 'copy', roomId, file }
  const { digest: restored } = await region.client.runJob('same', { ...restore, digest: true })
  expect(restored).toBe(digest)
  expect(await region.client.runJob('look', { type: 'digestRoom', room: 'copy' })).toEqual({ digest })
})
