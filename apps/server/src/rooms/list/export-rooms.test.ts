import { text } from 'node:stream/consumers'
import { type RoomExportQuery, roomExportQuery } from '@roomkeeper/contract'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '#platform/http/handler.ts'
import { insertRegion, insertRooms } from '../../../test/room-rows.ts'
import { createTestDatabase } from '../../../test/test-database.ts'
import { exportRooms, type RoomExport } from './export-rooms.ts'

const database = await createTestDatabase()
const { db } = database

afterEach(() => database.pool.query('truncate rooms, regions restart identity cascade'))

test('a room is exported with labels, ISO dates and its licences', async () => {
  const regionId = await insertRegion(db, { name: 'north' })
  await insertRooms(db, [
    {
      name: 'alpha',
      product: 'ARIS',
      edition: 'advanced-base-extension',
      regionId,
      sapNumber: '0815',
      salesChannel: 'online-shop',
      expirationDate: '2027-01-31',
      createdAt: '2026-05-01T10:20:30.456Z',
      customerFirstName: 'Øystein',
      customerLastName: "O'Neil, jr.",
      state: 'SUSPENDED',
      licences: { YAAD: 3, YAAV: 0 },
    },
  ])
  const [header, row, end] = (await exported({})).split('\r\n')
  expect(end).toBe('')
  const cells = Object.fromEntries((header ?? '').split(',').map((label, index) => [label, cellsOf(row)[index]]))
  expect(cells).toMatchObject({
    Product: 'ARIS',
    Name: 'alpha',
    Edition: 'Advanced incl. Base Extension',
    'Customer first name': 'Øystein',
    'Customer last name': "O'Neil, jr.",
    'Sales channel': 'Online Shop',
    Region: 'north',
    Created: '2026-05-01T10:20:30Z',
    'Valid until': '2027-01-31',
    Status: 'Suspended',
    'Original SAP contract number': '0815',
    Designers: '3',
    Viewers: '',
  })
})

// shows: rooms-csv-cells
test('cells that a spreadsheet would compute are defused, the name of the region too', async () => {
  const regionId = await insertRegion(db, { name: '=cmd' })
  await insertRooms(db, [
    { regionId, companyName: '+Plus', customerContactDetails: '-1', salesman: '@x', sapNumber: '=1' },
  ])
  const csv = await exported({})
  for (const cell of [`'=cmd`, `'+Plus`, `'-1`, `'@x`, `'=1`]) expect(cellsOf(csv.split('\r\n')[1])).toContain(cell)
})

test('the columns can be chosen, in their order', async () => {
  await insertRooms(db, [{ name: 'alpha', companyName: 'Acme', licences: { YABD: 3 } }])
  const csv = await exported({ columns: ['companyName', 'tenantName', 'designers', 'tenantName'] })
  expect(csv).toBe('Company,Name,Designers\r\n"Acme","alpha",3\r\n')
})

test('an unlimited room says so', async () => {
  await insertRooms(db, [{ name: 'alpha' }])
  expect(cellsOf((await exported({})).split('\r\n')[1])).toContain('Unlimited')
})

// shows: rooms-export-query
test('search, filters and order are those of the list', async () => {
  const regionId = await insertRegion(db, { name: 'US$1', state: 'disabled' })
  await insertRooms(db, [
    { name: 'aa', companyName: `x' or '1'='1` },
    { name: 'bb', companyName: '$1 \\ shop', regionId },
    { name: 'cc', companyName: '$1 \\ store', regionId, state: 'ERROR' },
    { name: 'dd', companyName: '$2' },
  ])
  const search = { search_keys: ['companyName'], search_values: ['$1 \\'] }
  expect(await exportedNames({ ...search, order_dir: 'asc' })).toEqual(['bb', 'cc'])
  expect(await exportedNames({ ...search, order_by: 'state', order_dir: 'desc' })).toEqual(['bb', 'cc'])
  expect(await exportedNames({ search: `' \\ x` })).toEqual([])
  expect(await exportedNames({ search: '$1 store' })).toEqual(['cc'])
  expect(await exportedNames(filterBy('state', 'EQUALS', 'DISABLED_REGION'))).toEqual(['bb'])
  expect(await exportedNames(filterBy('companyName', 'CONTAINS', `' or '`))).toEqual(['aa'])
  expect(await exportedNames(filterBy('regionName', 'EQUALS', 'us$1||nowhere'))).toEqual(['cc', 'bb'])
  expect(await exportedNames(filterBy('tenantName', 'IN', `AA||x' or '1'='1||{$1}||dd`))).toEqual(['dd', 'aa'])
  expect(await exported(filterBy('regionName', 'EQUALS', 'us$1'))).toContain(',"US$1",')
})

test('a wrong filter is refused before anything is sent or recorded', async () => {
  const entries = () => database.pool.query('select from audit')
  const before = (await entries()).rowCount
  await expect(exported(filterBy('nothing', 'EQUALS', 'x'))).rejects.toMatchObject({ code: 'invalid-filter' })
  expect((await entries()).rowCount).toBe(before)
})

function filterBy(field: string, condition: string, value: string): Partial<RoomExportQuery> {
  return { filter_keys: [field], filter_conditions: [condition], filter_values: [value] }
}

async function exported(given: Partial<RoomExport>): Promise<string> {
  const caller = { operatorId: 'ada', actor: 'ada@example.com' } as Caller
  const query = { ...z.decode(roomExportQuery, {}), csv: 'programs' as const, ...given }
  return text(await exportRooms(database, query, { caller, requestId: 'r' }))
}

async function exportedNames(given: Partial<RoomExportQuery>): Promise<(string | undefined)[]> {
  const rows = (await exported(given)).split('\r\n').slice(1, -1)
  return rows.map((row) => cellsOf(row)[1])
}

/** Splits a row into cells, but not at commas within quotes. All but numbers are quoted. */
function cellsOf(row: string | undefined): string[] {
  const cells = [...(row ?? '').matchAll(/("(?:[^"]|"")*"|\d*)(?:,|$)/g)].map(([, cell]) => cell ?? '')
  return cells.map((cell) => cell.replaceAll(/^"|"$/g, '').replaceAll('""', '"'))
}
