import { roomListQuery, roomNamePattern } from '@roomkeeper/contract'
import { seedRooms } from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { listRooms } from '#rooms/list/list-rooms.ts'
import { createTestDatabase } from './test-database.ts'

const database = await createTestDatabase()
const client = new pg.Client({ connectionString: database.url })
await client.connect()
afterAll(() => client.end())

test('seeding adds the rooms asked for to what is there, in regions that take no others', async () => {
  const counts: number[] = []
  await seedRooms(client, { rooms: 300, regions: 3, onProgress: (count) => counts.push(count) })
  await seedRooms(client, { rooms: 200, regions: 3, onProgress: (count) => counts.push(count) })
  expect(counts).toEqual([300, 200])

  const list = await listRooms(database, { ...z.decode(roomListQuery, {}), size: 100 })
  expect(list.totalElements).toBe(500)
  expect(list.data.every(({ tenantName }) => roomNamePattern.test(tenantName))).toBe(true)
  expect(new Set(list.data.map(({ product }) => product)).size).toBe(3)
  const { rows } = await client.query('select name, max_rooms, room_count > 0 as used from regions order by name')
  expect(rows).toEqual(['seed-1', 'seed-2', 'seed-3'].map((name) => ({ name, max_rooms: 0, used: true })))
})
