/**
 * `npm run coverage:specification`: writes docs/specification-coverage.md, which lists the tests that show each
 * requirement, and the requirements that are not shown or not built yet. `-- --explain <id>` prints what the tests of
 * one requirement assert.
 *
 * `--check` fails when the page says that a requirement is shown but no test shows it any more, when the page lacks a
 * requirement, when a mark names no requirement or its test asserts nothing, and when something is built that the page
 * lists as not built. Tests may be added, moved and renamed: a mark moves with its test.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../prepare.mjs'
import { pageOf, shownOn } from './page.mjs'
import { assertionsOf } from './read-assertions.mjs'
import { readTests } from './read-tests.mjs'
import { readGroups, whatIsBuilt } from './requirements.mjs'
import { whatShows } from './show.mjs'

const page = join(root, 'docs/specification-coverage.md')
const tests = readTests(root).map((test) => ({ ...test, assertions: assertionsOf(test) }))
const groups = readGroups().map((group) => ({
  ...group,
  requirements: group.requirements.map((each) => found(each, group)),
}))
const [option, id] = process.argv.slice(2)

if (option === '--check') check()
else if (option === '--explain') explain()
else writeFileSync(page, pageOf(groups))

function found(requirement, group) {
  const wanted = { ...requirement, in: requirement.in ?? group.in }
  const shownBy = tests.flatMap((test) => {
    const assertions = whatShows(test, wanted)
    if (assertions === null) return []
    const isWhole = assertions.some(({ texts }) => texts.has(requirement.says))
    return [{ test, assertions, isWhole, isMarked: test.marks.includes(requirement.id) }]
  })
  return { ...requirement, shownBy: shownBy.sort((a, b) => rankOf(b) - rankOf(a)) }
}

/** Marked tests rank first, then those that assert just that text, themselves, in the browser, and little else. */
function rankOf({ test, assertions, isMarked, isWhole }) {
  const own = assertions.some(({ isOwn }) => isOwn) ? 10 : 0
  return (
    (isMarked ? 1000 : 0) +
    (isWhole ? 20 : 0) +
    own +
    (test.file.startsWith('e2e') ? 3 : 0) -
    Math.min(test.assertions.length, 40) / 20
  )
}

function check() {
  const all = groups.flatMap(({ requirements }) => requirements)
  const known = new Set(all.map((each) => each.id))
  const before = shownOn(readFileSync(page, 'utf8'))
  const wrong = [
    ...all.filter((each) => !before.has(each.id)).map((each) => `${each.id} is not on the page.`),
    ...all
      .filter(({ shownBy, ...each }) => shownBy.length === 0 && before.get(each.id) === true)
      .map((each) => `${each.id} was shown by a test, and is not any more: ${each.text ?? each.says}`),
    ...tests.flatMap(({ file, name, marks, assertions }) => [
      ...marks.filter((mark) => !known.has(mark)).map((mark) => `${file}: ${name}: there is no requirement ${mark}.`),
      ...(marks.length > 0 && assertions.length === 0
        ? [`${file}: ${name}: shows something, and asserts nothing.`]
        : []),
    ]),
    ...groups.flatMap(({ source, notBuilt = {} }) =>
      whatIsBuilt(notBuilt).map((each) => `${source}: ${each} is built.`),
    ),
  ]
  if (wrong.length === 0) return
  console.error(`${wrong.join('\n')}\nThe page is written by npm run coverage:specification.`)
  process.exitCode = 1
}

function explain() {
  const requirement = groups.flatMap(({ requirements }) => requirements).find((each) => each.id === id)
  if (requirement === undefined) throw new Error(`There is no requirement ${id}.`)
  console.log(`${id}: ${requirement.text ?? requirement.says}`)
  for (const { test, assertions } of requirement.shownBy) {
    console.log(`\n${test.file}: ${test.name}\n${assertions.map(({ line }) => `  ${line}`).join('\n')}`)
  }
}
