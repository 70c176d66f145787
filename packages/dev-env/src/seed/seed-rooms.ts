/** Fills a database with rooms, in statements of many rows each. */
import { because, englishReason } from '@roomkeeper/contract'
import type pg from 'pg'
import { licenceVariants } from './licence-variants.ts'
import { branches, companyNames, firstNames, lastNames, legalForms } from './names.ts'

export interface SeedOptions {
  rooms: number
  regions: number
  /** Called after each statement with the rooms inserted so far. */
  onProgress: (inserted: number) => void
}

const roomsPerStatement = 25_000

/** Why rooms are in error: one after the other is another cause. */
const failures = [
  because('told-by-region', { told: 'The name is taken on the region.' }),
  because('region-unreachable', { error: 'timeout' }),
  because('region-storage-full', { region: 'seed-1' }),
]

/**
 * Adds rooms to the existing ones. They belong to regions named `seed-1` …, which take no further rooms and have no
 * server, so these rooms exist only in the console's database.
 */
export async function seedRooms(client: pg.Client, options: SeedOptions): Promise<void> {
  const regionIds = await ensureSeedRegions(client, options.regions)
  await client.query('drop table if exists pg_temp.seed_licences')
  await client.query(`
    create temporary table seed_licences
      (n integer primary key, product product, edition edition, sub_mining_type sub_mining_type,
       licences jsonb, licences_information jsonb, sub_licences jsonb, has_place_for_delegate boolean)`)
  const variants = licenceVariants(200)
  await client.query(
    `insert into seed_licences
       select (ordinality - 1)::integer, (v->>'product')::product, (v->>'edition')::edition,
         (v->>'subMiningType')::sub_mining_type, v->'licenses', v->'licensesInformation', v->'subLicenses',
         (v->>'hasPlaceForDelegate')::boolean
       from jsonb_array_elements($1) with ordinality as given (v)`,
    [JSON.stringify(variants)],
  )
  const first = await firstFreeNumber(client)
  for (let done = 0; done < options.rooms; done += roomsPerStatement) {
    const count = Math.min(roomsPerStatement, options.rooms - done)
    await client.query(insertRooms, [
      first + done,
      first + done + count - 1,
      regionIds,
      variants.length,
      companyNames,
      branches,
      legalForms,
      firstNames,
      lastNames,
      asMailboxes(firstNames),
      asMailboxes(lastNames),
      failures.map(englishReason),
      failures.map((failure) => JSON.stringify([failure])),
    ])
    options.onProgress(done + count)
  }
  await client.query('analyze rooms')
}

async function ensureSeedRegions(client: pg.Client, count: number): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `with wanted as (select 'seed-' || n as name, n from generate_series(1, $1::integer) as n),
     made as (
       insert into regions (name, url, user_name, password, system_password, products, max_rooms)
       select name, 'https://' || name || '.invalid', 'superuser', '', '', '{ARIS,MINING,ENTERPRISE}', 0
       from wanted order by n
       on conflict do nothing
       returning id)
     select id from made union select id from regions where name in (select name from wanted)`,
    [count],
  )
  return rows.map(({ id }) => id)
}

/** Seeded rooms are numbered; the next run continues after the last number. */
async function firstFreeNumber(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ next: number }>(
    `select coalesce(max(substring(sap_number from '^46(\\d{8})$')::integer), 0) + 1 as next
     from rooms where region_id in (select id from regions where name like 'seed-%')`,
  )
  return rows[0]?.next ?? 1
}

/**
 * $1 and $2: the first and last number; $3: regions; $4: the number of licence variants; then word lists: $5 companies,
 * $6 branches, $7 legal forms, $8 first and $9 last names, $10 and $11 the same names for mailboxes, $12 why
 * rooms failed, $13 the same as codes. Every random choice is drawn once per row in `dice`; nothing below that is volatile.
 */
const insertRooms = `
with dice as materialized (
  select n,
    1 + floor(random() * cardinality($5::text[]))::integer as company,
    1 + floor(random() * cardinality($6::text[]))::integer as branch,
    1 + floor(random() * cardinality($7::text[]))::integer as form,
    -- So that a million rooms are of about a hundred thousand companies.
    1 + floor(random() * 5)::integer as part,
    1 + floor(random() * cardinality($8::text[]))::integer as first,
    1 + floor(random() * cardinality($9::text[]))::integer as last,
    1 + floor(random() * cardinality($8::text[]))::integer as seller_first,
    1 + floor(random() * cardinality($9::text[]))::integer as seller_last,
    1 + floor(random() * cardinality($12::text[]))::integer as error,
    -- Regions differ in size: the first are the largest.
    1 + floor(random() * random() * cardinality($3::integer[]))::integer as region,
    floor(random() * $4)::integer as licence,
    now() - random() * interval '5 years' as created_at,
    random() as state, random() as channel, random() as span, random() as extra
  from generate_series($1::integer, $2::integer) as n
), texts as (
  select dice.*,
    ($5::text[])[company] as company_word,
    lower(($5::text[])[company] || ($6::text[])[branch]) || '.example' as domain,
    ($10::text[])[first] || '.' || ($11::text[])[last] as mailbox,
    ($10::text[])[seller_first] || '.' || ($11::text[])[seller_last] as seller_mailbox
  from dice
)
insert into rooms (id, name, product, edition, region_id, sap_number, sap_number_last, sales_channel, expiration_date,
  created_at, customer_first_name, customer_last_name, customer_email, customer_contact_details, company_name, salesman,
  salesman_email, additional_email, state, priority, error_message, error_reasons, licences, licences_information,
  sub_licences, sub_mining_type)
select gen_random_uuid(), lower(company_word) || texts.n, product, edition, ($3::integer[])[region],
  '46' || lpad(texts.n::text, 8, '0'),
  case when extra < 0.05 then '47' || lpad(texts.n::text, 8, '0') end,
  case when channel < 0.25 then 'online-shop' else 'direct-sales' end::sales_channel,
  case when span < 0.65 then (created_at + (1 + span * 8) * interval '1 year')::date end,
  created_at, ($8::text[])[first], ($9::text[])[last], mailbox || '@' || domain,
  case when extra > 0.7 then '+49 30 ' || (1000000 + texts.n % 9000000) end,
  company_word || ' ' || ($6::text[])[branch] || ' ' || ($7::text[])[form] || case when part > 1 then ' ' || part else '' end,
  case when extra > 0.1 then ($8::text[])[seller_first] || ' ' || ($9::text[])[seller_last] end,
  seller_mailbox || '@roomkeeper.example',
  case when has_place_for_delegate and extra > 0.6 then 'delegate.' || mailbox || '@' || domain end,
  case when state < 0.93 then 'DEFAULT' when state < 0.985 then 'SUSPENDED' else 'ERROR' end::room_state,
  0, case when state >= 0.985 then ($12::text[])[error] end,
  case when state >= 0.985 then ($13::text[])[error]::jsonb end,
  licences, licences_information, sub_licences, sub_mining_type
from texts join seed_licences on seed_licences.n = licence
on conflict do nothing`

/** The ASCII form of names for addresses: `Øystein` becomes `oystein`. */
function asMailboxes(names: readonly string[]): string[] {
  const letters: Record<string, string> = { ø: 'o', ł: 'l', ı: 'i', ß: 'ss' }
  return names.map((name) =>
    name
      .toLowerCase()
      .normalize('NFD')
      .replace(/[øłıß]/g, (letter) => letters[letter] ?? '')
      .replace(/[^a-z ]/g, '')
      .replaceAll(' ', '-'),
  )
}
