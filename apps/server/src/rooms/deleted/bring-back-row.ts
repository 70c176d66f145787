/** Inserts the row of a deleted room as it was. From then on its name is reserved and it counts in its region. */
import { queryComposed, queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { refuse } from '#platform/refuse.ts'

/** @throws Refusal `name-taken`, `sap-number-taken` */
export async function bringBackRow(tx: Tx, columns: Record<string, unknown>): Promise<void> {
  // Columns of later releases get their defaults; those that PostgreSQL computes are left to it.
  const known = await queryRows<{ name: string }>(
    tx,
    `select quote_ident(attname) as name from pg_attribute
      where attrelid = 'rooms'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
        and attname = any($1::text[])`,
    [Object.keys(columns)],
  )
  const names = known.map(({ name }) => name).join(', ')
  const insert = `insert into rooms (${names}) select ${names} from jsonb_populate_record(null::rooms, $1::jsonb)`
  await queryComposed(tx, insert, [JSON.stringify(columns)]).catch((error: unknown) => {
    if (violatesUnique(error, 'rooms_name')) throw refuse('name-taken', { room: String(columns.name) })
    throw violatesUnique(error, 'rooms_new_sap_number') ? refuse('sap-number-taken') : error
  })
}
