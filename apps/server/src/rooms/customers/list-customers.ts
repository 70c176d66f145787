/**
 * Reads customers from the sums that triggers keep. In the order of their folded rows stand those of which nothing else
 * counts; the others, which have merged spellings or changed since the last fold, are few and added up.
 */
import type { Customer, QueryOf, Routes } from '@roomkeeper/contract'
import { projectRoomStates } from '@roomkeeper/contract'
import { sql } from 'kysely'
import { type Db, queryBuilt, queryComposed, type Tx } from '#platform/database.ts'
import { sumsOfTotals, type TotalsRow, totalsOf } from '../list/totals.ts'
import { escapeLike, readListRegions, shownStateSql } from '../list/where.ts'

type CustomerQuery = QueryOf<Routes['customers']>

export async function listCustomers(db: Db, query: CustomerQuery) {
  const { search, page, size, order_by: by, order_dir: direction } = query
  const words = search.split(/\s+/).filter((word) => word !== '')
  const patterns = words.map((word) => `%${escapeLike(word)}%`)
  const statement = pageStatement(by, direction)
  const [found] = await queryComposed<{ total: number; keys: string[] }>(db, statement, [patterns, size, page * size])
  const { total = 0, keys = [] } = found ?? {}
  return { data: await readCustomers(db, keys), totalElements: total, totalPages: Math.ceil(total / size) }
}

function pageStatement(by: CustomerQuery['order_by'], direction: CustomerQuery['order_dir']): string {
  const name = `key collate "und-x-icu" ${direction}`
  const order = by === 'name' ? name : `rooms ${direction}, ${name}`
  return `
    with touched as materialized (
      select key from customer_totals where added_at is not null
      union select key from customer_aliases union select root from customer_aliases
    ), added_up as materialized (
      select coalesce(a.root, touched.key) as key, sum(t.rooms)::bigint as rooms,
             string_agg(touched.key, ' ') as spellings
        from touched join customer_totals t on t.key = touched.key left join customer_aliases a on a.key = touched.key
       group by 1 having sum(t.rooms) > 0
    ), patterns as materialized (
      select array(select customer_key(pattern) from unnest($1::text[]) as pattern) as all_of
    )
    select (select count(*) from (${matching}) as customers) as total,
           array(select key from (${matching}) as customers order by ${order} limit $2 offset $3) as keys`
}

/** Rooms without a company belong to no customer. */
const matching = `
  select key, rooms from added_up where key <> '' and spellings like all ((select all_of from patterns)::text[])
  union all
  select key, rooms from customer_totals
   where added_at is null and key <> '' and key not in (select key from touched)
     and key like all ((select all_of from patterns)::text[])`

interface CustomerRow extends TotalsRow {
  key: string
  name: string
  nextExpiry: string | null
  states: Partial<Customer['states']> | null
}

/** @param keys of customers, no merged spellings @returns them in this order, also those without rooms */
export async function readCustomers(db: Db | Tx, keys: readonly string[]): Promise<Customer[]> {
  if (keys.length === 0) return []
  const regions = await readListRegions(db)
  const rows = await queryBuilt<CustomerRow>(
    db,
    sql`
    select page.key, coalesce(totals.name, alias.root_name, page.key) as name, totals.*, by_state.*, page.key as key
      from unnest(${keys}::text[]) with ordinality as page (key, position)
      left join lateral (select min(root_name) as root_name from customer_aliases where root = page.key) as alias on true
      cross join lateral (
        select array(select page.key union all select key from customer_aliases where root = page.key) as keys
      ) as of_customer
      cross join lateral (
        select (array_agg(name order by added_at desc nulls last) filter (where name is not null and key = page.key))[1]
                 as name, ${sumsOfTotals}
          from customer_totals where key = any(of_customer.keys)
      ) as totals
      cross join lateral (
        select coalesce(min(next), max(latest)) as next_expiry, jsonb_object_agg(state, rooms) as states
          from (select ${shownStateSql(regions)} as state, count(*) as rooms,
                       min(expiration_date) filter (where expiration_date >= (now() at time zone 'UTC')::date) as next,
                       max(expiration_date) as latest
                  from rooms where customer_key = any(of_customer.keys) group by 1) as counted
      ) as by_state
     order by page.position`,
  )
  return rows.map(({ key, name, nextExpiry, states, ...totals }) => ({
    key,
    name,
    ...totalsOf(totals),
    nextExpiry,
    states: Object.fromEntries(projectRoomStates.map((state) => [state, states?.[state] ?? 0])) as Customer['states'],
  }))
}
