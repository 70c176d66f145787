/**
 * `npm run size`: how much there is of what should stay small. Counts the files that git does not ignore; `-- --flows`
 * starts a server and counts also what runs.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { listedFiles } from './listed-files.mjs'
import { lastRun, root } from './prepare.mjs'

const texts = new Map(
  listedFiles()
    .filter((file) => /\.(tsx?|mjs|css|sql|md)$/.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)
const isTest = /\.(test|spec)\.|test-support|\/test\/|\/fixtures\//
const code = (folder) => filesOf(folder, /\.(tsx?|mjs)$/, isTest)
const server = code('apps/server/src/')
const testEnvironment = code('packages/dev-env/')
const schema = filesOf('apps/server/schema/', /\/\d+-.*\.sql$/)
const tests = filesOf('', /\.test\.(tsx?|mjs)$/)
const browserTests = filesOf('e2e/', /\.spec\.ts$/)
const pages = filesOf('docs/', /^docs\/[^/]+\.md$/)

const rows = [
  ['server, without tests', linesAndFiles(server)],
  ['  files that one other file alone imports', importedOnce(server).length],
  ['region, without tests', linesAndFiles(code('apps/region/src/'))],
  [
    'console, without tests, texts and generated files',
    linesAndFiles(filesOf('apps/console/src/', /\.tsx?$/, /\.test\.|\/testing\/|\/locales\/|\.gen\.ts$/)),
  ],
  ...Object.entries({
    list: 'rooms/list/RoomsPage.tsx',
    'edit form': 'rooms/edit/EditForm.tsx',
    bulk: 'bulks/StartBulkDialog.tsx',
  }).map(([name, file]) => [`  modules that the ${name} needs, in its feature and below`, modulesBelow(file)]),
  ['CSS', linesAndFiles(filesOf('apps/console/', /\.css$/))],
  ['command line, without tests', linesAndFiles(code('apps/cli/'))],
  [
    'packages, without tests and dev-env',
    linesAndFiles(code('packages/').filter((file) => !testEnvironment.includes(file))),
  ],
  ['test environment (packages/dev-env)', linesAndFiles(testEnvironment)],
  ['scripts and bench, without tests', linesAndFiles([...code('scripts/'), ...code('bench/')])],
  ['triggers', count(schema, /^create (or replace )?(constraint )?trigger /gim)],
  ['SQL functions', count(schema, /^create (or replace )?function /gim)],
  ['indexes of rooms, with its key', 1 + count(schema, /^create (unique )?index (concurrently )?\w+\s+on rooms\b/gim)],
  ['tests', `${linesAndFiles(tests)}, about ${count(tests, /^\s*(it|test)\b.*\(/gm)} tests, each table counted once`],
  ['browser tests', `${linesAndFiles(browserTests)}, about ${count(browserTests, /^\s*test(\.\w+)?\(['"`]/gm)} tests`],
  ['last whole npm test', lastRunText()],
  ['words of docs/*.md', words(pages)],
  [
    'words of decisions',
    `${words(filesOf('docs/decisions/', /\.md$/))} in ${filesOf('docs/decisions/', /\.md$/).length} files`,
  ],
]
if (process.argv.includes('--flows')) rows.push(...(await (await import('./size-of-flows.mjs')).sizeOfFlows()))
const width = Math.max(...rows.map(([name]) => name.length))
for (const [name, figure] of rows) console.log(`${name.padEnd(width)}  ${figure}`)

function filesOf(folder, pattern, without = /^$/) {
  return [...texts.keys()].filter((file) => file.startsWith(folder) && pattern.test(file) && !without.test(file))
}

function linesAndFiles(files) {
  return `${count(files, /\n/g)} lines in ${files.length} files`
}

function count(files, pattern) {
  return files.reduce((sum, file) => sum + (texts.get(file).match(pattern)?.length ?? 0), 0)
}

function words(files) {
  return count(files, /\S+/g)
}

function importedOnce(files) {
  const importers = new Map(files.map((file) => [file, new Set()]))
  for (const file of files) for (const imported of importsOf(file)) importers.get(imported)?.add(file)
  return [...importers].filter(([, by]) => by.size === 1)
}

/** Of the console: those that are imported, also later or as types, from its own feature, `ui`, `api` and `locales`. */
function modulesBelow(start) {
  const folders = [start.split('/')[0], 'ui', 'api', 'locales'].map((folder) => `apps/console/src/${folder}/`)
  const isCounted = (file) => /\.tsx?$/.test(file) && folders.some((folder) => file.startsWith(folder))
  const found = new Set([`apps/console/src/${start}`])
  for (const file of found) for (const imported of importsOf(file).filter(isCounted)) found.add(imported)
  return found.size
}

/** The files of an app that a file of its imports, also later or as types. */
function importsOf(file) {
  const source = /^apps\/\w+\/src\//.exec(file)?.[0] ?? ''
  return [...texts.get(file).matchAll(/(?:from|import\()\s*'([.#][^']+)'/g)].map(([, path]) =>
    normalize(path.startsWith('#') ? path.replace('#', source) : join(dirname(file), path)),
  )
}

function lastRunText() {
  if (!existsSync(lastRun)) return 'none'
  const { at, minutes, counts, isAll } = JSON.parse(readFileSync(lastRun, 'utf8'))
  const what = `vitest ${counts.unit} tests in ${minutes.unit} min, Playwright ${counts.browser} in ${minutes.browser} min`
  return `${what}, ${counts.failed} failed (${isAll ? 'with --all, ' : ''}${at})`
}
