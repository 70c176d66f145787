/** The list of customers over HTTP, at pages and orders that people open. */
import { type BenchServerOptions, startBenchServer } from '../bench-server.ts'
import { countRooms } from '../fill-with-rooms.ts'
import { median, table, timed } from '../measure.ts'
import { report } from '../report.ts'

const aimMilliseconds = 50

const cases: [name: string, query: string][] = [
  ['first page', ''],
  ['page 2,500 by name', 'page=2500'],
  ['by rooms, most first', 'order_by=rooms&order_dir=desc'],
  ['page 2,500 by rooms', 'order_by=rooms&order_dir=desc&page=2500'],
  ['100 customers', 'order_by=rooms&order_dir=desc&size=100'],
  ['search, common', 'search=steel'],
  ['search, common, by rooms', 'search=steel&order_by=rooms&order_dir=desc'],
  ['search, two words', 'search=north steel'],
  ['search, none found', 'search=zzq'],
]

export async function benchCustomers(options: BenchServerOptions & { rounds: number }): Promise<void> {
  const bench = await startBenchServer(options)
  try {
    // As after a while of work: some customers are merged, and some sums are not folded.
    await bench.database.query(
      `insert into customer_aliases (key, name, root, root_name)
       select other.key, other.name, first.key, first.name
         from (select key, name, row_number() over (order by key) as n from customer_totals where added_at is null) as other
         join (select key, name, row_number() over (order by key) as n from customer_totals where added_at is null) as first
           on first.n = other.n - 1
        where other.n % 200 = 0
       on conflict do nothing`,
    )
    await bench.database.query('vacuum analyze customer_totals, customer_aliases')
    for (let write = 0; write < 150; write++) {
      await bench.database.query(
        `update rooms set company_name = company_name || ' ' where name = (select name from rooms order by name offset $1 limit 1)`,
        [write],
      )
    }
    const { rows } = await bench.database.query('select count(distinct key)::integer as customers from customer_totals')
    const count = (await countRooms(bench.database)).toLocaleString('en')
    report(`${count} rooms of ${rows[0].customers.toLocaleString('en')} customers`)
    const times: string[][] = []
    for (const [name, query] of cases) {
      const ask = () => answerOf(`${bench.server.address}/api/operator/customers?${query}`, bench.token)
      for (let warmUp = 0; warmUp < 3; warmUp++) await ask()
      const each: number[] = []
      for (let round = 0; round < options.rounds; round++) each.push(await timed(ask))
      const middle = median(each)
      times.push([name, middle.toFixed(1), Math.max(...each).toFixed(1), middle <= aimMilliseconds ? 'yes' : 'no'])
    }
    report(table(['list of customers', 'median ms', 'slowest ms', `within ${aimMilliseconds} ms`], times))
    report(`${options.rounds} rounds.`)
  } finally {
    await bench.stop()
  }
}

async function answerOf(url: string, token: string): Promise<void> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}
