/**
 * `npm run bench [-- list | columns | writes | calls | bulk | events | start | statistics | transfer | migrate | region | operations |
 * soak | doctor | growth | scale]`: measures the product and the simplest thing that gives the same answer, in one run.
 *
 *   --rounds N     measurements of each, after warming up (default: 30, columns and transfer 3)
 *   --write        put the result into its place of docs/performance.md; growth and scale always write their pages
 * list: pages, searches and export of the list of rooms
 *   --rooms N      how many rooms the list has (default 1,000,000)
 *   --data DIR     keep the server's data there for the next run; by default a temporary folder is used
 *   BENCH_DATABASE_URL measures on another PostgreSQL; the rooms stay in it.
 * columns: the first rows and the totals of lists by every column that can be sorted or filtered; options as above
 * writes: 20,000 rooms inserted and 2,000 edited, beside a table with the same columns, its key and its unique name; --rounds (default 5),
 *   --rooms (those beforehand, default 20,000), --data as above
 * calls: the first page of the list for 16 clients at once, and a page of its own for each, and with an
 *   API token beside a session; --rooms and --data as above
 * bulk: one action for many rooms; --lengths (default 100,1000,10000)
 * events: 300 consoles with live events while rooms change
 * start: `npm start` until it is ready; --rounds (default 10)
 * statistics: the counts of the statistics screen over all rooms; --rooms and --data as above
 * transfer: backup and restore of a large room
 *   --megabytes N  the size of the room (default 2048)
 * migrate: live migrations of many rooms
 *   --rooms N      in the run that is compared with cp (default 200)
 *   --megabytes N  of each room (default 5)
 *   --lengths N,N  the numbers of rooms of the runs whose cost per room is compared (default 50,100,200,400)
 *   --at-once N    how many rooms move at the same time (default 4, as REGION_CONCURRENCY)
 * region: what each call and job costs a region; --rounds (default 25), --megabytes (default 5)
 * operations: the cost of an operation, idle and under load; --rooms (default 200), --rounds (default 40)
 * soak: clients and live migrations without a pause; what grows and what does not
 *   --minutes N    how long (default 30)
 *   --clients N    how many clients (default 8)
 *   --rooms N      how many rooms move to and fro (default 20)
 * growth: what depends on the number of rooms, by that number, into docs/growth.md; --data and --rounds (default 15)
 *   --sizes N,N    (default 10000,100000,1000000,5000000); those measured at this revision already are left out
 * scale: what one PostgreSQL carries, calculated from what growth has measured, into docs/scale.md
 * doctor: runs over a tenth of --rooms (default 1,000,000), three tenths and all of them; --data as above
 */
import { parseArgs } from 'node:util'
import { benchBulk } from './bulk/bench-bulk.ts'
import { benchCalls } from './calls/bench-calls.ts'
import { benchDoctor } from './doctor/bench-doctor.ts'
import { benchEvents } from './events/bench-events.ts'
import { benchGrowth } from './growth/bench-growth.ts'
import { benchColumns } from './list/bench-columns.ts'
import { benchList } from './list/bench-list.ts'
import { benchMigrate } from './migrate/bench-migrate.ts'
import { benchOperations } from './operations/bench-operations.ts'
import { benchRegion } from './region/bench-region.ts'
import { writeReport } from './report.ts'
import { benchScale } from './scale/bench-scale.ts'
import { benchSoak } from './soak/bench-soak.ts'
import { benchStart } from './start/bench-start.ts'
import { benchStatistics } from './statistics/bench-statistics.ts'
import { benchTransfer } from './transfer/bench-transfer.ts'
import { benchWrites } from './writes/bench-writes.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rooms: { type: 'string' },
    megabytes: { type: 'string' },
    rounds: { type: 'string' },
    lengths: { type: 'string' },
    sizes: { type: 'string', default: '10000,100000,1000000,5000000' },
    'at-once': { type: 'string', default: '4' },
    data: { type: 'string' },
    minutes: { type: 'string', default: '30' },
    clients: { type: 'string', default: '8' },
    write: { type: 'boolean', default: false },
  },
})
const [what = 'list'] = positionals
const isAboutManyRooms = ['list', 'columns', 'calls', 'statistics', 'doctor'].includes(what)
const usualRounds =
  { list: 30, writes: 5, statistics: 30, operations: 40, start: 10, region: 25, growth: 15 }[what] ?? 3
const known =
  'list columns writes calls bulk events start statistics transfer migrate region operations soak doctor growth scale'.split(
    ' ',
  )
const rounds = Number(values.rounds ?? usualRounds)
const usualRooms = what === 'writes' ? 20_000 : isAboutManyRooms ? 1_000_000 : 200
const rooms = Number(values.rooms ?? usualRooms)
const megabytes = Number(values.megabytes ?? (what === 'transfer' ? 2048 : 5))
const lengths = (values.lengths ?? (what === 'bulk' ? '100,1000,10000' : '50,100,200,400')).split(',').map(Number)
const sizes = values.sizes.split(',').map(Number)
const [minutes, clients, atOnce] = [values.minutes, values.clients, values['at-once']].map(Number) as [
  number,
  number,
  number,
]
const numbers = [rounds, rooms, megabytes, minutes, clients, atOnce, ...lengths, ...sizes]
if (!known.includes(what) || !numbers.every((number) => number > 0)) {
  console.error(
    `Usage: npm run bench -- [${known.join(' | ')}] [--rounds <number>] [--rooms <number>] [--megabytes <number>] [--lengths <numbers>] [--at-once <number>] [--sizes <numbers>] [--data <folder>] [--minutes <number>] [--clients <number>] [--write]`,
  )
  process.exit(2)
}
if (what === 'list') await benchList({ rooms, rounds, dataDir: values.data })
else if (what === 'columns') await benchColumns({ rooms, rounds, dataDir: values.data })
else if (what === 'writes') await benchWrites({ rooms, rounds, dataDir: values.data })
else if (what === 'calls') await benchCalls({ rooms, seconds: 20, dataDir: values.data })
else if (what === 'bulk') await benchBulk({ lengths })
else if (what === 'events') await benchEvents({ seconds: 20 })
else if (what === 'start') await benchStart({ rounds })
else if (what === 'statistics') await benchStatistics({ rooms, rounds, dataDir: values.data })
else if (what === 'transfer') await benchTransfer({ megabytes, rounds })
else if (what === 'region') await benchRegion({ megabytes, rounds })
else if (what === 'operations') await benchOperations({ rooms, rounds })
else if (what === 'doctor') await benchDoctor({ rooms, dataDir: values.data })
else if (what === 'growth') await benchGrowth({ sizes, rounds, dataDir: values.data })
else if (what === 'scale') await benchScale()
else if (what === 'soak') await benchSoak({ minutes, clients, rooms: Number(values.rooms ?? 20) })
else await benchMigrate({ rooms, megabytes, lengths, atOnce })
if (values.write && what !== 'growth' && what !== 'scale') await writeReport(what)

// Exit explicitly: shortly after connections were closed, Node 24 was seen to spin for ever instead of ending.
process.exit()
