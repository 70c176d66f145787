/** Compares the counts that triggers keep with a recount; each statement does both, so that it sees one snapshot. */
import { because, englishReason } from '@roomkeeper/contract'
import { isKnownBad } from '#backups/index.ts'
import { type Db, queryRows } from '#platform/database.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import type { NewFinding } from '../finding.ts'

const licences = [
  'designers',
  'viewers',
  'architects',
  'ep_bus',
  'ep_eam',
  'designers_sap',
  'architects_sap',
  'yukon_data_volume',
  'ai_credits',
  'yukon_viewer',
  'yukon_engineer',
  'yukon_analyst',
  'es_designer',
  'es_viewer',
  'es_viewer_pro',
  'es_admin',
]
const groups = 'region_id, state, product, edition, sales_channel'

type Counted = 'last-backups' | 'room-totals' | 'rooms-by-month' | 'rooms-by-customer' | 'rooms-of-migrations'

/** Each returns `what`, `kept` and `counted` where counts differ; for a region, its name and id replace `what`. */
const recounts = [
  // The room counts of regions.
  `select regions.name as region, room_count as kept, coalesce(here.n, 0) as counted,
          regions.id as region_id
     from regions left join (
       select region_id, count(*) as n from
         (select region_id from rooms union all select region_id from capacity_reservations) as taken group by region_id
     ) as here on here.region_id = regions.id
    where room_count <> coalesce(here.n, 0)`,
  // The totals of rooms and licences: one row, however many differ.
  totalsOf('room_totals', groups, ['rooms', ...licences], 'room-totals'),
  totalsOf('room_months', `${groups}, month`, ['rooms'], 'rooms-by-month', 'month_of(created_at) as month'),
  totalsOf('customer_totals', 'key', ['rooms', ...licences], 'rooms-by-customer', 'customer_key as key'),
  `select 'rooms-of-migrations' as what, sum(kept)::bigint as kept, sum(counted)::bigint as counted,
          null::int as region_id
     from (
       select coalesce(k.parent_id, c.parent_id) as parent_id, coalesce(k.rooms, 0) as kept, coalesce(c.rooms, 0) as counted
         from (select parent_id, state, sum(rooms) as rooms, sum(bytes) as bytes
                 from operation_item_counts group by parent_id, state) as k
         full join (select parent_id, state, count(*) as rooms, coalesce(sum(bytes), 0) as bytes
                      from operation_items group by parent_id, state) as c
           on c.parent_id = k.parent_id and c.state = k.state
        where coalesce(k.rooms, 0) <> coalesce(c.rooms, 0) or coalesce(k.bytes, 0) <> coalesce(c.bytes, 0)
     ) as differing having count(*) > 0`,
]

/** Compares a summary with the rooms, group by group and column by column. */
function totalsOf(table: string, by: string, columns: readonly string[], what: Counted, extra = ''): string {
  const one = (name: string) => (name === 'rooms' ? 'count(*)' : `sum(${name})`)
  const differs = columns.map((name) => `coalesce(k.${name}, 0) <> coalesce(c.${name}, 0)`).join(' or ')
  return `
    select '${what}' as what, coalesce(sum(k.rooms), 0)::bigint as kept, coalesce(sum(c.rooms), 0)::bigint as counted,
           null::int as region_id
      from (select ${by}, ${columns.map((name) => `sum(${name}) as ${name}`).join(', ')} from ${table} group by ${by}) as k
      full join (select ${by}, ${columns.map((name) => `${one(name)} as ${name}`).join(', ')}
                   from (select *${extra === '' ? '' : `, ${extra}`} from rooms) as rooms group by ${by}) as c
        using (${by})
     where ${differs} having count(*) > 0`
}

interface Differing {
  what?: Counted
  /** Set instead of `what` for the room count of this region. */
  region?: string
  kept: number
  counted: number
  regionId: number | null
}

export async function checkCounts({ db, signal }: DoctorParts): Promise<NewFinding[]> {
  const found: NewFinding[] = []
  for (const statement of recounts) {
    signal.throwIfAborted()
    const differing = await queryRows<Differing>(db, statement)
    found.push(...differing.map(findingOf))
  }
  const { rooms, correct } = await recountLastBackups(db, signal)
  if (correct < rooms) found.push(findingOf({ what: 'last-backups', kept: rooms, counted: correct, regionId: null }))
  return found
}

function findingOf({ region, kept, counted, regionId, ...row }: Differing): NewFinding {
  const what = row.what === undefined ? because('rooms-of-region', { region: region ?? '' }) : because(row.what)
  const facts = { kept, counted }
  const about = {
    kind: 'count-differs',
    section: 'counts',
    subject: englishReason(what),
    facts,
    reasons: { what },
  } as const
  return regionId === null ? about : { ...about, regionId }
}

const roomsAtOnce = 1_000

/** Some rooms at a time: each has many backups. @returns how many rooms there are, and whose last backup is the right one */
async function recountLastBackups(db: Db, signal: AbortSignal): Promise<{ rooms: number; correct: number }> {
  const sum = { rooms: 0, correct: 0 }
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    signal.throwIfAborted()
    const [some] = await queryRows<{ rooms: number; correct: number; last: string | null }>(db, nextLastBackups, [
      after,
      roomsAtOnce,
    ])
    if (some?.last == null) return sum
    sum.rooms += some.rooms
    sum.correct += some.correct
    after = some.last
  }
}

const nextLastBackups = `
  with next as materialized (
    select id, last_backup_at, last_backup_restored_at from rooms where id > $1 order by id limit $2
  )
  select count(*)::int as rooms,
         count(*) filter (where last_backup_at = coalesce(newest.at, '0001-01-01 00:00:00+00')
                            and last_backup_restored_at is not distinct from newest.restored_at)::int as correct,
         (select id from next order by id desc limit 1) as last
    from next left join lateral (
      select created_at as at, restored_at from room_backups b
       where b.room_id = next.id and not ${isKnownBad} order by created_at desc limit 1
    ) as newest on true`
