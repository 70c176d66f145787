/**
 * Filters whose matches an index finds together with others: what it is asked must hold for every match. A run takes a
 * part of them, `ALL=1` each.
 */
import {
  type FilterCondition,
  type ProjectRoom,
  type RoomField,
  type RoomList,
  type RoomListQuery,
  roomListQuery,
} from '@roomkeeper/contract'
import { sampled } from '@roomkeeper/dev-env'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { insertRegion, insertRooms, type RoomGiven } from '../../../test/room-rows.ts'
import { createTestDatabase } from '../../../test/test-database.ts'
import { listRooms } from './list-rooms.ts'
import { naiveList } from './naive-list.test-support.ts'

const database = await createTestDatabase()
let rooms: ProjectRoom[] = []

// Texts that begin or end where others go on, of one letter, of signs only, and of letters beyond ASCII.
const texts = ['Ann', 'Anna Ann', 'Jo-Ann', 'a', '%_\\', 'ZO', 'École', 'ØRSTED', 'Åsa ', '']
const fields = [
  'tenantName',
  'customerFirstName',
  'customerLastName',
  'customerEmail',
  'companyName',
  'sapNumber',
  'sapNumberLast',
  'salesman',
  'salesmanEmail',
  'additionalEmail',
] as const satisfies RoomField[]

beforeAll(async () => {
  const regions = [await insertRegion(database.db), await insertRegion(database.db, { state: 'disabled' })]
  const text = (number: number) => texts[number % texts.length] as string
  await insertRooms(
    database.db,
    Array.from({ length: 60 }, (_, index): RoomGiven => {
      return {
        name: `${['ann', 'joann', 'anna-ann'][index % 3]}${index}`,
        regionId: regions[index % 2] as number,
        product: (['ARIS', 'MINING'] as const)[index % 2] as 'ARIS',
        edition: 'basic',
        customerFirstName: text(index),
        customerLastName: text(index + 1),
        customerEmail: text(index * 3),
        companyName: text(index * 7 + 2),
        sapNumber: `${text(index + 3)}${index}`,
        sapNumberLast: index % 4 === 0 ? null : `${index}${text(index + 5)}`,
        salesman: index % 5 === 0 ? null : text(index + 4),
        salesmanEmail: text(index + 6),
        additionalEmail: index % 6 === 0 ? null : text(index + 8),
        createdAt: new Date(Date.UTC(2024 + (index % 3), index % 12, 1 + (index % 28), index % 24, 59, 59, 999)),
        expirationDate: index % 7 === 0 ? null : `2026-${String((index % 12) + 1).padStart(2, '0')}-28`,
      } as unknown as RoomGiven
    }),
  )
  rooms = (await listRooms(database, { ...z.decode(roomListQuery, {}), size: 100 })).data
})

test('beginnings, ends and whole texts of each field are found as by comparing all rooms', {
  timeout: 180_000,
}, async () => {
  expect(rooms).toHaveLength(60)
  for (const field of sampled('fields whose texts are filtered by', fields)) {
    const held = [...new Set(rooms.map((room) => String(room[field] ?? '')))].slice(0, 12)
    const parts = held.flatMap((text) => [text, text.slice(0, 1), text.slice(0, 3), text.slice(-1), text.slice(-3)])
    for (const value of [...new Set(parts)]) {
      for (const condition of ['STARTS_WITH', 'ENDS_WITH', 'EQUALS', 'NOT_EQUALS'] as const)
        await expectSameAsNaive(field, condition, value)
    }
    await expectSameAsNaive(field, 'STARTS_WITH', `${held[0]}||zo`)
    await expectSameAsNaive(field, 'EQUALS', `ann\x1f||ann`)
  }
})

test('parts of dates are found as by comparing all rooms', { timeout: 180_000 }, async () => {
  const values = [
    '2025',
    '2025-',
    '2025-1',
    '2025-13',
    '2025-00',
    '2025-02-30',
    '202',
    '0',
    '-02-',
    'T1',
    '9999',
    '0000-',
  ]
  for (const field of ['creationDate', 'expirationDate'] as const) {
    const held = rooms.slice(0, 6).map((room) => String(room[field] ?? ''))
    const parts = held.flatMap((text) => [4, 5, 6, 7, 8, 9, 10, 13, 24].map((length) => text.slice(0, length)))
    const all = [...new Set([...values, ...parts, ...held.map((text) => text.slice(5, 12))])]
    for (const value of sampled(`parts of ${field}`, all)) {
      for (const condition of ['STARTS_WITH', 'CONTAINS', 'NOT_CONTAINS', 'ENDS_WITH'] as const)
        await expectSameAsNaive(field, condition, value)
    }
  }
})

test('times of day and days of any year are found as by comparing all rooms', { timeout: 180_000 }, async () => {
  const ofTimes = [
    '14:59',
    ':59:59',
    '9:59.9',
    '.999Z',
    'T0',
    '3t04:5',
    '-05-',
    '-05-2',
    '8T',
    '1',
    't',
    '',
    '\x20',
    '24:',
  ]
  const values = [...ofTimes, '-02-||-03-', '14:59||2025-', '2025-||2026-||T1']
  for (const value of sampled('parts of times of day', values)) {
    for (const condition of ['CONTAINS', 'NOT_CONTAINS', 'STARTS_WITH', 'ENDS_WITH'] as const) {
      for (const field of ['creationDate', 'expirationDate'] as const)
        await expectSameAsNaive(field, condition, value, [field, 'companyName'])
    }
  }
})

test('rooms whose field does not hold a text are found as by comparing all rooms, however few they are', {
  timeout: 180_000,
}, async () => {
  const all = ['customerEmail', 'companyName', 'salesman', 'sapNumberLast', 'priority'] as const
  for (const field of all) {
    for (const value of ['ann', 'Ann', 'A', '@', '-', '%', 'école', 'ÅSA', '0', '', 'a||o||É']) {
      await expectSameAsNaive(field, 'NOT_CONTAINS', value, [field, 'expirationDate'])
    }
  }
  // Beside other conditions, which then apply to these few.
  const given = {
    filter_keys: ['companyName', 'customerEmail', 'companyName'],
    filter_conditions: ['NOT_CONTAINS', 'CONTAINS', 'NOT_CONTAINS'],
    filter_values: ['Ann', 'a', 'o'],
  } satisfies Partial<RoomListQuery>
  await expectPages({ ...z.decode(roomListQuery, {}), ...given })
  await expectPages({ ...z.decode(roomListQuery, {}), ...given, search: 'jo-ann', order_by: 'companyName' })
})

/** Asked for with its total, and for its first rows, in these orders. */
async function expectSameAsNaive(
  field: RoomField,
  condition: FilterCondition,
  value: string,
  orders: readonly RoomField[] = ['tenantName', 'product'],
): Promise<void> {
  const given = { filter_keys: [field], filter_conditions: [condition], filter_values: [value] }
  for (const order_by of orders) {
    const query = { ...z.decode(roomListQuery, {}), ...given, order_by }
    await expectPages(query)
    if (orders.includes(field)) await expectSecondPage(query)
  }
}

async function expectPages(given: RoomListQuery): Promise<void> {
  const query = { ...given, size: 100 }
  const why = JSON.stringify(given)
  const { names, licenses } = naiveList(rooms, query)
  const whole = await listRooms(database, query)
  const namesOf = ({ data }: RoomList) => data.map(({ tenantName }) => tenantName)
  expect({ names: namesOf(whole), licenses: whole.licenses }, why).toEqual({ names, licenses })
  const first = await listRooms(database, { ...query, size: 5, totals: 'if-quick' }, { quickCost: 0 })
  expect(namesOf(first), why).toEqual(names.slice(0, 5))
}

/** As if it were not found near the beginning of the order. */
async function expectSecondPage(query: RoomListQuery): Promise<void> {
  const { names } = naiveList(rooms, query)
  const later = await listRooms(
    database,
    { ...query, size: 5, page: 1, totals: 'if-quick' },
    { quickCost: 0, mostWalked: 3 },
  )
  const found = later.data.map(({ tenantName }) => tenantName)
  expect(found, JSON.stringify(query)).toEqual(names.slice(5, 10))
  if (later.totalElements !== null) expect(later.totalElements).toBe(names.length)
}
