/** Fills the database of a bench with rooms; what is there already is reused. */
import { seedRooms } from '@roomkeeper/dev-env'
import type pg from 'pg'

/**
 * Adds rooms until there are `rooms`, in regions named `seed-1` …, reusing those that exist. When half of the rooms are
 * to be added, most indexes are built afterwards: that is faster, and they are as large as if they had just been built.
 */
export async function fillWithRooms(
  database: pg.Client,
  { rooms, regions }: { rooms: number; regions: number },
): Promise<void> {
  await buildSetAside(database)
  const missing = rooms - (await countRooms(database))
  if (missing <= 0) return
  const begun = Date.now()
  const log = (text: string) => console.error(`${text}, ${Math.round((Date.now() - begun) / 1000)} s`)
  const setsAside = missing > rooms / 2
  if (setsAside) await setAsideIndexes(database)
  await seedRooms(database, {
    rooms: missing,
    regions,
    onProgress: (count) => log(`seeded ${count} of ${missing} rooms`),
  })
  if (setsAside) await buildSetAside(database, log)
  else await vacuum(database)
}

export async function countRooms(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ count: string }>('select count(*) from rooms')
  return Number(rows[0]?.count)
}

/**
 * Drops the indexes that only reading needs: not the unique ones, and not that of SAP numbers, which a trigger asks for
 * each new room. Their definitions are kept in the database until they are built again, so
 * that a bench that was ended in between finds them.
 */
async function setAsideIndexes(database: pg.Client): Promise<void> {
  await database.query('begin')
  await database.query('create schema bench')
  await database.query(
    `create table bench.indexes as
       select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i where i.indrelid = 'rooms'::regclass and not i.indisunique
         and i.indexrelid <> 'rooms_sap_number_key'::regclass`,
  )
  const { rows } = await database.query<{ name: string }>('select name from bench.indexes')
  for (const { name } of rows) await database.query(`drop index ${name}`)
  await database.query('commit')
}

async function buildSetAside(database: pg.Client, log: (text: string) => void = console.error): Promise<void> {
  const { rows: found } = await database.query(`select to_regclass('bench.indexes') is not null as "isThere"`)
  if (!found[0]?.isThere) return
  await database.query(`set maintenance_work_mem = '1GB'`)
  const { rows } = await database.query<{ definition: string }>('select definition from bench.indexes')
  for (const { definition } of rows) await database.query(definition.replace(/ INDEX /, ' INDEX IF NOT EXISTS '))
  log(`built ${rows.length} indexes`)
  // Before it is forgotten that they were set aside: a new index has no statistics, and without them nothing is found fast.
  await vacuum(database)
  await database.query('drop schema bench cascade')
  await database.query('reset maintenance_work_mem')
}

async function vacuum(database: pg.Client): Promise<void> {
  await database.query('vacuum analyze rooms')
  await database.query('checkpoint')
}
