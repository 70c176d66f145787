import { expect, test } from 'vitest'
import { takeCopies } from './copies-of-chunks.ts'

const chunk = (value: number, bytes = 100_000) => Buffer.alloc(bytes, value)
/** `toEqual` takes seconds for so many bytes. */
const isSame = (copy: Uint8Array | undefined, value: number, bytes?: number) =>
  chunk(value, bytes).equals(copy ?? chunk(0, 0))

test('a copy holds its chunk until the third large one after it, and small ones stay', () => {
  const copies = takeCopies()
  const small = copies.of(chunk(9, 10))
  const [first, second, third] = [1, 2, 3].map((value) => copies.of(chunk(value)))
  expect([isSame(first, 1), isSame(second, 2), isSame(third, 3)]).toEqual([true, true, true])
  copies.of(chunk(4))
  expect([isSame(second, 2), isSame(third, 3)]).toEqual([true, true])
  expect(isSame(small, 9, 10)).toBe(true)
  expect(isSame(copies.of(chunk(5, 3_000_000)), 5, 3_000_000)).toBe(true)
})

test('the memory of another upload is used only after that has given it back', () => {
  const first = takeCopies()
  const copy = first.of(chunk(1))
  const second = takeCopies()
  for (let value = 2; value < 8; value += 1) second.of(chunk(value))
  expect(isSame(copy, 1)).toBe(true)
  first.giveBack()
  const third = takeCopies()
  const own = third.of(chunk(8))
  expect(own.buffer === copy.buffer).toBe(true)
})
