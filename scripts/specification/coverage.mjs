/**
 * `npm run coverage:specification` prints where the tests are that show each requirement, and what is not shown.
 *
 * `--check` fails when a requirement is neither shown nor listed in docs/specification/not-shown.json, when one that is
 * listed there is shown, and when a mark names no requirement or stands above no test. A mark moves with its test.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from '@roomkeeper/contract'
import { root } from '../prepare.mjs'
import { hasText, marksIn, readTestFiles } from './find-tests.mjs'

const files = readTestFiles(root)
const marks = files.flatMap(marksIn)
const notShown = read('not-shown.json')
const requirements = [...written(), ...calls()].map((each) => ({ ...each, shownBy: placesOf(each) }))

if (process.argv[2] === '--check') check()
else print()

function written() {
  const inGroup = (group) =>
    group.requirements.map((each) => ({ ...each, in: each.in ?? group.in, source: group.source }))
  return read('requirements.json').flatMap(inGroup)
}

/** For a call: its purpose. Its conditions and its order are requirements of their own. */
function calls() {
  return Object.entries(routes).map(([name, { method, path, summary }]) => ({
    id: `C-${name}`,
    text: `${method} ${path}: ${summary.split(/[;.:] |, those |\.$/)[0]}.`,
    source: 'Calls of the console (wire.md)',
  }))
}

function placesOf(requirement) {
  const marked = marks.filter(({ id }) => id === requirement.id).map(({ place }) => place)
  return marked.length > 0 ? marked : files.filter((file) => hasText(file, requirement)).map(({ file }) => file)
}

function print() {
  const gaps = requirements.filter(({ shownBy }) => shownBy.length === 0)
  for (const [source, group] of Map.groupBy(requirements, (each) => each.source)) {
    console.log(`\n${source}`)
    for (const each of group) {
      console.log(`  ${each.id}: ${each.text ?? `“${each.says}”`}`)
      console.log(`    ${each.shownBy.join(', ') || `not shown: ${notShown[each.id]}`}`)
    }
  }
  console.log(`\n${requirements.length} requirements: ${requirements.length - gaps.length} shown, ${gaps.length} not`)
}

function check() {
  const known = new Set(requirements.map(({ id }) => id))
  const isListed = (id) => notShown[id] !== undefined
  const wrong = [
    ...requirements
      .filter(({ id, shownBy }) => shownBy.length === 0 && !isListed(id))
      .map(({ id, text, says }) => `${id} is not shown: ${text ?? says}`),
    ...requirements
      .filter(({ id, shownBy }) => shownBy.length > 0 && isListed(id))
      .map(({ id }) => `${id} is shown, but listed as not shown.`),
    ...Object.keys(notShown)
      .filter((id) => !known.has(id))
      .map((id) => `${id} is listed as not shown, but is no requirement.`),
    ...marks.filter(({ id }) => !known.has(id)).map(({ id, place }) => `${place}: there is no requirement ${id}.`),
    ...marks.filter((mark) => !mark.isAboveTest).map(({ place }) => `${place}: the mark stands above no test.`),
  ]
  for (const each of wrong) console.error(each)
  process.exitCode = wrong.length > 0 ? 1 : 0
}

function read(file) {
  return JSON.parse(readFileSync(join(root, 'docs/specification', file), 'utf8'))
}
