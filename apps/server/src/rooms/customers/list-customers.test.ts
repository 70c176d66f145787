import { type Customer, routes } from '@roomkeeper/contract'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { queryRows } from '#platform/database.ts'
import { insertRegion, insertRooms, type RoomGiven } from '../../../test/room-rows.ts'
import { createTestDatabase } from '../../../test/test-database.ts'
import { listCustomers } from './list-customers.ts'

const database = await createTestDatabase()
const { db } = database

afterEach(() => database.pool.query('truncate rooms, regions, customer_aliases restart identity cascade'))

const list = (query: Record<string, string> = {}) => listCustomers(db, z.decode(routes.customers.query, query))
const namesOf = ({ data }: { data: readonly Customer[] }) => data.map(({ name }) => name)
const fold = () => queryRows(db, 'select 1 from fold_room_sums()')
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Before and after the sums of their rooms are folded, which changes nothing that is seen. */
async function whetherFoldedOrNot(check: () => Promise<void>): Promise<void> {
  await check()
  await fold()
  await check()
}

// shows: customers-listed, C-customers
test('a customer is all rooms of a company, however its name is written', async () => {
  const disabled = await insertRegion(db, { state: 'disabled' })
  await insertRooms(db, [
    { companyName: 'Contoso', licences: { YABD: 3 }, expirationDate: inDays(-4) },
    { companyName: 'CONTOSO', licences: { YABD: 4 }, expirationDate: inDays(30), state: 'ERROR' },
    { companyName: 'Contoso ', expirationDate: inDays(60), regionId: disabled },
    { companyName: 'Gone AG', expirationDate: inDays(-4) },
    { companyName: 'Endless', expirationDate: null },
  ] as RoomGiven[])
  await whetherFoldedOrNot(async () => {
    const { data, totalElements } = await list()
    expect(data.map(({ key }) => key)).toEqual(['contoso', 'endless', 'gone ag'])
    expect(totalElements).toBe(3)
    expect(data[0]).toMatchObject({
      rooms: 3,
      licences: { designers: 7 },
      nextExpiry: inDays(30),
      states: { DEFAULT: 1, ERROR: 1, DISABLED_REGION: 1, SUSPENDED: 0 },
    })
    expect(data.map(({ nextExpiry }) => nextExpiry)).toEqual([inDays(30), null, inDays(-4)])
  })
  // The name is as it was last written.
  await queryRows(db, `update rooms set company_name = 'contoso' where company_name = 'Contoso'`)
  await whetherFoldedOrNot(async () => expect(namesOf(await list())[0]).toBe('contoso'))
  await queryRows(db, 'delete from rooms where customer_key = $1', ['contoso'])
  await whetherFoldedOrNot(async () => expect(namesOf(await list())).toEqual(['Endless', 'Gone AG']))
})

// shows: customers-listed
test('customers are found by words, in the order of name or rooms, page by page', async () => {
  const rooms = (companyName: string, count: number) => Array.from({ length: count }, () => ({ companyName }))
  await insertRooms(db, [...rooms('Zeta Steel', 3), ...rooms('École', 1), ...rooms('Acme Steel', 2)])
  await fold()
  await insertRooms(db, [...rooms('École', 3), ...rooms('Steel 100%', 1), ...rooms('', 1)])
  await whetherFoldedOrNot(async () => {
    expect(namesOf(await list())).toEqual(['Acme Steel', 'École', 'Steel 100%', 'Zeta Steel'])
    expect(namesOf(await list({ order_by: 'rooms', order_dir: 'desc' }))).toEqual([
      'École',
      'Zeta Steel',
      'Acme Steel',
      'Steel 100%',
    ])
    expect(await list({ order_dir: 'desc', size: '3', page: '1' })).toMatchObject({
      data: [{ name: 'Acme Steel' }],
      totalElements: 4,
      totalPages: 2,
    })
    expect(namesOf(await list({ search: 'STEEL ac' }))).toEqual(['Acme Steel'])
    expect(namesOf(await list({ search: '%' }))).toEqual(['Steel 100%'])
    expect(await list({ search: 'nothing' })).toMatchObject({ data: [], totalElements: 0 })
  })
})
