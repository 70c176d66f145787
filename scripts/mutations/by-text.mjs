/**
 * The former mutations: each replaces a text that occurs exactly once in a file. They are in scripts/mutations/list.
 *
 *   node scripts/mutations/by-text.mjs                all of them
 *   node scripts/mutations/by-text.mjs rules wire     those of some areas, or some by id
 *   node scripts/mutations/by-text.mjs --wide         runs all tests of that part of the product on one that survives
 *   node scripts/mutations/by-text.mjs --check        breaks nothing; checks that each still applies and its tests exist
 */
import { ensureInstalled } from '../prepare.mjs'
import { choose, whyStale, widerTests } from './catalogue.mjs'
import { tryAll } from './try-all.mjs'

const given = process.argv.slice(2)
const options = new Set(given.filter((each) => each.startsWith('--')))
const unknown = [...options].find((each) => !['--check', '--wide'].includes(each))
const chosen = choose(given.filter((each) => !each.startsWith('--')))
if (unknown !== undefined || chosen.length === 0) {
  console.error('Usage: node scripts/mutations/by-text.mjs [<area or id> … | --wide | --check]')
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
// No replace(): it would interpret dollar signs in a mutation.
const broken = ({ find, replace }, text) => text.split(find).join(replace)
await tryAll(chosen, broken, (mutation) => (options.has('--wide') ? widerTests(mutation) : []))
