/** The database itself lets no two rooms have one SAP contract number. */
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database.ts'
import { createTestDatabase } from './test-database.ts'

test('no room gets the SAP contract number of another, however it is written', async () => {
  const { pool, close } = openDatabase((await createTestDatabase()).url)
  onTestFinished(close)
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
  await insert('second', 'x-2', null)
  await insert('free', 'x-3', null)

  const renew = (name: string, number: string) =>
    pool.query('update rooms set sap_number_last = $2, version = version + 1 where name = $1', [name, number])
  for (const taken of ['NEW-1', ' new-1', 'x-1', '\tX-2'])
    await expect(renew('free', taken)).rejects.toMatchObject({ code: '23505', constraint: 'rooms_new_sap_number' })
  await expect(insert('fourth', 'x-4', 'nEw-1')).rejects.toMatchObject({ code: '23505' })
  await expect(renew('second', 'new-1')).rejects.toMatchObject({ code: '23505' })
  await renew('second', 'new-2')
  await expect(renew('free', 'New-2')).rejects.toMatchObject({ code: '23505' })
})
