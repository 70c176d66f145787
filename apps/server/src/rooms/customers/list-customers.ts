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
  const { search, page, size } = query
  const words = search.split(/\s+/).filter((word) => word !== '')
  const patterns = words.map((word) => `%${escapeLike(word)}%`)
  const values = [size, page * size, ...patterns]
  const [found] = await queryComposed<{ total: number; keys: string[] }>(db, pageStatement(query, words.length), values)
  const { total = 0, keys = [] } = found ?? {}
  return { data: await readCustomers(db, keys), totalElements: total, totalPages: Math.ceil(total / size) }
}

/**
 * Without a search the page is read along an index, and the folded rows are counted; with one, all matches are found once.
 */
function pageStatement({ order_by: by, order_dir: direction }: CustomerQuery, words: number): string {
  const matches = (text: string) =>
    Array.from({ length: words }, (_, index) => ` and ${text} like customer_key($${index + 3})`).join('')
  const order = `order by ${by === 'rooms' ? `rooms ${direction}, ` : ''}place ${direction}`
  const folded = 'select count(*) from customer_totals where added_at is null'
  const total = `(${folded}) - (${folded} and key in (select key from touched)) + (select count(*) from added_up)`
  return `
    with touched as materialized (
      select key from customer_totals where added_at is not null
      union select key from customer_aliases union select root from customer_aliases
      -- Rooms without a company belong to no customer.
      union select ''
    ), added_up as materialized (
      select coalesce(a.root, touched.key) as key, sum(t.rooms)::bigint as rooms
        from touched join customer_totals t on t.key = touched.key left join customer_aliases a on a.key = touched.key
       group by 1 having sum(t.rooms) > 0 and coalesce(a.root, touched.key) <> ''${matches(`string_agg(touched.key, ' ')`)}
    ), customers as ${words > 0 ? '' : 'not'} materialized (
      select key, rooms, key collate "und-x-icu" as place from added_up
      union all
      (select key, rooms, key collate "und-x-icu" as place from customer_totals
        where added_at is null and key not in (select key from touched)${matches('key')}
        ${words > 0 ? '' : `${order} limit $1::bigint + $2::bigint`})
    )
    select ${words > 0 ? '(select count(*) from customers)' : total} as total,
           array(select key from customers ${order} limit $1::bigint offset $2::bigint) as keys`
}

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
