/** What writing rooms costs, beside a table with the same columns, the same key and the same unique name. */
import type pg from 'pg'
import { startBenchServer } from '../bench-server.ts'
import { countRooms } from '../fill-with-rooms.ts'
import { median, table, timed } from '../measure.ts'
import { report } from '../report.ts'

const inserted = 20_000
const edited = 2_000

interface Cost {
  milliseconds: number
  walBytes: number
}

/** Of the product's table, and of the bare one. */
type Pair<Of> = [product: Of, bare: Of]

interface Row {
  name: string
  product: number
  bare: number
}

export async function benchWrites(options: {
  rooms: number
  rounds: number
  dataDir: string | undefined
}): Promise<void> {
  // The seeded regions have no servers to which anything could be sent.
  const bench = await startBenchServer(options, { ROOM_RECORD_SECONDS: '0' })
  const { database } = bench
  try {
    const before = await countRooms(database)
    await createBareTable(database)
    const inserts: Pair<Cost>[] = []
    const edits: Pair<Cost>[] = []
    for (let round = 0; round < options.rounds; round++) {
      await drawRooms(database, `r${before}r${round}`)
      inserts.push(await costs(database, insertInto))
      edits.push(await costs(database, edit))
    }
    const { rowCount } = await database.query(`select from pg_index where indrelid = 'rooms'::regclass`)
    const rows = [
      ...rowsOf(`${inserted} rooms inserted in one statement`, inserted, inserts),
      ...rowsOf(`${edited} rooms edited in one statement`, edited, edits),
      { name: 'the table with its indexes, MB', ...(await sizes(database)) },
    ]
    report(`${before.toLocaleString('en')} rooms beforehand, ${rowCount} indexes`)
    report(
      table(
        ['writing', 'rooms', 'bare table', 'ratio'],
        rows.map(({ name, product, bare }) => [name, written(product), written(bare), (product / bare).toFixed(1)]),
      ),
    )
    report(`Medians of ${options.rounds}, in turns.`)
  } finally {
    await database.query('drop table if exists bench_bare')
    await bench.stop()
  }
}

function rowsOf(name: string, rooms: number, pairs: readonly Pair<Cost>[]): Row[] {
  const medianOf = (of: (cost: Cost) => number, which: 0 | 1) => median(pairs.map((pair) => of(pair[which])))
  const row = (unit: string, of: (cost: Cost) => number) => {
    return { name: `${name}: ${unit}`, product: medianOf(of, 0), bare: medianOf(of, 1) }
  }
  return [row('ms', (cost) => cost.milliseconds), row('WAL per room, kB', (cost) => cost.walBytes / rooms / 1000)]
}

function written(number: number): string {
  return number.toFixed(number < 100 ? 1 : 0)
}

/** With the rooms that are there. */
async function createBareTable(database: pg.Client): Promise<void> {
  await database.query('drop table if exists bench_bare')
  await database.query('create table bench_bare (like rooms including defaults including generated)')
  await database.query('alter table bench_bare add primary key (id), add unique (name)')
  const columns = await writtenColumns(database)
  await database.query(`insert into bench_bare (${columns}) select ${columns} from rooms`)
  await database.query('vacuum analyze bench_bare')
}

/** The columns that PostgreSQL does not compute. */
async function writtenColumns(database: pg.Client): Promise<string> {
  const { rows } = await database.query<{ columns: string }>(
    `select string_agg(attname, ', ') as columns from pg_attribute
      where attrelid = 'rooms'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  )
  return rows[0]?.columns ?? ''
}

/** Copies of rooms that are there, with names and numbers of their own. */
async function drawRooms(database: pg.Client, suffix: string): Promise<void> {
  await database.query('drop table if exists drawn')
  await database.query(
    `create temporary table drawn as
       select ${await writtenColumns(database)} from rooms order by id limit ${inserted}`,
  )
  await database.query(
    `update drawn set id = gen_random_uuid(), name = name || $1, sap_number = sap_number || $1,
       sap_number_last = sap_number_last || $1`,
    [suffix],
  )
}

async function insertInto(database: pg.Client, name: string): Promise<void> {
  const columns = await writtenColumns(database)
  await database.query(`insert into ${name} (${columns}) select ${columns} from drawn`)
}

/** As one action for many rooms prolongs them. */
async function edit(database: pg.Client, name: string): Promise<void> {
  await database.query(
    `update ${name} set expiration_date = coalesce(expiration_date, '2030-01-01') + 1, version = version + 1
      where id in (select id from drawn order by id limit ${edited})`,
  )
}

async function costs(
  database: pg.Client,
  write: (database: pg.Client, table: string) => Promise<void>,
): Promise<Pair<Cost>> {
  const costOf = async (name: string): Promise<Cost> => {
    // So that neither pays for the pages that the other has written.
    await database.query('checkpoint')
    const position = await walPosition(database)
    const milliseconds = await timed(() => write(database, name))
    return { milliseconds, walBytes: (await walPosition(database)) - position }
  }
  return [await costOf('rooms'), await costOf('bench_bare')]
}

async function walPosition(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ position: number }>(
    `select (pg_current_wal_insert_lsn() - '0/0')::float8 as position`,
  )
  return rows[0]?.position ?? Number.NaN
}

async function sizes(database: pg.Client): Promise<{ product: number; bare: number }> {
  const { rows } = await database.query<{ product: number; bare: number }>(
    `select pg_total_relation_size('rooms') / 1e6::float8 as product, pg_total_relation_size('bench_bare') / 1e6::float8 as bare`,
  )
  const [found] = rows
  if (found === undefined) throw new Error('A size has one row.')
  return found
}
