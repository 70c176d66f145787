/** The calls about customers: the list, one of them, and merging spellings. */

import { recordChange } from '#changes/index.ts'
import { lockUntilCommit } from '#platform/advisory-locks.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { listCustomers } from './list-customers.ts'
import { customerOf, findCustomer, readCustomer } from './read-customer.ts'

type CustomerHandlers = Pick<Handlers, 'customers' | 'customer' | 'mergeCustomers'>

export function roomCustomerHandlers(database: Database): CustomerHandlers {
  return {
    customers: async ({ query }) => ok(await listCustomers(database.db, query)),
    customer: async ({ params }) => ok(await findCustomer(database.db, params.key)),
    mergeCustomers: ({ body: { name, isNamed }, caller, requestId }) =>
      database.transaction(async (tx) => {
        // Of two at once, the second sees what the first has merged.
        await lockUntilCommit(tx, 'merged customers')
        const former = await rootNameOf(tx, name)
        const key = isNamed === null ? await separate(tx, name) : await merge(tx, name, isNamed)
        const changes = [{ field: 'isNamed', from: former, to: isNamed }]
        await recordChange(tx, { actor: caller.actor, kind: 'customer.merge', detail: name, changes, requestId })
        return ok(await readCustomer(tx, key))
      }),
  }
}

/** With whom the spelling is merged; null: with no other. */
async function rootNameOf(tx: Tx, name: string): Promise<string | null> {
  const [found] = await queryRows<{ rootName: string }>(
    tx,
    'select root_name from customer_aliases where key = customer_key($1)',
    [name],
  )
  return found?.rootName ?? null
}

/** The spellings that were merged with the company before go with it. @returns the key of the customer */
async function merge(tx: Tx, name: string, isNamed: string): Promise<string> {
  const [company, into] = [await findCustomer(tx, name), await findCustomer(tx, isNamed)]
  if (company.key === into.key) throw refuse('customer-same', { name, isNamed })
  await queryRows(
    tx,
    `insert into customer_aliases (key, name, root, root_name) values (customer_key($1), $1, $2, $3)
       on conflict (key) do update set name = excluded.name, root = excluded.root, root_name = excluded.root_name`,
    [name, into.key, into.name],
  )
  await queryRows(tx, 'update customer_aliases set root = $2, root_name = $3 where root = customer_key($1)', [
    name,
    into.key,
    into.name,
  ])
  return into.key
}

/** @returns the key of the spelling, which is a customer of its own again */
async function separate(tx: Tx, name: string): Promise<string> {
  const removed = await queryRows(tx, 'delete from customer_aliases where key = customer_key($1) returning 1', [name])
  if (removed.length === 0) throw refuse('customer-not-merged', { name })
  return customerOf(tx, name)
}
