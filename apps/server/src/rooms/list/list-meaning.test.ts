import { type RoomListQuery, roomListQuery } from '@roomkeeper/contract'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { queryRows } from '#platform/database.ts'
import { insertRegion, insertRoomBackups, insertRooms } from '../../../test/room-rows.ts'
import { createTestDatabase } from '../../../test/test-database.ts'
import { listRooms } from './list-rooms.ts'
import { readOverview } from './totals.ts'

const database = await createTestDatabase()
const { db } = database

afterEach(() => database.pool.query('truncate rooms, regions, operations restart identity cascade'))

// shows: C-listRooms, page-size-default
test('by default the list is the first 20 rooms by name, downwards', async () => {
  await insertRooms(
    db,
    Array.from({ length: 25 }, (_, index) => ({ name: `r${String(index).padStart(2, '0')}` })),
  )
  const list = await listRooms(database, z.decode(roomListQuery, {}))
  expect(list.data.map(({ tenantName }) => tenantName)).toEqual(
    Array.from({ length: 20 }, (_, index) => `r${String(24 - index).padStart(2, '0')}`),
  )
  expect(list).toMatchObject({ totalElements: 25, totalPages: 2 })
})

// shows: rooms-totals
test('a page behind the last is empty and still has the totals', async () => {
  await insertRooms(db, [{ name: 'aaa', licences: { YABD: 4 } }])
  const list = await listRooms(database, queryOf({ page: 7 }))
  expect(list).toMatchObject({ data: [], totalElements: 1, totalPages: 1, licenses: { designers: 4 } })
})

// shows: rooms-search
test('a search finds parts of words in any case, in any one of the fields asked for and in no other', async () => {
  await insertRooms(db, [
    { name: 'alpha', customerFirstName: 'Øystein' },
    { name: 'beta', customerEmail: 'OYSTER@example.com' },
    { name: 'gamma', companyName: 'Oyster Bank' },
  ])
  const search = (keys: string[], text: string) => names({ search_keys: keys, search_values: keys.map(() => text) })
  expect(await search(['tenantName', 'customerFirstName', 'customerLastName', 'customerEmail'], 'oYst')).toEqual([
    'beta',
  ])
  expect(await search(['customerFirstName', 'companyName'], 'øyST')).toEqual(['alpha'])
  expect(await search(['customerFirstName', 'companyName'], 'yst')).toEqual(['alpha', 'gamma'])
  expect(await search(['companyName', 'customerEmail'], 'y')).toEqual(['beta', 'gamma'])
})

test('a filter names up to 150,000 rooms, or leaves them out, and compares with at most 200 other values', async () => {
  await insertRooms(db, [{ name: 'alpha' }, { name: 'beta' }, { name: 'gamma' }])
  const filtered = (field: string, condition: string, values: string[]) =>
    names({ filter_keys: [field], filter_conditions: [condition], filter_values: [values.join('||')] })
  const many = Array.from({ length: 150_000 }, (_, index) => `n${index}`)
  expect(await filtered('tenantName', 'IN', [...many.slice(2), 'BETA', 'alpha'])).toEqual(['alpha', 'beta'])
  expect(await filtered('tenantName', 'NOT_EQUALS', [...many.slice(2), 'BETA', 'alpha'])).toEqual(['gamma'])
  const tooLong = { code: 'invalid-filter', message: expect.stringContaining('at most 200 values') }
  await expect(filtered('tenantName', 'IN', [...many, 'alpha'])).rejects.toMatchObject(tooLong)
  expect(await filtered('companyName', 'IN', many.slice(0, 200))).toEqual([])
  for (const field of ['companyName', 'creationDate', 'lastBackup'])
    await expect(filtered(field, 'EQUALS', Array(201).fill('2026-01-01'))).rejects.toMatchObject(tooLong)
  await expect(filtered('tenantName', 'CONTAINS', many.slice(0, 201))).rejects.toMatchObject(tooLong)
})

// shows: verify-column
test('rooms are filtered and sorted by the age of their last backup; a room without one counts as the oldest', async () => {
  await insertRooms(db, [{ name: 'daily' }, { name: 'lately' }, { name: 'long-ago' }, { name: 'never' }])
  await insertRoomBackups(db, [
    { of: 'daily', at: '2026-03-10T08:00:00Z', restoredAt: '2026-03-11T00:00:00Z' },
    { of: 'daily', at: '2026-01-01T00:00:00Z' },
    { of: 'lately', at: '2026-03-09T23:59:59Z', kind: 'd2o' },
    { of: 'long-ago', at: '2025-01-01T00:00:00Z' },
  ])
  const found = (condition: string, value: string) => names(filterBy('lastBackup', condition, value))
  expect(await found('BEFORE', '2026-03-10')).toEqual(['lately', 'long-ago', 'never'])
  expect(await found('LTE', '2026-03-10')).toEqual(['daily', 'lately', 'long-ago', 'never'])
  expect(await found('GTE', '2026-03-10')).toEqual(['daily'])
  expect(await found('AFTER', '2026-03-09T23:59:59Z')).toEqual(['daily'])
  expect(await found('EQUALS', '2026-03-09')).toEqual(['lately'])
  expect(await found('EQUALS', 'null')).toEqual(['never'])
  expect(await found('NOT_EQUALS', '')).toEqual(['daily', 'lately', 'long-ago'])
  expect(await found('STARTS_WITH', '2026-03')).toEqual(['daily', 'lately'])
  expect(await found('CONTAINS', '01')).toEqual(['long-ago'])
  expect(await found('NOT_CONTAINS', '2026')).toEqual(['long-ago', 'never'])
  await expect(found('BEFORE', 'yesterday')).rejects.toMatchObject({ code: 'invalid-filter' })
  expect(await names({ order_by: 'lastBackup' })).toEqual(['never', 'long-ago', 'lately', 'daily'])
  const { data } = await listRooms(database, queryOf({ order_by: 'lastBackup', order_dir: 'desc' }))
  expect(data.map(({ lastBackupAt, lastBackupVerifiedAt }) => [lastBackupAt, lastBackupVerifiedAt])).toEqual([
    ['2026-03-10T08:00:00.000Z', '2026-03-11T00:00:00.000Z'],
    ['2026-03-09T23:59:59.000Z', null],
    ['2025-01-01T00:00:00.000Z', null],
    [null, null],
  ])
})

test('the whole name of a customer is found where both names are searched', async () => {
  await insertRooms(db, [
    { name: 'alpha', customerFirstName: 'Anna Maria', customerLastName: 'von Berg' },
    { name: 'beta', customerFirstName: 'Berg', customerLastName: 'Anna' },
  ])
  const both = ['customerFirstName', 'customerLastName']
  const search = (keys: string[], text: string) => names({ search_keys: keys, search_values: keys.map(() => text) })
  for (const text of ['anna maria VON BERG', 'Maria von', 'a v'])
    expect(await search(both, text), text).toEqual(['alpha'])
  expect(await search([...both, 'tenantName', 'customerEmail'], 'maria von berg')).toEqual(['alpha'])
  for (const text of ['alpha Anna', 'Anna Berg', ' von']) expect(await search(both, text), text).toEqual([])
  expect(await search(['customerFirstName'], 'Maria von')).toEqual([])
})

test('a text is not found across two fields', async () => {
  await insertRooms(db, [{ name: 'alpha', customerFirstName: 'Anna', customerLastName: 'Berg' }])
  const keys = ['tenantName', 'customerFirstName', 'customerLastName', 'customerEmail']
  expect(await names({ search_keys: keys, search_values: keys.map(() => 'annaberg') })).toEqual([])
  expect(await names({ search_keys: keys, search_values: keys.map(() => 'anna\x1fberg') })).toEqual([])
})

// shows: search-words
test('every word of a search must occur in one of the fields, beside filters and a search by fields', async () => {
  await insertRooms(db, [
    { name: 'alpha', customerFirstName: 'Anna', customerLastName: 'Beispiel', sapNumber: '4600012' },
    { name: 'beta', customerFirstName: 'Anna', customerLastName: 'Berg', companyName: 'Beispiel & Söhne' },
    { name: 'gamma', customerFirstName: 'Bea', customerLastName: 'Spiel', sapNumberLast: 'NEU-77' },
  ])
  expect(await names({ search: 'anna beispiel' })).toEqual(['alpha', 'beta'])
  expect(await names({ search: ' BEISPIEL  söhne ' })).toEqual(['beta'])
  expect(await names({ search: '4600012 an' })).toEqual(['alpha'])
  expect(await names({ search: 'neu-77' })).toEqual(['gamma'])
  expect(await names({ search: 'annabeispiel' })).toEqual([])
  expect(await names({ search: 'beispiel anna berlin' })).toEqual([])
  expect(await names({ search: '%' })).toEqual([])
  expect(await names({ search: 'an\x1fbeispiel' })).toEqual(['alpha', 'beta'])
  const berg = { search_keys: ['customerLastName'], search_values: ['berg'] }
  expect(await names({ search: 'anna', ...berg })).toEqual(['beta'])
  expect(await names({ search: 'beispiel', ...filterBy('companyName', 'CONTAINS', 'example') })).toEqual(['alpha'])
})

test('percent signs, underscores and backslashes are searched for as they are', async () => {
  await insertRooms(db, [
    { name: 'alpha', companyName: '100% Wool' },
    { name: 'beta', companyName: '1000 Wools' },
    { name: 'gamma', companyName: 'C:\\Wool_1' },
  ])
  expect(await names(filterBy('companyName', 'CONTAINS', '0%'))).toEqual(['alpha'])
  expect(await names(filterBy('companyName', 'ENDS_WITH', '_1'))).toEqual(['gamma'])
  expect(await names(filterBy('companyName', 'STARTS_WITH', 'c:\\w'))).toEqual(['gamma'])
})

// shows: states-derived
test('active and suspended rooms of a disabled region are shown, filtered, sorted and counted as DISABLED_REGION', async () => {
  const disabled = await insertRegion(db, { name: 'off', state: 'disabled' })
  const enabled = await insertRegion(db, { name: 'on' })
  await insertRooms(db, [
    { name: 'aa', regionId: disabled, state: 'DEFAULT' },
    { name: 'bb', regionId: disabled, state: 'SUSPENDED' },
    { name: 'cc', regionId: disabled, state: 'ERROR' },
    { name: 'dd', regionId: disabled, state: 'MARKED_FOR_DELETION' },
    { name: 'ee', regionId: disabled, state: 'IN_PROGRESS' },
    { name: 'ff', regionId: enabled, state: 'DEFAULT' },
    { name: 'gg', regionId: enabled, state: 'SUSPENDED' },
  ])
  const list = await listRooms(database, queryOf({ order_by: 'state' }))
  expect(list.data.map(({ tenantName, projectRoomState }) => [tenantName, projectRoomState])).toEqual([
    ['ff', 'DEFAULT'],
    ['dd', 'MARKED_FOR_DELETION'],
    ['cc', 'ERROR'],
    ['aa', 'DISABLED_REGION'],
    ['bb', 'DISABLED_REGION'],
    ['gg', 'SUSPENDED'],
    ['ee', 'IN_PROGRESS'],
  ])
  expect(await names(filterBy('projectRoomState', 'EQUALS', 'DISABLED_REGION'))).toEqual(['aa', 'bb'])
  expect(await names(filterBy('state', 'EQUALS', 'DEFAULT||SUSPENDED'))).toEqual(['ff', 'gg'])
  expect(await names(filterBy('projectRoomState', 'NOT_EQUALS', 'DISABLED_REGION||ERROR'))).toEqual([
    'dd',
    'ee',
    'ff',
    'gg',
  ])

  await queryRows(db, `update regions set state = 'enabled'`)
  expect(await names(filterBy('projectRoomState', 'EQUALS', 'DISABLED_REGION'))).toEqual([])
  expect(await names(filterBy('state', 'EQUALS', 'SUSPENDED'))).toEqual(['bb', 'gg'])
})

test('hiding failed rooms leaves all others', async () => {
  await insertRooms(db, [{ name: 'aa' }, { name: 'bb', state: 'ERROR' }, { name: 'cc', state: 'IN_PROGRESS' }])
  expect(await names(filterBy('projectRoomState', 'NOT_EQUALS', 'ERROR'))).toEqual(['aa', 'cc'])
})

// shows: rooms-region-order
test('regions are in order of their names, and a filter by region takes the id', async () => {
  const west = await insertRegion(db, { name: 'West' })
  const east = await insertRegion(db, { name: 'east' })
  await insertRooms(db, [
    { name: 'aa', regionId: west },
    { name: 'bb', regionId: east },
  ])
  expect(await names({ order_by: 'region' })).toEqual(['bb', 'aa'])
  expect(await names({ order_by: 'regionName', order_dir: 'desc' })).toEqual(['aa', 'bb'])
  expect(await names(filterBy('region', 'EQUALS', String(west)))).toEqual(['aa'])
  expect(await names(filterBy('regionName', 'EQUALS', 'EAST'))).toEqual(['bb'])
})

test('people are in the order of a dictionary', async () => {
  await insertRooms(
    db,
    ['Zander', 'öberg', 'Oberg', 'adam', 'Ångström'].map((customerLastName, index) => ({
      name: `r${index}`,
      customerLastName,
    })),
  )
  const list = await listRooms(database, queryOf({ order_by: 'customerLastName' }))
  const order = list.data.map(({ customerLastName }) => customerLastName)
  expect(order).toEqual(['adam', 'Ångström', 'Oberg', 'öberg', 'Zander'])
})

test('an unlimited room is later than any date, equals no date, and is found by the empty value', async () => {
  await insertRooms(db, [
    { name: 'aa', expirationDate: null },
    { name: 'bb', expirationDate: '2027-01-31' },
    { name: 'cc', expirationDate: '2026-01-31' },
  ])
  expect(await names({ order_by: 'expirationDate' })).toEqual(['cc', 'bb', 'aa'])
  expect(await names({ order_by: 'expirationDate', order_dir: 'desc' })).toEqual(['aa', 'bb', 'cc'])
  expect(await names(filterBy('expirationDate', 'IS', ''))).toEqual(['aa'])
  expect(await names(filterBy('expirationDate', 'IS_NOT', ''))).toEqual(['bb', 'cc'])
  expect(await names(filterBy('expirationDate', 'IS_NOT', '2027-01-31T00:00:00.000Z'))).toEqual(['aa', 'cc'])
  expect(await names(filterBy('expirationDate', 'AFTER', '2026-06-01'))).toEqual(['bb'])
})

test('a day means its whole length where times are compared', async () => {
  await insertRooms(db, [
    { name: 'aa', createdAt: '2026-05-01T23:59:59.999Z' },
    { name: 'bb', createdAt: '2026-05-02T00:00:00.000Z' },
  ])
  expect(await names(filterBy('creationDate', 'IS', '2026-05-01'))).toEqual(['aa'])
  expect(await names(filterBy('creationDate', 'AFTER', '2026-05-01'))).toEqual(['bb'])
  expect(await names(filterBy('creationDate', 'LTE', '2026-05-01'))).toEqual(['aa'])
  expect(await names(filterBy('creationDate', 'STARTS_WITH', '2026-05-02'))).toEqual(['bb'])
})

// shows: wire-lists, rooms-unknown-field
test.each([
  [{ order_by: 'licenses' }, 'The list cannot be sorted by licenses.'],
  [{ search_keys: ['region'], search_values: ['x'] }, 'The list cannot be searched by region.'],
  [
    { search_keys: ['tenantName'], search_values: [] },
    'search_keys and search_values must have as many entries as each other.',
  ],
  [
    { filter_keys: ['product'], filter_values: ['1'] },
    'filter_keys, filter_values and filter_conditions must have as many',
  ],
  [filterBy('errorMessage', 'EQUALS', 'x'), 'The list cannot be filtered by errorMessage.'],
  [filterBy('product', 'LIKE', '1'), 'There is no filter condition LIKE.'],
  [filterBy('product', 'EQUALS', 'ARIS'), 'product takes one of 0, 1, 2.'],
  [
    filterBy('state', 'EQUALS', '0'),
    'state takes one of DEFAULT, MARKED_FOR_DELETION, ERROR, DISABLED_REGION, SUSPENDED,',
  ],
  [filterBy('region', 'IN', '1||north'), 'region takes a whole number.'],
  [filterBy('priority', 'GT', '99999999999'), 'priority takes a whole number.'],
  [filterBy('creationDate', 'BEFORE', '2026-02-30'), 'creationDate takes a date such as'],
  [filterBy('expirationDate', 'LT', ''), 'expirationDate takes a date such as'],
  [filterBy('expirationDate', 'IS', '0000-01-01'), 'expirationDate takes a date such as'],
  [{ search: 'a\0b' }, 'A searched text must not hold the character NUL.'],
  [filterBy('companyName', 'EQUALS', 'a\0b'), 'A searched text must not hold the character NUL.'],
])('%j is refused', async (given, reason) => {
  await expect(listRooms(database, queryOf(given as Partial<RoomListQuery>))).rejects.toMatchObject({
    code: 'invalid-filter',
    message: expect.stringContaining(reason) as string,
  })
})

test('a room is shown with what runs for it, or with what failed', async () => {
  await insertRooms(db, [
    { name: 'busy', state: 'IN_PROGRESS' },
    { name: 'broken', state: 'ERROR', errorMessage: 'No space left.' },
  ])
  await queryRows(
    db,
    `insert into operations (id, kind, version, process_type, input, started_by, region_id, room_id, room_name, state, step, progress)
     select o.id::uuid, 'room.create', 1, 'Create PR', '{}', 'x', 1, rooms.id, room, o.state, step, progress
       from (values
         ($1, 'busy', 'failed', null, 0),
         ($2, 'busy', 'running', 'make', 0.5),
         ($4, 'broken', 'done', null, 0),
         ($3, 'broken', 'failed', null, 0)
       ) as o (id, room, state, step, progress) join rooms on name = room`,
    [uuid(1), uuid(2), uuid(3), uuid(4)],
  )
  await database.pool.query(`update operations set created_at = now() - interval '1 day' where id = $1`, [uuid(1)])
  // Started before the clock was set back.
  await database.pool.query(`update operations set created_at = now() + interval '1 year' where id = $1`, [uuid(4)])
  const list = await listRooms(database, queryOf({}))
  expect(list.data).toMatchObject([
    { tenantName: 'broken', errorMessage: 'No space left.', runningOperation: null, failedOperationId: uuid(3) },
    {
      tenantName: 'busy',
      runningOperation: { operationId: uuid(2), processType: 'Create PR', step: 'make', progress: 0.5 },
      failedOperationId: null,
    },
  ])
})

// shows: C-overview, panel-counts
test('the overview counts all rooms by channel, edition and product', async () => {
  await insertRooms(db, [
    { product: 'ARIS', edition: 'basic' },
    { product: 'MINING', edition: 'basic', salesChannel: 'online-shop' },
    { product: 'MINING', edition: 'enterprise' },
    { product: 'ARIS', edition: 'advanced-base-extension' },
    { product: 'ENTERPRISE', edition: 'enterprise-shared' },
  ])
  expect(await readOverview(db)).toEqual({
    directSales: 4,
    onlineShop: 1,
    elements: 2,
    advanced: 0,
    enterprise: 1,
    enterpriseLight: 1,
    aris: 2,
    yukon: 2,
    enterpriseShared: 1,
  })
})

function filterBy(field: string, condition: string, value: string): Partial<RoomListQuery> {
  return { filter_keys: [field], filter_conditions: [condition], filter_values: [value] }
}

function queryOf(given: Partial<RoomListQuery>): RoomListQuery {
  return { ...z.decode(roomListQuery, {}), order_dir: 'asc', ...given }
}

async function names(given: Partial<RoomListQuery>): Promise<string[]> {
  const { data, totalElements } = await listRooms(database, queryOf(given))
  expect(totalElements).toBe(data.length)
  return data.map(({ tenantName }) => tenantName)
}

function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}
