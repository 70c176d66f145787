/**
 * `npm run chaos`: programs and users work for an hour while servers, workers, regions, the database, disks,
 * networks, clocks and the mail server fail, several at once. CHAOS_MINUTES, CHAOS_ACTORS and CHAOS_FAULTS change that.
 * `npm run chaos -- moves`: whole live migrations of 200 rooms, 20 rounds to and fro, while everything is killed;
 * CHAOS_ROOMS and CHAOS_ROUNDS. A round takes about a minute on two cores.
 * `npm run chaos -- bulk`: 10,000 rooms are suspended at once while everything is killed; BULK_ROOMS.
 * `npm run chaos -- model`: random sequences of actions and crashes, compared with a model; MODEL_RUNS, MODEL_ACTIONS.
 * Each run draws other choices; it prints their SEED, which repeats them.
 */
import { ensureInstalled, environment, ownNode, run } from './prepare.mjs'

const tests = {
  everything: { CHAOS_MINUTES: '60', CHAOS_ACTORS: '8', CHAOS_FAULTS: '3' },
  moves: { CHAOS_ROOMS: '200', CHAOS_ROUNDS: '20' },
  bulk: { BULK_ROOMS: '10000' },
  model: { MODEL_RUNS: '200', MODEL_ACTIONS: '30' },
}
const CHAOS = process.argv[2] ?? 'everything'
const sizes = tests[CHAOS]
if (sizes === undefined) {
  console.error('Usage: npm run chaos [-- moves | bulk | model]')
  process.exit(2)
}
ensureInstalled()
// The file comes first, because an option without a value would take it for its value.
const args = ['run', 'apps/server/test/chaos/chaos.test.ts', '--reporter=default', '--disable-console-intercept']
const SEED = String(Math.floor(Math.random() * 2 ** 31))
run(ownNode, ['node_modules/vitest/vitest.mjs', ...args], { env: { CHAOS, SEED, ...sizes, ...environment } })
