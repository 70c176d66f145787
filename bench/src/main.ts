/**
 * `npm run bench [-- NAME]`: measures the product and the simplest thing that gives the same answer, in one run. Without
 * a name it is `list`. `benches` below says what each takes, and how much of it when nothing is given:
 *
 *   --rounds N     measurements of each, after warming up
 *   --rooms N      how many rooms there are, of `writes` beforehand; those of `migrate` and `soak` move
 *   --data DIR     keep the server's data there for the next run; without it, a temporary folder is used
 *   --megabytes N  the size of a room
 *   --lengths N,N  of the runs or bulks whose cost per room is compared
 *   --at-once N    how many rooms move at the same time, as REGION_CONCURRENCY
 *   --sizes N,N    numbers of rooms; those measured at this revision already are left out
 *   --minutes N, --clients N
 *   --write        put the result into its place of docs/performance.md; growth and scale always write their pages
 *
 * BENCH_DATABASE_URL measures on another PostgreSQL; the rooms stay in it.
 */
import { parseArgs } from 'node:util'
import { benchBulk } from './bulk/bench-bulk.ts'
import { benchCalls } from './calls/bench-calls.ts'
import { benchDoctor } from './doctor/bench-doctor.ts'
import { benchEvents } from './events/bench-events.ts'
import { benchGrowth } from './growth/bench-growth.ts'
import { benchColumns } from './list/bench-columns.ts'
import { benchCustomers } from './list/bench-customers.ts'
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
    sizes: { type: 'string' },
    'at-once': { type: 'string' },
    data: { type: 'string' },
    minutes: { type: 'string' },
    clients: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const [name = 'list'] = positionals
const dataDir = values.data
const rooms = (usual: number) => number(values.rooms, usual)
const rounds = (usual: number) => number(values.rounds, usual)
const megabytes = (usual: number) => number(values.megabytes, usual)

/** docs/performance.md says what each measures. */
const benches: Record<string, () => Promise<void>> = {
  list: () => benchList({ rooms: rooms(1_000_000), rounds: rounds(30), dataDir }),
  columns: () => benchColumns({ rooms: rooms(1_000_000), rounds: rounds(3), dataDir }),
  customers: () => benchCustomers({ rooms: rooms(1_000_000), rounds: rounds(15), dataDir }),
  writes: () => benchWrites({ rooms: rooms(20_000), rounds: rounds(5), dataDir }),
  calls: () => benchCalls({ rooms: rooms(1_000_000), seconds: 20, dataDir }),
  bulk: () => benchBulk({ lengths: numbers(values.lengths, [100, 1000, 10_000]) }),
  events: () => benchEvents({ seconds: 20 }),
  start: () => benchStart({ rounds: rounds(10) }),
  statistics: () => benchStatistics({ rooms: rooms(1_000_000), rounds: rounds(30), dataDir }),
  transfer: () => benchTransfer({ megabytes: megabytes(2048), rounds: rounds(3) }),
  migrate: () =>
    benchMigrate({
      rooms: rooms(200),
      megabytes: megabytes(5),
      lengths: numbers(values.lengths, [50, 100, 200, 400]),
      atOnce: number(values['at-once'], 4),
    }),
  region: () => benchRegion({ megabytes: megabytes(5), rounds: rounds(25) }),
  operations: () => benchOperations({ rooms: rooms(200), rounds: rounds(40) }),
  soak: () => benchSoak({ minutes: number(values.minutes, 30), clients: number(values.clients, 8), rooms: rooms(20) }),
  doctor: () => benchDoctor({ rooms: rooms(1_000_000), dataDir }),
  growth: () =>
    benchGrowth({
      sizes: numbers(values.sizes, [10_000, 100_000, 1_000_000, 5_000_000]),
      rounds: rounds(15),
      dataDir,
    }),
  scale: benchScale,
}

const bench = benches[name]
if (bench === undefined) fail(`There is no bench ${name}, but ${Object.keys(benches).join(', ')}.`)
await bench()
if (values.write && name !== 'growth' && name !== 'scale') await writeReport(name)

// Exit explicitly: shortly after connections were closed, Node 24 was seen to spin for ever instead of ending.
process.exit()

function number(given: string | undefined, usual: number): number {
  const [first = usual] = numbers(given, [usual])
  return first
}

function numbers(given: string | undefined, usual: number[]): number[] {
  const all = given?.split(',').map(Number) ?? usual
  return all.every((each) => each > 0) ? all : fail(`${given}: only numbers above zero count.`)
}

function fail(why: string): never {
  console.error(`${why}\nUsage: npm run bench -- NAME [options], which bench/src/main.ts describes.`)
  process.exit(2)
}
