/** The pieces of files pass through memory that is used again: what one transfer still needs must not go into another. */
import { createHash } from 'node:crypto'
import { sourceOf } from '@roomkeeper/region-protocol/conformance'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseWith, exportOf } from './hostile-file.ts'
import { type LyingRegion, startLyingRegion } from './lying-region.ts'
import { newCreation, type RegionProcess, startRegion } from './region-process.ts'

let source: RegionProcess
let target: RegionProcess
let breaking: LyingRegion
beforeAll(async () => {
  ;[source, target] = await Promise.all([startRegion(), startRegion()])
  breaking = await startLyingRegion((asked) => void asked.once('data', () => asked.destroy()))
})
afterAll(async () => {
  breaking.stop()
  await Promise.all([source.remove(), target.remove()])
})

/** Megabytes that are those of no other room, and no multiple of a piece. */
async function newRoom(name: string): Promise<{ name: string; creation: ReturnType<typeof newCreation> }> {
  const creation = newCreation()
  const { roomId } = await source.client.createRoom(name, creation)
  const rows = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 47)'
  const content = await databaseWith(`CREATE TABLE t (a, b); ${rows} INSERT INTO t SELECT i, randomblob(70000) FROM n`)
  const file = `import-${name}`
  await source.client.putFile(file, sourceOf(await exportOf(content)))
  const input = { type: 'importDatabase' as const, room: name, roomId, database: 'random', file, password: 'p' }
  await source.client.runJob(file, input)
  return { name, creation }
}

test('rooms that are packed and restored at the same time, again and again, arrive as they were', async () => {
  const names = ['one', 'two']
  const rooms = await Promise.all(names.map((name) => newRoom(`room${name}`)))
  for (const { name, creation } of rooms) await target.client.createRoom(name, creation)
  const digests = new Map<string, { digest: string }>()
  for (const { name } of rooms)
    digests.set(name, await source.client.runJob(`look-${name}`, { type: 'digestRoom', room: name }))
  const move = async (room: string, roomId: string, round: number) => {
    const id = `${room}-${round}`
    const { ticket } = (await target.client.openUpload(id, { sizeAtMost: 64 * 1024 * 1024 })) ?? { ticket: '' }
    const to = { url: target.url, file: id, ticket }
    const packed = await source.client.runJob(`pack-${id}`, { type: 'backupRoom', room, to, digest: true })
    expect(packed.digest).toBe(digests.get(room)?.digest)
    const kept = await source.client.runJob(`keep-${id}`, { type: 'backupRoom', room })
    const content = Buffer.concat(await (await source.client.getFile(kept.file)).content.toArray())
    expect(createHash('sha256').update(content).digest('hex')).toBe(kept.sha256)
    const restore = { type: 'restoreRoom' as const, room, roomId, file: id, digest: true as const }
    const { digest } = await target.client.runJob(`restore-${id}`, restore)
    expect({ digest }).toEqual(digests.get(room))
  }
  const breakOff = async (room: string, round: number) => {
    const to = { url: breaking.url, file: 'nowhere', ticket: 'a ticket' }
    const packing = source.client.runJob(`break-${room}-${round}`, { type: 'backupRoom', room, to })
    await expect(packing).rejects.toMatchObject({ type: 'urn:roomkeeper-region:file-not-sent' })
  }
  for (const round of [1, 2])
    await Promise.all(
      rooms.flatMap(({ name, creation }) => [breakOff(name, round), move(name, creation.roomId, round)]),
    )
}, 180_000)
