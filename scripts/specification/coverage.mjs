/**
 * `npm run coverage:specification`: writes docs/specification-coverage.md, which says for every requirement the tests that
 * show it, and which have none. `--check` fails when the page claims what the tests do not show (any more), or leaves a
 * requirement out; tests that came in since do not make it wrong.
 *
 * A test shows a requirement when
 * - it is marked: `// covers: R-…` in the lines above it or inside it;
 * - for a message of the specifications: its text stands in the test, as a text of its own when it is short;
 * - for a rule with `shown`: that expression fits the test's file and name;
 * - for a call: the test makes it, by its name or its path.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from '@roomkeeper/contract'
import { root } from '../prepare.mjs'
import { readTests } from './read-tests.mjs'

const page = join(root, 'docs/specification-coverage.md')
const mostNamed = 2
const shortText = 20

const tests = readTests(root)
const requirements = [...callRequirements(), ...readRequirements()]
const found = requirements.map((each) => ({ ...each, tests: tests.filter((test) => shows(test, each)) }))

if (process.argv.includes('--check')) check()
else writeFileSync(page, pageText())

function readRequirements() {
  return JSON.parse(readFileSync(join(root, 'docs/specification/requirements.json'), 'utf8'))
}

function callRequirements() {
  return Object.entries(routes).map(([name, { method, path }]) => ({
    id: `C-${name}`,
    source: 'Calls (wire.md)',
    text: `${method} ${path}`,
    call: { name, path, method, isOnlyOne: Object.values(routes).filter((each) => each.path === path).length === 1 },
  }))
}

function shows(test, requirement) {
  if (new RegExp(`// covers:[^\\n]*\\b${requirement.id}(?![\\w-])`).test(test.text)) return true
  if (requirement.says !== undefined) {
    return saysIt(test.text, requirement.says) || (requirement.says.length > 10 && test.name.includes(requirement.says))
  }
  if (requirement.shown !== undefined) return new RegExp(requirement.shown).test(`${test.file} › ${test.name}`)
  return requirement.call !== undefined && makesCall(test.text, requirement.call)
}

/** Parts between placeholders must all be there. A short text must stand between quotes, slashes or line ends. */
function saysIt(text, message) {
  const parts = message.split(/\{\w+\}/).filter((part) => part.trim().length > 1)
  if (message.length >= shortText || parts.length > 1) return parts.every((part) => text.includes(part.trim()))
  const escaped = message.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\\\?\\$&')
  return new RegExp(`['"\`/^>]\\s?${escaped}[:.…]?\\s?['"\`/$<]`).test(text)
}

/** Where several calls have one path, the method must stand near it. */
function makesCall(text, { name, path, method, isOnlyOne }) {
  if (new RegExp(`\\b(?:call|open|upload|start\\w*)\\(\\s*'${name}'`).test(text)) return true
  // Names of two words and more are nobody else's.
  if (/[A-Z]/.test(name) && text.includes(`'${name}'`)) return true
  const literal = `${path.replace(/:\w+/g, '[^/\'"`\\s]+').replaceAll('.', '\\.')}(?![\\w/-])`
  if (isOnlyOne) return new RegExp(literal).test(text)
  return new RegExp(`\\b${method}\\b.{0,40}${literal}|${literal}[^\\n]{0,40}\\b${method}\\b`).test(text)
}

function pageText() {
  const gaps = found.filter(({ tests: shown }) => shown.length === 0)
  const sources = [...new Set(found.map(({ source }) => source))]
  return [
    '# What of the specifications which test shows',
    '',
    'Made by `npm run coverage:specification` from [requirements.json](specification/requirements.json), the route table and the tests themselves; not edited by hand. `npm run check` fails when it claims what no test shows. Messages are found by their text, calls by their name or path, rules by the names of tests or by marks (`// covers: R-…`). It says that a test speaks of a requirement, not that it speaks of every side of it; read the tests named.',
    '',
    `${found.length} requirements, ${found.length - gaps.length} with a test, ${gaps.length} without one.`,
    '',
    '## Without a test',
    '',
    ...(gaps.length === 0 ? ['None.'] : gaps.map((gap) => `- ${gap.id} (${gap.source}): ${shownText(gap)}`)),
    ...sources.flatMap((source) => [
      '',
      `## ${source}`,
      '',
      '| id | requirement | shown by |',
      '|---|---|---|',
      ...found.filter((each) => each.source === source).map(rowOf),
    ]),
    '',
  ].join('\n')
}

function rowOf(requirement) {
  const { id, tests: shown } = requirement
  const named = shown.slice(0, mostNamed).map(reference)
  const more = shown.length > mostNamed ? [`and ${shown.length - mostNamed} more`] : []
  return `| ${id} | ${shownText(requirement)} | ${[...named, ...more].join('<br>') || '**none**'} |`
}

function shownText({ says, text }) {
  return (says === undefined ? text : `“${says}”`).replaceAll('|', '\\|')
}

function reference({ file, name }) {
  return `${file}: ${name.replaceAll('|', '\\|').replaceAll('<', '&lt;').replace(/\s+/g, ' ')}`
}

function check() {
  const lines = readFileSync(page, 'utf8').split('\n')
  const wrong = []
  for (const { id, tests: shown } of found) {
    const row = lines.find((line) => line.startsWith(`| ${id} | `))
    if (row === undefined) wrong.push(`${id} is missing.`)
    const claimed = row?.split(' | ').at(-1)?.replace(/ \|$/, '').split('<br>') ?? []
    const known = new Set(shown.map(reference))
    for (const claim of claimed.filter((each) => !/^(\*\*none\*\*|and \d+ more)$/.test(each))) {
      if (!known.has(claim)) wrong.push(`${id} is not shown by ${claim}`)
    }
  }
  if (wrong.length === 0) return
  console.error(`docs/specification-coverage.md is stale (npm run coverage:specification):\n${wrong.join('\n')}`)
  process.exitCode = 1
}
