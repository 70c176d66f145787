/** Many parts of dates in one query: few bytes of a call must not become megabytes of a statement. */
import { type FilterCondition, roomExportQuery, roomListQuery } from '@roomkeeper/contract'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { insertRegion, insertRooms, type RoomGiven } from '../../../test/room-rows.ts'
import { createTestDatabase } from '../../../test/test-database.ts'
import { exportStatement } from './export-rooms.ts'
import { listRooms } from './list-rooms.ts'
import { naiveList } from './naive-list.test-support.ts'

const database = await createTestDatabase()
beforeAll(async () => {
  const regionId = await insertRegion(database.db)
  await insertRooms(
    database.db,
    Array.from({ length: 40 }, (_, index): RoomGiven => {
      const createdAt = new Date(Date.UTC(2024, index % 12, 1 + (index % 28), index % 24))
      const expirationDate = index % 7 === 0 ? null : `2026-${String((index % 12) + 1).padStart(2, '0')}-17`
      return { name: `room${index}`, regionId, createdAt, expirationDate } as unknown as RoomGiven
    }),
  )
})

/** As one filter, and as many. */
const asked = (field: string, condition: FilterCondition, values: string[], isOne: boolean) => {
  const count = isOne ? 1 : values.length
  return {
    filter_keys: Array(count).fill(field).join(),
    filter_values: values.join(isOne ? '||' : ','),
    filter_conditions: Array(count).fill(condition).join(),
  }
}

test.each([
  ['expirationDate', 'CONTAINS', '7T'],
  ['expirationDate', 'NOT_CONTAINS', '7T'],
  ['creationDate', 'CONTAINS', '17'],
  ['creationDate', 'CONTAINS', '1'],
  ['creationDate', 'NOT_CONTAINS', '17'],
  ['lastBackup', 'CONTAINS', '17'],
] as const)('%s %s %s two hundred times is a short statement', async (field, condition, value) => {
  for (const isOne of [true, false]) {
    const query = z.decode(roomExportQuery, asked(field, condition, Array(200).fill(value), isOne))
    expect((await exportStatement(database, query)).length).toBeLessThan(200_000)
  }
})

test('they find what comparing all rooms finds', async () => {
  const rooms = (await listRooms(database, { ...z.decode(roomListQuery, {}), size: 100 })).data
  const values = ['-0', '17T', 'T1', '2024-1', '7T0', '-12-']
  for (const field of ['expirationDate', 'creationDate']) {
    for (const condition of ['CONTAINS', 'NOT_CONTAINS', 'STARTS_WITH', 'ENDS_WITH'] as const) {
      for (const isOne of [true, false]) {
        const query = z.decode(roomListQuery, { ...asked(field, condition, values, isOne), size: '100' })
        const { data } = await listRooms(database, query)
        expect(data.map(({ tenantName }) => tenantName)).toEqual(naiveList(rooms, query).names)
      }
    }
  }
})
