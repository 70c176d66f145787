/**
 * That a text asked for exists is checked by the compiler (i18next.d.ts), for English; here that the other languages have
 * the same texts, and that none is left over.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readUsedKeys } from './used-keys.test-support.ts'

type Words = { [key: string]: string | Words }

const english = readdirSync(new URL('./mcp_ui', import.meta.url))

function read(locale: string, file: string): Words {
  return JSON.parse(readFileSync(new URL(`./${locale}/${file}`, import.meta.url), 'utf8')) as Words
}

/** Every key with the values that its text needs: `delete.question {{name}}`. */
function shapeOf(words: Words, path = ''): string[] {
  return Object.entries(words).flatMap(([key, value]) => {
    const here = path === '' ? key : `${path}.${key}`
    if (typeof value !== 'string') return shapeOf(value, here)
    return `${here} ${[...value.matchAll(/\{\{\w+\}\}/g)].map(String).sort().join(' ')}`
  })
}

test('German has the files of English', () => {
  expect(readdirSync(new URL('./de', import.meta.url)).sort()).toEqual(english.sort())
})

test.each(english)('German %s says everything that English says, with the same values in it', (file) => {
  expect(shapeOf(read('de', file)).sort()).toEqual(shapeOf(read('mcp_ui', file)).sort())
})

test.each(english)('no text of %s is empty', (file) => {
  const empty = (words: Words): boolean =>
    Object.values(words).some((value) => (typeof value === 'string' ? value.trim() === '' : empty(value)))
  expect(empty(read('mcp_ui', file)) || empty(read('de', file))).toBe(false)
})

/** `rooms_one` and `rooms_other` are both the key `rooms`. */
const withoutPlural = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '')

function keysOf(file: string): string[] {
  return shapeOf(read('mcp_ui', file)).map((shape) => withoutPlural(shape.replace(/( \{\{\w+\}\})* *$/, '')))
}

const used = readUsedKeys()

test.each(english)('every text of %s is used somewhere', (file) => {
  const namespace = file.replace(/\.json$/, '')
  expect(keysOf(file).filter((key) => !used.mentions(namespace, key))).toEqual([])
})
