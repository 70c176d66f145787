import { expect, it } from 'vitest'
import { breakFunction } from './break-function.mjs'

const code = `
export async function start(key: string) {
  if (key === '') throw refuse('no-key')
  await lock(key)
  return isFree(key)
}
const isFree = (key: string) => key !== 'taken'
const routes = { async stop({ key }: Call) { await lock(key) } }
`

it.each([
  [{ function: 'start', without: 'no-key' }, `throw refuse('no-key')`, '{}'],
  [{ function: 'start', without: 'lock' }, 'await lock(key)', '{}'],
  [{ function: 'isFree', returns: 'true' }, `key !== 'taken'`, '(true)'],
  [{ function: 'stop', returns: 'null' }, '{ await lock(key) }', '{ return null }'],
])('breaks one place: %j', (mutation, before, after) => {
  expect(breakFunction(mutation, code)).toBe(code.replace(before, after))
})

it.each([
  [{ function: 'begin', returns: 'true' }, 'There is not one function begin, but 0.'],
  [{ function: 'start', without: 'key' }, 'There is not one statement with key in start, but 3.'],
])('says what it does not find: %j', (mutation, error) => {
  expect(() => breakFunction(mutation, code)).toThrow(error)
})
