import { type RoomExportQuery, roomExportQuery } from '@roomkeeper/contract'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { insertRegion, insertRooms, type RoomGiven } from '../../test/room-rows.ts'
import { createTestDatabase } from '../../test/test-database.ts'
import { countMatchingRooms } from './count-matching-rooms.ts'

const database = await createTestDatabase()
const { db } = database

afterEach(() => database.pool.query('truncate rooms, regions, operations restart identity cascade'))

const mining = { product: 'MINING', edition: 'enterprise' } as const satisfies RoomGiven
const active = {
  filter_keys: ['projectRoomState'],
  filter_values: ['SUSPENDED||DEFAULT'],
  filter_conditions: ['EQUALS'],
}

// shows: C-roomStatistics, statistics-licences
test('rooms are counted by product, edition and region, and their licences added up', async () => {
  const south = await insertRegion(db, { name: 'South' })
  const north = await insertRegion(db, { name: 'north' })
  await insertRooms(db, [
    { name: 'aaa', regionId: south, licences: { YABD: 2 } },
    { name: 'bbb', regionId: north, licences: { YABD: 3 } },
    { name: 'ccc', regionId: north, ...mining, licences: { YPMEA: 4 } },
    { name: 'ddd', regionId: north, ...mining, licences: { YPMEA: 50 }, state: 'ERROR' },
  ])
  const found = await count(active)
  expect(found.byProduct).toEqual([
    { product: 'ARIS', rooms: 2 },
    { product: 'MINING', rooms: 1 },
    { product: 'ENTERPRISE', rooms: 0 },
  ])
  expect(found.byEdition.filter(({ rooms }) => rooms > 0)).toEqual([
    { edition: 'basic', rooms: 2 },
    { edition: 'enterprise', rooms: 1 },
  ])
  expect(found.byRegion).toEqual([
    { region: north, regionName: 'north', rooms: 2 },
    { region: south, regionName: 'South', rooms: 1 },
  ])
  expect(found.licenses).toMatchObject({ designers: 5, yukonAnalyst: 4 })
})

// shows: C-roomStatistics
test('months are those of UTC, and those in between without rooms are there too', async () => {
  await insertRooms(db, [
    { name: 'aaa', createdAt: '2025-11-30T23:59:59.999Z' },
    { name: 'bbb', createdAt: '2026-02-01T00:00:00Z' },
    { name: 'ccc', createdAt: '2026-03-01T00:30:00+02:00' },
  ])
  expect((await count()).createdPerMonth).toEqual([
    { month: '2025-11', rooms: 1 },
    { month: '2025-12', rooms: 0 },
    { month: '2026-01', rooms: 0 },
    { month: '2026-02', rooms: 2 },
  ])
})

test('search and filters that only the rooms themselves can answer are followed too', async () => {
  await insertRooms(db, [
    { name: 'alpha', companyName: 'Oyster Bank', licences: { YABD: 2 } },
    { name: 'beta', companyName: 'Oyster Bar', licences: { YABD: 3 }, createdAt: '2020-01-01T00:00:00Z' },
    { name: 'gamma', companyName: 'Clam', licences: { YABD: 4 } },
  ])
  const searched = await count({ search_keys: ['companyName'], search_values: ['oyster'] })
  expect(searched.licenses.designers).toBe(5)
  expect((await count({ search: 'bank oyster' })).licenses.designers).toBe(2)
  const both = await count({
    search_keys: ['companyName'],
    search_values: ['oyster'],
    filter_keys: ['creationDate'],
    filter_values: ['2021-01-01'],
    filter_conditions: ['BEFORE'],
  })
  expect(both.byProduct[0]).toEqual({ product: 'ARIS', rooms: 1 })
  expect(both.createdPerMonth).toEqual([{ month: '2020-01', rooms: 1 }])
})

test('a disabled region counts by the shown state', async () => {
  const region = await insertRegion(db, { state: 'disabled' })
  await insertRooms(db, [{ name: 'aaa', regionId: region }])
  expect((await count(active)).byProduct[0]?.rooms).toBe(0)
  expect((await count()).byProduct[0]?.rooms).toBe(1)
})

test('nothing matches: zeros and no months', async () => {
  const found = await count()
  expect(found.createdPerMonth).toEqual([])
  expect(found.byRegion).toEqual([])
  expect(found.licenses.designers).toBe(0)
})

test('an unknown field is refused as in the list', async () => {
  await expect(count({ filter_keys: ['x'], filter_values: ['y'], filter_conditions: ['EQUALS'] })).rejects.toThrow(
    'The list cannot be filtered by x.',
  )
})

function count(given: Partial<RoomExportQuery> = {}) {
  return countMatchingRooms(database, { ...z.decode(roomExportQuery, {}), ...given })
}
