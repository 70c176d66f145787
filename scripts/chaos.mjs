/**
 * `npm run chaos`: whole live migrations of 200 rooms, 20 times there and back, while everything is killed at random.
 * CHAOS_ROOMS, CHAOS_ROUNDS and CHAOS_SEED change that. Takes about a minute for each round on two cores.
 */
import { ensureInstalled, environment, ownNode, run } from './prepare.mjs'

ensureInstalled()
const sizes = { CHAOS_ROOMS: '200', CHAOS_ROUNDS: '20' }
// The file first: an option without a value would take it for its own.
const args = ['run', 'apps/server/test/migrations/chaos.test.ts', '--reporter=default', '--disable-console-intercept']
run(ownNode, ['node_modules/vitest/vitest.mjs', ...args], { env: { ...sizes, ...environment } })
