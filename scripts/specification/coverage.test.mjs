/** How the coverage of the specifications reads tests. The cases are small test files in a temporary folder. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assertionsOf } from './read-assertions.mjs'
import { readTests } from './read-tests.mjs'
import { whatShows } from './show.mjs'

let root
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'roomkeeper-coverage-'))
})
afterEach(() => rmSync(root, { recursive: true }))

describe('a requirement in words', () => {
  const code = `
    // shows: of-the-group
    describe('a group', () => {
      // shows: one, two
      it.each([['a']])('%s is marked', (letter) => expect(letter).toBe('a'))
      it('stands beside it', () => expect(1).toBe(1))
    })
    test('is elsewhere', () => expect(1).toBe(1))`

  it('is shown by the tests that are marked for it, or whose group is', () => {
    write('apps/server/test/a.test.ts', code)
    expect(shownBy({ id: 'two', text: '' })).toEqual(['a group › %s is marked'])
    expect(shownBy({ id: 'of-the-group', text: '' })).toEqual(['a group › %s is marked', 'a group › stands beside it'])
    expect(shownBy({ id: 'tw', text: '' })).toEqual([])
  })

  it('is shown by a check of the conformance kit', () => {
    const path = 'packages/region-protocol/src/conformance/checks/some-checks.ts'
    write(
      path,
      `export const checks = [\n// shows: one\n{ name: 'a check', run: async () => expectEqual(1, 1, 'one') }]`,
    )
    expect(shownBy({ id: 'one', text: '' })).toEqual(['a check'])
  })
})

describe('a text', () => {
  it.each([
    ['in an expectation', `expect(page.getByText('Delete')).toBeVisible()`],
    ['by a click', `await page.getByRole('button', { name: 'Delete' }).click()`],
    ['by a pattern', `expect(text).toMatch(/^Delete$/)`],
    ['by a value', `const label = 'Delete'; expect(text).toBe(label)`],
    ['by each of several values', `for (const label of ['Edit', 'Delete']) await button(label).click()`],
    ['by what a helper is given', `await expectButton('Delete')`],
    ['by a locator of a helper', `await expect(deleteButton(page)).toBeVisible()`],
  ])('is asserted %s', (_, body) => {
    write(
      'e2e/tests/a.spec.ts',
      `import { deleteButton, expectButton } from '../buttons.ts'\ntest('a test', async () => { ${body} })`,
    )
    write('e2e/buttons.ts', helpers)
    expect(shownBy({ id: 'M-1', says: 'Delete' })).toEqual(['a test'])
  })

  it.each([
    ['only stands in the test', `await create('Delete')`],
    ['is said to be absent', `await expect(page.getByText('Delete')).toHaveCount(0)`],
    ['is said not to be there', `expect(text).not.toBe('Delete')`],
    ['is part of another', `expect(text).toBe('Delete room')`],
    ['stands in a helper that may not use it', `await expectButton('Edit')`],
    ['stands in the product', `expect(text).toBe(words.remove)`],
  ])('is not asserted where it %s', (_, body) => {
    const imports = `import { expectButton } from '../buttons.ts'\nimport { words } from '../../apps/console/src/words.ts'`
    write('e2e/tests/a.spec.ts', `${imports}\ntest('a test', async () => { ${body} })`)
    write('e2e/buttons.ts', helpers)
    write('apps/console/src/words.ts', `export const words = { remove: 'Delete' }`)
    expect(shownBy({ id: 'M-1', says: 'Delete' })).toEqual([])
  })

  it('counts on its own screen alone', () => {
    for (const screen of ['rooms', 'regions']) {
      write(`e2e/tests/${screen}.spec.ts`, `test('of ${screen}', () => expect(text).toBe('Delete'))`)
    }
    expect(shownBy({ id: 'M-1', says: 'Delete', in: 'e2e/tests/regions' })).toEqual(['of regions'])
  })

  it('may hold anything where it has a placeholder, and a long one may be part of another', () => {
    const says = 'Exceeded maximum number of rooms on region {region}. Use another one.'
    write('apps/server/test/a.test.ts', `it('a test', () => expect(error).toBe(\`Sorry: ${says.replace('{', '${')}\`))`)
    expect(shownBy({ id: 'M-1', says })).toEqual(['a test'])
  })
})

const helpers = `
  const all = ['Edit', 'Delete']
  export async function expectButton(name: string) {
    for (const each of all) await expect(page.getByRole('button', { name: each })).toHaveCount(each === name ? 1 : 0)
    await expect(page.getByRole('button', { name })).toBeEnabled()
  }
  export const deleteButton = (page: Page) => page.getByRole('button', { name: 'Delete' })`

function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function shownBy(requirement) {
  const tests = readTests(root).map((test) => ({ ...test, assertions: assertionsOf(test) }))
  return tests.filter((test) => whatShows(test, requirement) !== null).map(({ name }) => name)
}
