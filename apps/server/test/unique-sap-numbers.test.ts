/** The database itself lets no two rooms have one new SAP contract number. */
import { expect, test } from 'vitest'
import { createTestDatabase } from './test-database.ts'

test('no room gets the number of another as its new one, in whatever case and with spaces around it', async () => {
  const { pool } = await createTestDatabase()
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
  const renew = (name: string, number: string) =>
    pool.query('update rooms set sap_number_last = $2, version = version + 1 where name = $1', [name, number])
  const taken = { code: '23505', constraint: 'rooms_new_sap_number' }
  await insert('first', 'x-1', 'New-1')
  await insert('second', 'x-2', null)

  for (const number of ['NEW-1', 'x-1', '\tX-1', 'New\u200b-1', '\uff38-1\u00ad']) {
    await expect(insert('third', 'x-3', number), number).rejects.toMatchObject(taken)
    await expect(renew('second', number), number).rejects.toMatchObject(taken)
  }
  await renew('second', 'new-2')
  await renew('second', ' New-2')
  await expect(renew('first', 'New-2')).rejects.toMatchObject(taken)
  await renew('second', 'new-3')
  await renew('first', 'New-2')
  await insert('third', 'x-2', null)
})
