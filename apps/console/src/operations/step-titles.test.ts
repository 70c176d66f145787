/**
 * The console has a title for each step of the server, and a name for each kind of operation. The server's sources are
 * read as text: apps import no apps.
 */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { kinds as namesOfKinds } from '../locales/mcp_ui/consistency.json' with { type: 'json' }
import { stepTitles as english } from '../locales/mcp_ui/operations.json' with { type: 'json' }

const folder = new URL('../../../server/src/', import.meta.url).pathname
const sources = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] }).map((path) =>
  readFileSync(folder + path, 'utf8'),
)
const steps = sources.flatMap((source) =>
  [...source.matchAll(/\bid: '([^']+)',\s+title: '([^']+)'/g)].map(([, id = '', title = '']) => ({ id, title })),
)
const kinds = sources.flatMap((source) =>
  [...source.matchAll(/\bkind: '([^']+)',\s+version: /g)].map(([, kind = '']) => kind),
)

const translations = globSync('*/operations.json', { cwd: new URL('../locales/', import.meta.url).pathname })
  .filter((path) => !path.startsWith('mcp_ui/'))
  .map((path) => {
    const file = readFileSync(new URL(`../locales/${path}`, import.meta.url), 'utf8')
    return [path, (JSON.parse(file) as { stepTitles: object }).stepTitles] as const
  })

test('German is one of the translations', () => {
  expect(translations.map(([path]) => path)).toContain('de/operations.json')
})

test('steps are found in the server', () => {
  expect(steps).toContainEqual({ id: 'create-room', title: 'create the room on the region' })
  expect(new Set(steps.map(({ id }) => id)).size).toBeGreaterThan(40)
})

test.each(steps)(
  'the step $id has a title in each translation, and its English one is what the server says',
  ({ id, title }) => {
    expect(translations.filter(([, titles]) => !(id in titles))).toEqual([])
    expect(Object.entries(english)).toContainEqual([id, title])
  },
)

// Findings name them; locales.test.ts compares the translations with English.
test('each kind of operation has a name', () => {
  expect(kinds.length).toBeGreaterThan(25)
  expect(kinds.filter((kind) => !(kind in namesOfKinds))).toEqual([])
})
