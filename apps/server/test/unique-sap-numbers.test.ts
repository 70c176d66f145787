/** The database itself lets no two rooms have one SAP contract number, and copes with those that had one before. */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database.ts'
import { applySchemaChanges, readSchemaChanges, schemaFolder } from '#platform/schema-changes.ts'
import { warnOfSharedSapNumbers } from '#rooms/index.ts'
import { createEmptyDatabase } from './test-database.ts'

test('rooms that shared a number before keep it and are reported; no room gets one of another any more', async () => {
  const { db, pool, close } = openDatabase(await createEmptyDatabase())
  onTestFinished(close)
  await applySchemaChanges(pool, await schemaBefore(47))
  await pool.query(`insert into regions (id, name, url, user_name, password, system_password, products)
    values (1, 'north', 'https://north.example', 'u', '', '', '{}')`)
  const insert = (name: string, original: string, renewed: string | null) =>
    pool.query(
      `insert into rooms (id, name, region_id, state, product, edition, sales_channel, sap_number, sap_number_last,
         customer_first_name, customer_last_name, customer_email, company_name, salesman_email, licences,
         licences_information, sub_licences)
       values (gen_random_uuid(), $1, 1, 'DEFAULT', 'ARIS', 'basic', 'direct-sales', $2, $3, 'a', 'b', 'c@d.e', 'f',
         'g@h.i', '{}', '[]', '[]')`,
      [name, original, renewed],
    )
  await insert('first', 'x-1', 'New-1')
  await insert('second', 'x-2', ' new-1')
  await insert('third', 'x-3', 'X-2 ')
  await insert('free', 'x-4', null)

  // Between these changes, the trigger alone refuses what an earlier release would write.
  await applySchemaChanges(pool, await schemaBefore(50))
  await expect(insert('fourth', 'x-5', 'new-1')).rejects.toMatchObject({ code: '23505' })
  await applySchemaChanges(pool)
  const { rows } = await pool.query('select name from rooms where shares_sap_number order by name')
  expect(rows.map(({ name }) => name)).toEqual(['second', 'third'])
  const warnings: object[] = []
  await warnOfSharedSapNumbers(db, { warn: (fields: object) => warnings.push(fields) })
  expect(warnings).toEqual([{ rooms: ['second', 'third'] }])

  const renew = (name: string, number: string) =>
    pool.query('update rooms set sap_number_last = $2, version = version + 1 where name = $1', [name, number])
  for (const taken of ['NEW-1', 'x-1', '\tX-2'])
    await expect(renew('free', taken)).rejects.toMatchObject({ code: '23505', constraint: 'rooms_new_sap_number' })
  await expect(insert('fifth', 'x-5', 'nEw-1')).rejects.toMatchObject({ code: '23505' })
  await renew('second', 'new-1')
  await renew('second', 'new-2')
  await expect(renew('free', 'New-2')).rejects.toMatchObject({ code: '23505' })
  expect((await pool.query('select count(*)::int as n from rooms where shares_sap_number')).rows).toEqual([{ n: 1 }])
  await pool.query(`update rooms set sap_number_last = null where name = 'third'`)
  expect((await pool.query('select 1 from rooms where shares_sap_number')).rows).toEqual([])
})

/** A folder with the schema changes of before this number. */
async function schemaBefore(number: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-schema-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const earlier = (await readSchemaChanges()).filter((each) => each.number < number)
  await Promise.all(earlier.map(({ name }) => cp(join(schemaFolder, name), join(folder, name))))
  return folder
}
