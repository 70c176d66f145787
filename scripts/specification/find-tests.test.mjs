import { describe, expect, it } from 'vitest'
import { hasText, marksIn } from './find-tests.mjs'

describe('a mark', () => {
  it('may name several requirements, and stands above a test, a group or a check', () => {
    const code = `
      // shows: of-the-group
      describe('a group', () => {
        // shows: one, two
        // Another comment.
        it.each([['a']])('%s is marked', (letter) => expect(letter).toBe('a'))
      })
      // shows: of-a-check
      { name: 'a check', run: async () => expectEqual(1, 1, 'one') },
      // shows: of-nothing
      const a = 1`
    expect(marksIn({ file: 'a.test.ts', text: code })).toEqual([
      { id: 'of-the-group', place: 'a.test.ts:2', isAboveTest: true },
      { id: 'one', place: 'a.test.ts:4', isAboveTest: true },
      { id: 'two', place: 'a.test.ts:4', isAboveTest: true },
      { id: 'of-a-check', place: 'a.test.ts:8', isAboveTest: true },
      { id: 'of-nothing', place: 'a.test.ts:10', isAboveTest: false },
    ])
  })
})

describe('a text', () => {
  const file = (text, name = 'e2e/tests/rooms.spec.ts') => ({ file: name, text })

  it.each([
    [`button('Delete')`, true],
    [`toMatch(/^Delete$/)`, true],
    [`button('Delete room')`, false],
    ['words.delete', false],
  ])('that is short must be all that is quoted: %s', (text, isThere) => {
    expect(hasText(file(text), { id: 'M-1', says: 'Delete' })).toBe(isThere)
  })

  it('counts on its own screen alone', () => {
    const requirement = { id: 'M-1', says: 'Delete', in: 'e2e/tests/regions' }
    expect(hasText(file(`button('Delete')`), requirement)).toBe(false)
    expect(hasText(file(`button('Delete')`, 'e2e/tests/regions.spec.ts'), requirement)).toBe(true)
  })

  it('that is long may be a part of another, and have anything where it has a placeholder', () => {
    const says = "The region {region} doesn't take more rooms. Use another one."
    expect(hasText(file(`expect(error).toBe(\`Sorry: ${says.replace('{', '${')}\`)`), { id: 'M-1', says })).toBe(true)
    expect(hasText(file(`'The region a doesn\\'t take more rooms. Use another one.'`), { id: 'M-1', says })).toBe(true)
  })
})
