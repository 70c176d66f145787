import { expect, test } from 'vitest'
import { because, englishReasons, fillInValues, joinSentences } from './index.ts'

test('a parameter that ends a sentence takes no second full stop, also within quotes', () => {
  expect(fillInValues('The region refused: {{told}}.', { told: 'No.' })).toBe('The region refused: No.')
  expect(fillInValues('The region refused: {{told}}.', { told: 'no way' })).toBe('The region refused: no way.')
  expect(fillInValues('Sie meldet: „{{told}}“.', { told: 'No.' })).toBe('Sie meldet: „No.“')
})

test('sentences are joined by a full stop, which the last one does not need', () => {
  const all = ['Die Region meldet: „no way“', 'Fertig:', 'nichts']
  expect(joinSentences(all)).toBe('Die Region meldet: „no way“. Fertig: nichts')
  const told = because('told-by-region', { told: 'no way' })
  expect(englishReasons([told, because('nothing-removed')])).toBe('no way. Nothing was removed.')
})

test('a number takes its noun', () => {
  const wait = 'Wait {{minutes}} [[minutes:minute|minutes]].'
  expect([1, 2].map((minutes) => fillInValues(wait, { minutes }))).toEqual(['Wait 1 minute.', 'Wait 2 minutes.'])
})
