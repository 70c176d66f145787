/** What a purge removes of a room beside its files. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newCreation, type RegionProcess, startRegion } from './region-process.ts'

let region: RegionProcess
beforeAll(async () => {
  region = await startRegion()
})
afterAll(() => region.remove())

const newId = () => crypto.randomUUID()

/** No other process may have the file open. */
async function rows(sql: string, ...values: string[]): Promise<unknown[]> {
  await region.kill()
  const database = new DatabaseSync(join(region.dataDir, 'region.db'))
  try {
    return database.prepare(sql).all(...values)
  } finally {
    database.close()
    region = await region.again()
  }
}

const usersIn = (room: string) => rows('SELECT id FROM users WHERE room = ?', room)

test('the users that a deletion could not take from the index, and what jobs have logged; not those of another room', async () => {
  const creation = newCreation()
  const { roomId } = creation
  await region.client.createRoom('gone', creation)
  await region.client.runJob(newId(), { type: 'backupRoom', room: 'gone', roomId })
  await region.client.runJob(newId(), { type: 'deleteRoom', room: 'gone', roomId })
  await rows(`INSERT INTO users (id, room) VALUES ('left@example.com', 'gone') RETURNING id`)
  const linesOf = `SELECT 1 FROM job_lines JOIN jobs ON jobs.id = job WHERE json_extract(input, '$.roomId') = ?
    AND type <> 'purgeRoom'`
  expect(await rows(linesOf, roomId)).not.toEqual([])
  const purge = { type: 'purgeRoom' as const, room: 'gone', roomId }
  await region.client.runJob(newId(), { ...purge, look: true })
  expect(await usersIn('gone')).toHaveLength(1)
  await region.client.runJob(newId(), purge)
  expect([await usersIn('gone'), await rows(linesOf, roomId)]).toEqual([[], []])
  await region.client.createRoom('gone', newCreation())
  const others = await usersIn('gone')
  expect(others).not.toEqual([])
  await region.client.runJob(newId(), purge)
  expect(await usersIn('gone')).toEqual(others)
})

test('what earlier removals could not remove, under each name that the room has had', async () => {
  const creation = newCreation()
  const { roomId } = creation
  await region.client.createRoom('former', creation)
  await region.client.runJob(newId(), { type: 'deleteRoom', room: 'former', roomId })
  await region.client.createRoom('latter', creation)
  const left = (room: string) => join(region.dataDir, 'rooms', `.old-${room}-${newId()}`)
  const others = left('others')
  for (const folder of [left('former'), left('latter'), others]) await mkdir(folder)
  await region.client.runJob(newId(), { type: 'purgeRoom', room: 'latter', roomId })
  const folders = (await readdir(join(region.dataDir, 'rooms'))).filter((entry) => entry.startsWith('.old-'))
  expect(folders.map((entry) => join(region.dataDir, 'rooms', entry))).toEqual([others])
})
