/** The console translates the names that the server gives its steps; read as text, because apps import no apps. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { stepNames } from '../locales/de/operations.json' with { type: 'json' }

const folder = new URL('../../../server/src/', import.meta.url).pathname
const texts = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] })
  .map((path) => readFileSync(folder + path, 'utf8'))
  .filter((text) => text.includes("from '#operations/index.ts'"))
/** `name: '…'` in a list of steps, or `const …Step = '…'`. */
const names = texts.flatMap((text) =>
  [...text.matchAll(/(?:\bname: |\b\w*[sS]tep = )'([^']+)'/g)].map(([, name]) => name),
)

test('steps are found in the server', () => {
  expect(names).toContain('create the room on the region')
  expect(names.length).toBeGreaterThan(15)
})

test.each([...new Set(names)])('the step %j has a German name', (name) => {
  expect(Object.keys(stepNames)).toContain(name)
})
