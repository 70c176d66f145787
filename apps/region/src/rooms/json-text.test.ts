import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeJsonText } from './json-text.ts'

function written(bytes: Uint8Array): string {
  const pieces: Buffer[] = []
  writeJsonText(bytes, (piece) => pieces.push(Buffer.from(piece)))
  return Buffer.concat(pieces).toString()
}

/** Short and long runs of every kind of byte that JSON treats differently, so that windows, runs and blocks end anywhere. */
const texts = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(
          'a',
          '"',
          '\\',
          '\0',
          '\n',
          '\r',
          '\t',
          '\b',
          '\f',
          '\u001f',
          '\u007f',
          '\u2028',
          'ä',
          '😀',
          '"\\',
        ),
        fc.string({ unit: 'binary', maxLength: 20 }),
      ),
      fc.oneof(
        fc.nat(3),
        fc.nat(1100),
        fc.constantFrom(31, 32, 33, 511, 512, 513, 1023, 1024, 1025, 16383, 16384, 20000),
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.map(([text, times]) => text.repeat(times)).join(''))

test('a text is written as JSON.stringify writes it, wherever it begins in memory', () => {
  fc.assert(
    fc.property(texts, fc.nat(7), (text, offset) => {
      const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
      // Lone halves of surrogate pairs have no UTF-8; Buffer.from has replaced them.
      const expected = JSON.stringify(bytes.toString('utf8', offset)).slice(1, -1)
      expect(written(bytes.subarray(offset)) === expected).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('each byte below 0x80 is written as JSON.stringify writes it, at each place of a long text', () => {
  for (let code = 0; code < 0x80; code += 1) {
    for (const place of [0, 1, 5, 1030, 1031, 1032, 1033, 16384, 39_999]) {
      const text = `${'x'.repeat(place)}${String.fromCharCode(code)}${'y'.repeat(40_000 - place)}`
      expect(written(Buffer.from(text)) === JSON.stringify(text).slice(1, -1)).toBe(true)
    }
  }
})

test('the most part of a long text is handed on as it is', () => {
  const bytes = Buffer.from(`"${'x'.repeat(1_000_000)}"`)
  let copied = 0
  writeJsonText(bytes, (piece) => {
    if (piece.buffer !== bytes.buffer) copied += piece.byteLength
  })
  expect(copied).toBeLessThan(5000)
})
