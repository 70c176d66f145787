/** All mutations, and checks that they still fit the code. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../prepare.mjs'
import { access } from './list/access.mjs'
import { backups } from './list/backups.mjs'
import { commandLine } from './list/command-line.mjs'
import { doctor } from './list/doctor.mjs'
import { liveMigrations } from './list/live-migrations.mjs'
import { operations } from './list/operations.mjs'
import { region } from './list/region.mjs'
import { rules } from './list/rules.mjs'
import { webhooks } from './list/webhooks.mjs'
import { wire } from './list/wire.mjs'
import { readTest } from './run-tests.mjs'

/**
 * @typedef {object} Mutation
 * @property {string} id its area, a slash, its name
 * @property {string} breaks in one sentence: what a user or operator would suffer
 * @property {string} file
 * @property {string} find occurs exactly once in the file
 * @property {string} replace
 * @property {readonly string[]} tests that should notice, the quickest first: `<file>`, or `<file>: <part of a name>`
 */

/** @type {readonly Mutation[]} */
export const mutations = [
  ...rules,
  ...wire,
  ...access,
  ...operations,
  ...backups,
  ...region,
  ...liveMigrations,
  ...doctor,
  ...webhooks,
  ...commandLine,
]

/** @param names of areas or mutations; empty for all mutations */
export function choose(names) {
  if (names.length === 0) return mutations
  const isNamed = ({ id }) => names.includes(id) || names.includes(id.split('/')[0])
  return mutations.filter(isNamed)
}

/** @returns {string[]} what does not fit the code or the tests; empty if the mutation is sound */
export function whyStale(mutation) {
  const { id, file, find, replace, tests } = mutation
  const why = []
  if (mutations.filter((each) => each.id === id).length > 1) why.push('another mutation has the same id.')
  const found = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8').split(find).length - 1 : 0
  if (found !== 1) why.push(`the text to replace is ${found} times in ${file}: ${find.trim().split('\n')[0]}`)
  if (find === replace) why.push('it changes nothing.')
  if (tests.length === 0) why.push('it names no test.')
  for (const test of tests.map(readTest)) {
    const text = existsSync(join(root, test.file)) ? readFileSync(join(root, test.file), 'utf8') : null
    if (text === null) why.push(`there is no ${test.file}.`)
    else if (test.name !== undefined && !text.includes(test.name)) why.push(`${test.file} has no '${test.name}'.`)
  }
  return why
}

/** Test folders by the folder of the broken file, the nearest first. */
const wider = [
  ['packages/rules/', ['packages/rules', 'apps/console/src/rooms', 'apps/server/test/life']],
  ['packages/contract/', ['packages', 'apps/server/test']],
  ['packages/embedded-postgres-server/', ['packages/embedded-postgres-server', 'apps/server/test']],
  ['packages/region-protocol/', ['packages/region-protocol', 'apps/region']],
  ['apps/region/', ['apps/region']],
  ['apps/cli/', ['apps/cli']],
  ['apps/server/src/operations/', ['apps/server/test']],
  ['apps/server/src/live-migrations/', ['apps/server/src/live-migrations', 'apps/server/test/migrations']],
  ['apps/server/src/doctor/', ['apps/server/test/doctor', 'apps/server/test/migrations']],
  ['apps/server/', ['apps/server']],
]

/** @returns {readonly string[]} folders, in the form that vitest takes */
export function widerTests({ file }) {
  return wider.find(([folder]) => file.startsWith(folder))?.[1] ?? ['packages', 'apps']
}
