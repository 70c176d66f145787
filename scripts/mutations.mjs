/**
 * `npm run mutations`: breaks the product on purpose, in one place at a time, and reports whether the tests notice.
 * A mutation that survives is a gap in the tests. The mutations are in scripts/mutations/list.
 *
 *   npm run mutations                      all of them
 *   npm run mutations -- rules wire        those of some areas, or some by id
 *   npm run mutations -- --wide            runs all tests of that part of the product on a mutation that survives
 *   npm run mutations -- --check           breaks nothing; checks that each mutation still applies and its tests exist
 *
 * It works in a copy of the tree and removes the copy at the end, also on Ctrl-C. A test counts only if it passes
 * without the mutation. The exit code is 1 if a mutation survived or is stale.
 */

import { choose, whyStale, widerTests } from './mutations/catalogue.mjs'
import { stopTests } from './mutations/run-tests.mjs'
import { createTrial } from './mutations/trial.mjs'
import { makeWorkingCopy } from './mutations/working-copy.mjs'
import { ensureInstalled } from './prepare.mjs'

const given = process.argv.slice(2)
const options = new Set(given.filter((each) => each.startsWith('--')))
const unknown = [...options].find((each) => !['--check', '--wide'].includes(each))
const chosen = choose(given.filter((each) => !each.startsWith('--')))
if (unknown !== undefined || chosen.length === 0) {
  console.error('Usage: npm run mutations [-- <area or id> … | --wide | --check]')
  process.exit(2)
}

const stale = chosen.flatMap((mutation) => whyStale(mutation).map((why) => `${mutation.id}: ${why}`))
for (const each of stale) console.error(`STALE  ${each}`)
if (options.has('--check')) {
  console.log(`${chosen.length} mutations, ${stale.length} reasons why some are stale`)
  process.exit(stale.length > 0 ? 1 : 0)
}
if (stale.length > 0) process.exit(1)

ensureInstalled()
const copy = makeWorkingCopy()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, async () => {
    await stopTests()
    copy.remove()
    process.exit(130)
  })
}
try {
  const trial = createTrial(copy)
  const startedAt = Date.now()
  const width = Math.max(...chosen.map(({ id }) => id.length))
  const count = { killed: 0, survived: 0, unclear: 0 }
  for (const mutation of chosen) {
    const { result, test, seconds } = await trial(mutation, options.has('--wide') ? widerTests(mutation) : [])
    count[result] += 1
    const printed = {
      killed: `killed    ${test}`,
      survived: `SURVIVED  ${mutation.breaks}`,
      unclear: `UNCLEAR   fails without the mutation, too: ${test}`,
    }
    console.log(`${mutation.id.padEnd(width)}  ${String(Math.round(seconds)).padStart(4)} s  ${printed[result]}`)
  }
  const minutes = Math.round((Date.now() - startedAt) / 6000) / 10
  const unclear = count.unclear > 0 ? `, ${count.unclear} unclear` : ''
  console.log(`\n${count.killed} killed, ${count.survived} survived${unclear}, in ${minutes} minutes`)
  process.exitCode = count.killed < chosen.length ? 1 : 0
} finally {
  copy.remove()
}
