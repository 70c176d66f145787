import {
  because,
  type FilterCondition,
  failureCauses,
  filterConditions,
  type ProjectRoom,
  type Reasons,
  type RoomField,
  type RoomListQuery,
  roomFields,
  roomListQuery,
  searchFields,
} from '@roomkeeper/contract'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { insertRegion, insertRoomBackups, insertRooms, type RoomGiven } from '../../../test/room-rows.ts'
import { createTestDatabase } from '../../../test/test-database.ts'
import { listRooms } from './list-rooms.ts'
import { naiveList } from './naive-list.test-support.ts'

const database = await createTestDatabase()
const { db } = database
let rooms: ProjectRoom[] = []

beforeAll(async () => {
  const regions = [
    await insertRegion(db, { name: 'north' }),
    await insertRegion(db, { name: 'East', state: 'disabled' }),
    await insertRegion(db, { name: 'ääst' }),
    await insertRegion(db, { name: 'empty' }),
  ].slice(0, 3)
  const names = await insertRooms(db, fc.sample(roomGiven(regions), { numRuns: 250, seed: 4711 }).map(withOwnSapNumber))
  const backedUp = names.filter((_, index) => index % 3 > 0)
  await insertRoomBackups(
    db,
    backedUp.map((of, index) => ({ of, at: times[index % times.length] ?? '' })),
  )
  await database.pool.query(
    `insert into room_notes (id, room_id, text, is_pinned, author)
     select gen_random_uuid(), id, 'note', n = 1, 'a@b.c' from rooms, generate_series(1, 2) as n where name like '%1'`,
  )
  await database.pool.query('analyze rooms, room_notes')
  rooms = (await allPages({}, 100)).data
})

// shows: rooms-conditions
test('every condition on every field finds what a naive list finds', { timeout: 180_000 }, async () => {
  for (const field of roomFields) {
    for (const condition of filterConditions) {
      for (const value of await fc.sample(filterValue(field, condition), { numRuns: 2, seed: 99 })) {
        await expectSameAsNaive({ ...filterBy([field, condition, value]), order_by: field })
      }
    }
  }
})

// shows: C-listRooms, rooms-ties
test('any search with any filters in any order gives each match once, on whatever pages', {
  timeout: 180_000,
}, async () => {
  const run = async ({ query, size, fewMatches }: { query: Given; size: number; fewMatches: number }) =>
    expectSameAsNaive(query, size, fewMatches)
  // With 0 and 20, matches are counted in a separate statement, as in lists that are too long for one pass.
  const fewMatches = fc.constantFrom(50_000, 20, 0)
  await fc.assert(
    fc.asyncProperty(fc.record({ query: anyQuery(), size: fc.integer({ min: 1, max: 100 }), fewMatches }), run),
    {
      numRuns: 250,
    },
  )
})

test('a page without totals has the same rooms; its totals come alone; what is counted already comes with it', {
  timeout: 180_000,
}, async () => {
  const run = async ({ query, size, page }: { query: Given; size: number; page: number }) => {
    const given = queryOf({ ...query, size, page })
    const whole = await listRooms(database, given)
    const { data: none, ...totals } = await listRooms(database, { ...given, totals: 'only' })
    expect({ data: whole.data, ...totals }, JSON.stringify(given)).toEqual(whole)
    expect(none).toEqual([])
    const first = await listRooms(database, { ...given, totals: 'if-quick' }, { quickCost: 0 })
    expect(first.data, JSON.stringify(given)).toEqual(whole.data)
    if (first.totalElements !== null) expect(first).toEqual(whole)
    return first.totalElements === null
  }
  let omitted = 0
  const pages = fc.record({ query: anyQuery(), size: fc.integer({ min: 1, max: 9 }), page: fc.nat({ max: 3 }) })
  for (const each of fc.sample(pages, { numRuns: 200, seed: 75 })) if (await run(each)) omitted++
  expect(omitted).toBeGreaterThan(10)
  expect(await run({ query: { search: 'an', order_by: 'creationDate' }, size: 5, page: 1 })).toBe(true)
  // Pairs of letters that hardly any room has, in fields with and without an index of three.
  const pairs = [
    { search: 'zz' },
    { search: 'anna ZO' },
    filterBy(['salesman', 'CONTAINS', 'zO||ØY']),
    filterBy(['additionalEmail', 'ENDS_WITH', 'org']),
  ]
  for (const query of pairs)
    for (const order_by of ['tenantName', 'product', 'companyName'])
      await run({ query: { ...query, order_by }, size: 2, page: 0 })
  // As the console reads all that match: each page goes on after the last name.
  const after = filterBy(['tenantName', 'GT', 'room100'])
  expect(await run({ query: { ...after, search: 'a', order_dir: 'asc' }, size: 5, page: 0 })).toBe(true)
  // Of these the totals are known; and without many matches there is nothing to wait for.
  expect(await run({ query: {}, size: 5, page: 1 })).toBe(false)
  const usual = await listRooms(database, queryOf({ search: 'anna', totals: 'if-quick', size: 5 }))
  expect(usual.totalElements).toBeGreaterThan(5)
})

test('the first rows are the same wherever the walk to them is given up', { timeout: 180_000 }, async () => {
  const limits = fc.record({
    query: anyQuery(),
    order_by: fc.constantFrom(...roomFields),
    size: fc.integer({ min: 1, max: 9 }),
    page: fc.nat({ max: 3 }),
    mostWalked: fc.nat({ max: 300 }),
  })
  const run = async ({ query, mostWalked, ...page }: typeof limits extends fc.Arbitrary<infer Of> ? Of : never) => {
    const given = queryOf({ ...query, ...page })
    const first = await listRooms(database, { ...given, totals: 'if-quick' }, { quickCost: 0, mostWalked })
    expect(first.data, JSON.stringify({ given, mostWalked })).toEqual((await listRooms(database, given)).data)
  }
  await fc.assert(fc.asyncProperty(limits, run), { numRuns: 250 })
  for (const order_by of ['product', 'edition', 'productType', 'region', 'state'] as const)
    for (const mostWalked of [0, 1, 40, 120, 249, 251])
      await run({ query: { search: 'a' }, order_by, size: 9, page: 1, mostWalked })
})

async function expectSameAsNaive(given: Given, size = 100, fewMatches = 50_000): Promise<void> {
  const expected = naiveList(rooms, queryOf(given))
  const { data, totalElements, licenses } = await allPages(given, size, { fewMatches })
  const found = { names: data.map(({ tenantName }) => tenantName), licenses, totalElements }
  expect(found, JSON.stringify({ given, size, fewMatches })).toEqual({
    ...expected,
    totalElements: expected.names.length,
  })
}

type Given = Partial<RoomListQuery>

function queryOf(given: Given): RoomListQuery {
  return { ...z.decode(roomListQuery, {}), ...given }
}

async function allPages(given: Given, size: number, limits: { fewMatches?: number } = {}) {
  const first = await listRooms(database, queryOf({ ...given, size, page: 0 }), limits)
  const data = [...first.data]
  for (let page = 1; page <= (first.totalPages ?? 0); page++) {
    const next = await listRooms(database, queryOf({ ...given, size, page }), limits)
    expect(next).toMatchObject({ totalElements: first.totalElements, totalPages: first.totalPages })
    expect(next.licenses).toEqual(first.licenses)
    data.push(...next.data)
  }
  return { ...first, data }
}

function filterBy(...filters: [RoomField, FilterCondition, string][]): Given {
  return {
    filter_keys: filters.map(([field]) => field),
    filter_conditions: filters.map(([, condition]) => condition),
    filter_values: filters.map(([, , value]) => value),
  }
}

const words = [
  'Anna',
  'anna',
  'ANNA-Lena',
  'Åsa',
  'Øystein',
  'öst',
  "O'Neil",
  'de Vries',
  '100%',
  'a_b',
  'back\\slash',
  'Zoë',
]
const parts = ['a', 'an', 'ann', 'ØYS', 'ö', '%', '_', '\\', "'", 'a_b', 'e V', 'zzz', '-le', 'NNA', '0%', '@ex', 'ple']
const days = ['2024-02-29', '2025-12-31', '2026-01-01', '2027-06-15']
const times = [
  '2024-02-29T00:00:00.000Z',
  '2025-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T12:30:00.123Z',
]

const told = because('told-by-region', { told: 'storage-full' })
/** Of each cause, of several, and of none that is known. */
const failures: Reasons[] = [
  [because('room-lost', { region: 'north', copyIn: 'East' })],
  [told, because('of-region', { region: 'north', reason: because('region-storage-full', { region: 'north' }) })],
  [because('told', { told: 'There is no space left on the storage.' })],
  [{ code: 'told', params: { told: 'There is no space left on the storage.', refusal: 'storage-full' } }],
  [because('interrupted', { process: 'Create PR' }), because('region-unreachable', { error: 'timeout' })],
  [told],
  [],
]

function roomGiven(regions: number[]): fc.Arbitrary<RoomGiven> {
  const word = fc.constantFrom(...words)
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
  const email = fc.constantFrom('anna@example.com', 'Anna@Example.com', 'øst@exämple.org', 'b_c@d.e')
  const made = fc.constantFrom(
    { product: 'ARIS', edition: 'basic', licences: { YABD: 3, YABV: 1 } },
    { product: 'ARIS', edition: 'advanced', licences: { YAAD: 2, YAAA: 5, YAAS: 7, YAABS: 1 } },
    {
      product: 'MINING',
      edition: 'basic',
      licences: { YPMBA: 4 },
      subLicences: [{ licenseKey: 'DataVolumeGB', subLicenseAmount: 30, productKey: 'YPMBA' }],
    },
    {
      product: 'ENTERPRISE',
      edition: 'enterprise-shared',
      subMiningType: 'MINING_BASIC',
      licences: { ESA: 1, ESAI: 9 },
    },
  ) as fc.Arbitrary<RoomGiven>
  const rest = fc.record({
    regionId: fc.constantFrom(...regions),
    salesChannel: fc.constantFrom('direct-sales' as const, 'online-shop' as const),
    state: fc.constantFrom('DEFAULT', 'DEFAULT', 'SUSPENDED', 'ERROR', 'IN_PROGRESS', 'MARKED_FOR_DELETION'),
    errorReasons: maybe(fc.constantFrom(...failures)),
    priority: fc.constantFrom(0, 0, 1, 12, -3),
    createdAt: fc.constantFrom(...times),
    expirationDate: maybe(fc.constantFrom(...days)),
    customerFirstName: word,
    customerLastName: word,
    customerEmail: email,
    companyName: word,
    salesman: maybe(word),
    salesmanEmail: email,
    additionalEmail: maybe(email),
    sapNumberLast: maybe(fc.constantFrom('A-1', 'a-1', '0815')),
    labels: fc.constantFrom([], [], ['Anna'], ['öst', 'a_b'], ['Zoë', '100%', 'anna']),
  }) as fc.Arbitrary<RoomGiven>
  return fc.tuple(made, rest).map(([kind, columns]) => ({ ...columns, ...kind }))
}

/** No two rooms have the same new number. */
function withOwnSapNumber(room: RoomGiven, index: number): RoomGiven {
  const { sapNumberLast } = room
  const own = typeof sapNumberLast === 'string' ? `${sapNumberLast} ${index}` : null
  return { ...room, sapNumberLast: ['A-1', '0815'][index] ?? own }
}

const atLeastText: readonly FilterCondition[] = ['CONTAINS', 'NOT_CONTAINS', 'STARTS_WITH', 'ENDS_WITH']
const equalities: readonly FilterCondition[] = ['EQUALS', 'NOT_EQUALS', 'IN', 'IS', 'IS_NOT']

function filterValue(field: RoomField, condition: FilterCondition): fc.Arbitrary<string> {
  const pool = atLeastText.includes(condition)
    ? [...parts, ...words, '1', '2026', 'ERR', 'mining', 'T00']
    : valuesOf(field)
  const withNothing = equalities.includes(condition) && isNullable(field) ? [...pool, ''] : pool
  return fc.array(fc.constantFrom(...withNothing), { minLength: 1, maxLength: 2 }).map((values) => values.join('||'))
}

function isNullable(field: RoomField): boolean {
  return !/^(product|edition|productType|region|projectRoomState|state|failureCause|hasPinnedNote|subMiningType|priority)$/.test(
    field,
  )
}

function valuesOf(field: RoomField): string[] {
  switch (field) {
    case 'product':
      return ['0', '1', '2']
    case 'edition':
      return ['0', '1', '2', '3', '4']
    case 'productType':
      return ['1', '2']
    case 'region':
      return ['1', '2', '3', '99', '-1']
    case 'priority':
      return ['0', '1', '12', '-3', '5']
    case 'projectRoomState':
    case 'state':
      return ['DEFAULT', 'MARKED_FOR_DELETION', 'ERROR', 'DISABLED_REGION', 'SUSPENDED', 'IN_PROGRESS']
    case 'failureCause':
      return [...failureCauses]
    case 'hasPinnedNote':
      return ['true', 'false']
    case 'subMiningType':
      return ['NONE', 'MINING_BASIC', 'MINING_ENTERPRISE']
    case 'creationDate':
    case 'expirationDate':
    case 'lastBackup':
      return [...days, ...times, '2026-01-01T12:30:00+02:00']
    case 'tenantName':
      return ['room1', 'ROOM20', 'room300', 'a', 'zz']
    case 'sapNumber':
    case 'sapNumberLast':
      return ['sap-1', 'SAP-20', 'a-1', 'A-1', '0815']
    case 'regionName':
      return ['north', 'NORTH', 'East', 'ääst', 'f']
    default:
      return [...words, 'anna@example.com', 'm']
  }
}

function anyQuery(): fc.Arbitrary<Given> {
  const filter = fc
    .tuple(fc.constantFrom(...roomFields), fc.constantFrom(...filterConditions))
    .chain(([field, condition]) => filterValue(field, condition).map((value) => [field, condition, value] as const))
  const term = fc.tuple(fc.constantFrom(...searchFields), fc.constantFrom(...parts, ''))
  const everywhere = fc.constantFrom(...parts).map((text) => {
    return (['tenantName', 'customerFirstName', 'customerLastName', 'customerEmail'] as const).map(
      (key) => [key, text] as const,
    )
  })
  const search = fc.oneof(fc.constant([]), fc.array(term, { maxLength: 3 }), everywhere)
  const sought = fc
    .array(fc.constantFrom(...parts, 'sap-1', 'a-1', 'anna'), { maxLength: 3 })
    .map((each) => each.join(' '))
  const order = fc.tuple(fc.constantFrom(...roomFields), fc.constantFrom('asc' as const, 'desc' as const))
  return fc
    .tuple(search, fc.array(filter, { maxLength: 2 }), order, fc.option(sought, { nil: '' }))
    .map(([terms, filters, [order_by, order_dir], text]) => ({
      search: text,
      search_keys: terms.map(([key]) => key),
      search_values: terms.map(([, text]) => text),
      ...filterBy(...filters.map(([...filter]) => filter as [RoomField, FilterCondition, string])),
      order_by,
      order_dir,
    }))
}
