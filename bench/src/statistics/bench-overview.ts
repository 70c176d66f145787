/** The calls of the overview, beside the counts that they need as bare SQL. */
import type { BenchServer } from '../bench-server.ts'
import { type Contest, measure, table } from '../measure.ts'

const policies = `'room.backup-scheduled', 'room.backup-scheduled-d2o', 'backup.verify'`

/** A day of 300,000 operations, most of them of policies; failed rooms, e-mails, and 90 days of each region. */
const aBusyDay = `
  insert into operations (id, kind, version, process_type, room_name, input, state, started_by, executed_at, ended_at)
  select gen_random_uuid(), kind, 1, null, 'room' || n, '{}', case when n % 50 = 0 then 'failed' else 'done' end, 'bench',
         at, at
    from generate_series(1, 300000) as n,
         lateral (select case when n % 30 > 0 then 'room.backup-scheduled' when n % 60 = 0 then 'room.edit' else 'room.create' end as kind,
                         now() - n * interval '0.2 seconds' as at) as made
   where not exists (select from operations where started_by = 'bench');
  insert into region_days (region_id, day, rooms)
  select id, current_date - n, greatest(room_count - n * 10, 0) from regions, generate_series(0, 89) as n
  on conflict do nothing;
  vacuum analyze operations, region_days`

const bare = {
  attention: `
    select (select sum(rooms) from room_totals where state = 'ERROR') as failed,
           (select count(*) from (select from rooms where last_backup_at <= now() - interval '7 days' limit 10000) as counted) as unprotected,
           (select count(*) from (select from rooms where expiration_date between current_date and current_date + 7 limit 10000) as counted) as expiring`,
  today: `
    select kind, state, count(*) from operations
     where ended_at >= now() - interval '1 day' and kind not in (${policies}) group by 1, 2`,
  capacity: `
    select region_id, name, max_rooms, room_count, jsonb_agg(rooms order by day) from regions join region_days on region_id = id
     group by region_id, name, max_rooms, room_count`,
}

export async function benchOverview({ server, token, database }: BenchServer, rounds: number): Promise<string> {
  for (const statement of aBusyDay.split(';')) await database.query(statement)
  const day = new Date(Date.now() - 86_400_000).toISOString()
  const ask = (path: string) => async () => {
    const answer = await fetch(`${server.address}/api/operator/overview/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  const calls = { attention: ask('attention'), today: ask(`today?day=${day}`), capacity: ask('capacity') }
  const contests: Contest[] = (['attention', 'today', 'capacity'] as const).map((name) => ({
    name,
    product: calls[name],
    bare: () => database.query(bare[name]),
  }))
  contests.push({
    name: 'all three at once',
    product: () => Promise.all(Object.values(calls).map((call) => call())),
    bare: async () => {
      for (const statement of Object.values(bare)) await database.query(statement)
    },
  })
  const rows: string[][] = []
  for (const contest of contests) {
    const result = await measure(contest, rounds)
    rows.push([result.name, result.product.toFixed(1), result.bare.toFixed(1)])
  }
  return table(['overview', 'product ms', 'bare SQL ms'], rows)
}
