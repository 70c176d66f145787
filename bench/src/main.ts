/**
 * `npm run bench [-- list | transfer]`: measures the product beside the plainest thing that gives the same answer, in
 * one run.
 *
 *   --rounds N     measurements of each, after warming up (default: list 30, transfer 3)
 * list: pages, searches and export of the list of rooms
 *   --rooms N      how many rooms the list has (default 1,000,000)
 *   --data DIR     keep the server's data there for the next run; otherwise it is made anew and removed
 *   BENCH_DATABASE_URL measures on another PostgreSQL; the rooms stay in it.
 * transfer: backup and restore of a large room
 *   --megabytes N  how large it is (default 2048)
 */
import { parseArgs } from 'node:util'
import { benchList } from './list/bench-list.ts'
import { benchTransfer } from './transfer/bench-transfer.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rooms: { type: 'string', default: '1000000' },
    megabytes: { type: 'string', default: '2048' },
    rounds: { type: 'string' },
    data: { type: 'string' },
  },
})
const [what = 'list'] = positionals
const rounds = Number(values.rounds ?? (what === 'list' ? 30 : 3))
const [rooms, megabytes] = [Number(values.rooms), Number(values.megabytes)]
if (!['list', 'transfer'].includes(what) || !(rooms > 0) || !(rounds > 0) || !(megabytes > 0)) {
  console.error(
    'Usage: npm run bench -- [list | transfer] [--rounds <number>] [--rooms <number>] [--megabytes <number>] [--data <folder>]',
  )
  process.exit(2)
}
if (what === 'list') await benchList({ rooms, rounds, dataDir: values.data })
else await benchTransfer({ megabytes, rounds })
