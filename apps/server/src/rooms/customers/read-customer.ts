/** One customer with the people of its rooms and the spellings that were merged with it. */
import type { CustomerDetail } from '@roomkeeper/contract'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { readCustomers } from './list-customers.ts'

/** @param name any spelling @returns the key of the customer, who may have no rooms */
export async function customerOf(db: Db | Tx, name: string): Promise<string> {
  const [found] = await queryRows<{ key: string }>(
    db,
    `select coalesce(root, given.key) as key from (select customer_key($1) as key) as given
       left join customer_aliases a on a.key = given.key`,
    [name],
  )
  return found?.key ?? ''
}

/** @param name any spelling @throws Refusal `customer-unknown` */
export async function findCustomer(db: Db | Tx, name: string): Promise<CustomerDetail> {
  const found = await readCustomer(db, await customerOf(db, name))
  if (found.key === '' || found.rooms === 0) throw refuse('customer-unknown', { customer: name })
  return found
}

/** Also one without rooms. */
export async function readCustomer(db: Db | Tx, key: string): Promise<CustomerDetail> {
  const [found] = await readCustomers(db, [key])
  if (found === undefined) throw new Error('There is a row for each key.')
  return { ...found, contacts: await readContacts(db, key), aliases: await readAliases(db, key) }
}

const mostContacts = 100

function readContacts(db: Db | Tx, key: string): Promise<CustomerDetail['contacts']> {
  return queryRows<CustomerDetail['contacts'][number]>(
    db,
    `with own as (
       select customer_first_name, customer_last_name, customer_email, additional_email, salesman, salesman_email from rooms
        where customer_key = any(array(select $1 union all select key from customer_aliases where root = $1))
     ), people as (
       select 'owner' as role, customer_first_name || ' ' || customer_last_name as name, customer_email as email from own
       union all select 'delegate', null, additional_email from own where additional_email is not null
       union all select 'sales', salesman, salesman_email from own
     )
     select role, min(name) as name, min(email) as email, count(*)::int as rooms from people
      group by role, lower(email) order by rooms desc, role, email limit $2`,
    [key, mostContacts],
  )
}

function readAliases(db: Db | Tx, key: string): Promise<CustomerDetail['aliases']> {
  return queryRows<CustomerDetail['aliases'][number]>(
    db,
    `select name, coalesce((select sum(rooms) from customer_totals t where t.key = a.key), 0)::int as rooms
       from customer_aliases a where root = $1 order by name collate "und-x-icu", key`,
    [key],
  )
}
