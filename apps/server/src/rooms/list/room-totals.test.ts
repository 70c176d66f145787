import { licences, type Product, subLicences } from '@roomkeeper/contract'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { queryRows } from '#platform/database.ts'
import { insertRegion, insertRooms, type RoomGiven } from '../../../test/room-rows.ts'
import { createTestDatabase } from '../../../test/test-database.ts'

const database = await createTestDatabase({ maxConnections: 20 })
const { db, pool } = database

afterEach(() => pool.query('truncate rooms, regions restart identity cascade'))

/** The column in which each licence of the catalogue is counted, if any. */
// biome-ignore format: a table
const countedIn: Record<Product, Record<string, string | null>> = {
  ARIS: {
    YABV: 'viewers', YABD: 'designers', YAAV: 'viewers', YAAD: 'designers', YAAA: 'architects',
    YAADS: 'designers_sap', YAABS: 'ep_bus', YAAEAM: 'ep_eam', YAAAS: 'architects_sap',
  },
  MINING: {
    YPMBA: 'yukon_analyst', YPMAA: 'yukon_analyst', YPMAE: 'yukon_engineer', YPMAV: 'yukon_viewer',
    YPMEA: 'yukon_analyst', YPMEE: 'yukon_engineer', YPMEV: 'yukon_viewer',
  },
  ENTERPRISE: {
    ESV: 'es_viewer', ESVP: 'es_viewer_pro', ESD: 'es_designer', ESA: 'es_admin', ESSC: null, ESAI: 'ai_credits',
  },
}
/** The same for the sub-licences, all of which belong to MINING. */
// biome-ignore format: a table
const subCountedIn: Record<string, string | null> = {
  DataVolumeGB: 'yukon_data_volume', YPMEF: null, YPMA1: null, YPME1: null, YPME2: null, YPME3: null, YPME4: null,
  YPME5: null, YPME6: null, YPME7: null,
}
const someEdition = { ARIS: 'basic', MINING: 'basic', ENTERPRISE: 'enterprise-shared' } as const

test('there is no licence in the catalogue of which these tests do not know where it counts', () => {
  for (const product of Object.keys(countedIn) as Product[])
    expect(
      licences
        .filter((each) => each.product === product)
        .map((each) => each.key)
        .sort(),
    ).toEqual(Object.keys(countedIn[product]).sort())
  expect(subLicences.map((each) => each.key).sort()).toEqual(Object.keys(subCountedIn).sort())
})

// shows: catalogue-totals
test.each(
  Object.entries(countedIn).flatMap(([product, columns]) =>
    Object.entries(columns).map(([key, column]) => [key, product as Product, column] as const),
  ),
)('the licence %s of %s counts in %s, and in no other total', async (key, product, column) => {
  await insertRooms(db, [{ product, edition: someEdition[product], licences: { [key]: 777 }, subLicences: [] }])
  expect(await columnsWith777()).toEqual(column === null ? [] : [column])
})

// shows: catalogue-totals
test.each(Object.entries(subCountedIn))(
  'the sub-licence %s counts in %s, and in no other total',
  async (key, column) => {
    const entry = { licenseKey: key, subLicenseAmount: 777, productKey: 'x' }
    await insertRooms(db, [{ product: 'MINING', edition: 'basic', licences: {}, subLicences: [entry] } as RoomGiven])
    expect(await columnsWith777()).toEqual(column === null ? [] : [column])
  },
)

async function columnsWith777(): Promise<string[]> {
  const { rows } = await pool.query('select * from room_totals')
  expect(rows).toHaveLength(1)
  return Object.entries(rows[0] as object).flatMap(([column, count]) => (count === 777 ? column : []))
}

test('the totals stay what a recount would find, whatever happens at the same time', async () => {
  const regions = [await insertRegion(db), await insertRegion(db), await insertRegion(db)]
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change(regions), { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 6 }),
      async (work) => {
        await Promise.all(work.map(inOneTransaction))
        await expectTotalsToBeTrue()
      },
    ),
    { numRuns: 30 },
  )
})

test('two transactions that change rooms of the same kind do not wait for each other', async () => {
  const region = await insertRegion(db)
  await insertRooms(db, [
    { name: 'first', regionId: region },
    { name: 'second', regionId: region },
  ])
  await database.transaction(async (one) => {
    await queryRows(one, `update rooms set state = 'SUSPENDED' where name = 'first'`)
    await database.transaction(async (other) => {
      await queryRows(other, `set local lock_timeout = '100ms'`)
      await queryRows(other, `update rooms set state = 'SUSPENDED' where name = 'second'`)
    })
  })
  await expectTotalsToBeTrue()
})

test('many small changes leave few rows behind', async () => {
  const region = await insertRegion(db)
  await insertRooms(db, [{ name: 'busy', regionId: region }])
  for (let turn = 0; turn < 450; turn++) {
    const [state, company] = turn % 2 === 0 ? ['SUSPENDED', 'One'] : ['DEFAULT', 'Other']
    await queryRows(db, `update rooms set state = $1, company_name = $2 where name = 'busy'`, [state, company])
  }
  for (const table of ['room_totals', 'room_months', 'customer_totals']) {
    const { rows } = await pool.query(`select count(*) from ${table}`)
    expect(rows[0].count).toBeLessThan(410)
  }
  await expectTotalsToBeTrue()
})

test('a change of nothing that is counted writes no totals', async () => {
  await insertRooms(db, [{ name: 'calm' }])
  const before = await pool.query('select last_value from room_sums_writes')
  await queryRows(db, `update rooms set error_message = 'x', priority = 3`)
  expect(await pool.query('select last_value from room_sums_writes')).toMatchObject({ rows: before.rows })
})

test('emptying the table empties the totals', async () => {
  await insertRooms(db, [{}, {}])
  await pool.query('truncate rooms cascade')
  const { rows } = await pool.query(
    'select (select count(*) from room_totals) as totals, (select count(*) from customer_totals) as customers, sum(room_count) as counts from regions',
  )
  expect(rows[0]).toEqual({ totals: 0, customers: 0, counts: 0 })
})

test('a recount mends totals that were lost', async () => {
  await insertRooms(db, [{}, { state: 'ERROR' }])
  await pool.query('delete from room_totals')
  await pool.query('delete from room_months')
  await pool.query('delete from customer_totals')
  await pool.query('update regions set room_count = 99')
  await pool.query('select recount_rooms()')
  await expectTotalsToBeTrue()
})

type Change = (tx: Parameters<Parameters<typeof database.transaction>[0]>[0]) => Promise<unknown>

function change(regions: number[]): fc.Arbitrary<Change> {
  const regionId = fc.constantFrom(...regions)
  const state = fc.constantFrom('DEFAULT' as const, 'SUSPENDED' as const, 'ERROR' as const)
  const createdAt = fc.constantFrom('2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z')
  const licences = fc.record({ YABD: fc.nat(9), YABV: fc.nat(9) })
  const companyName = fc.constantFrom('One', 'ONE ', 'Other')
  // Picked by name, so that transactions meet at some rooms, and in a fixed order, so that they do not deadlock.
  const some = fc.constantFrom('1', '3', '5', '7')
  return fc.oneof(
    fc
      .array(fc.record({ regionId, state, licences, createdAt, companyName }), { minLength: 1, maxLength: 5 })
      .map((rooms): Change => {
        return (tx) => insertRooms(tx as never, rooms)
      }),
    fc.tuple(some, state).map(([digit, to]): Change => {
      return (tx) =>
        lockedNames(tx, digit).then((names) =>
          queryRows(tx, 'update rooms set state = $1 where name = any($2)', [to, names]),
        )
    }),
    fc.tuple(some, licences).map(([digit, to]): Change => {
      return (tx) =>
        lockedNames(tx, digit).then((names) =>
          queryRows(tx, 'update rooms set licences = $1 where name = any($2)', [to, names]),
        )
    }),
    fc.tuple(some, companyName).map(([digit, to]): Change => {
      return (tx) =>
        lockedNames(tx, digit).then((names) =>
          queryRows(tx, 'update rooms set company_name = $1 where name = any($2)', [to, names]),
        )
    }),
    some.map((digit): Change => {
      return (tx) =>
        lockedNames(tx, digit).then((names) =>
          queryRows(tx, `update rooms set name = 'z' || name where name = any($1)`, [names]),
        )
    }),
    some.map((digit): Change => {
      return (tx) =>
        lockedNames(tx, digit).then((names) => queryRows(tx, 'delete from rooms where name = any($1)', [names]))
    }),
  )
}

async function lockedNames(tx: Parameters<Change>[0], digit: string): Promise<string[]> {
  const locked = 'select name from rooms where name like $1 order by name for update'
  const rows = await queryRows<{ name: string }>(tx, locked, [`%${digit}`])
  return rows.map(({ name }) => name)
}

/** Rolls some transactions back. Victims of a deadlock count as rolled back too. */
async function inOneTransaction(changes: Change[], index: number): Promise<void> {
  const fails = index % 3 === 2
  await database
    .transaction(async (tx) => {
      await queryRows(tx, `set local deadlock_timeout = '20ms'`)
      for (const each of changes) await each(tx)
      if (fails) throw new Error('rolled back')
    })
    .catch((error: Error & { code?: string }) => {
      if (error.message !== 'rolled back' && error.code !== '40P01') throw error
    })
}

async function expectTotalsToBeTrue(): Promise<void> {
  const kept = [await totalsNow(), await monthsNow(), await customersNow()]
  const { rows: counts } = await pool.query('select id, room_count from regions order by id')
  await pool.query('select recount_rooms()')
  expect(kept).toEqual([await totalsNow(), await monthsNow(), await customersNow()])
  expect(counts).toEqual((await pool.query('select id, room_count from regions order by id')).rows)
}

async function totalsNow(): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select region_id, state, product, edition, sales_channel, sum(rooms)::integer as rooms,
       coalesce(sum(designers), 0)::integer as designers, coalesce(sum(viewers), 0)::integer as viewers
     from room_totals group by 1, 2, 3, 4, 5 having sum(rooms) <> 0 order by 1, 2, 3, 4, 5`,
  )
  return rows
}

async function customersNow(): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select key, sum(rooms)::integer as rooms, coalesce(sum(designers), 0)::integer as designers,
       coalesce(sum(viewers), 0)::integer as viewers
     from customer_totals group by 1 having sum(rooms) <> 0 order by 1`,
  )
  return rows
}

async function monthsNow(): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select region_id, state, product, edition, sales_channel, month, sum(rooms)::integer as rooms
     from room_months group by 1, 2, 3, 4, 5, 6 having sum(rooms) <> 0 order by 1, 2, 3, 4, 5, 6`,
  )
  return rows
}
