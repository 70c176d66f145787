import { expect, test } from 'vitest'
import { sentenceIn } from './use-sentences.ts'

const known = {
  'It is locked.': 'Es ist gesperrt.',
  'It is locked in {{region}}.': 'In {{region}} ist es gesperrt.',
  '{{found}} instead of {{made}} bytes': '{{found}} statt {{made}} Bytes',
}

test.each([
  ['It is locked.', 'Es ist gesperrt.'],
  ['It is locked in a (b).', 'In a (b) ist es gesperrt.'],
  ['It is locked in {{region}}.', 'In {{region}} ist es gesperrt.'],
  ['5 instead of 7 bytes', '5 statt 7 Bytes'],
])('%j is said in the language of the file', (english, said) => {
  expect(sentenceIn(known, english)).toBe(said)
})

test.each(['It is lockedx', 'No. It is locked in a.', 'constructor', ''])('%j stays as it is', (english) => {
  expect(sentenceIn(known, english)).toBe(english)
})
