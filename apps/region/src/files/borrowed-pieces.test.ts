import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { borrowPieces } from './borrowed-pieces.ts'
import { pieceBytes } from './read-pieces.ts'

// Compared one by one and by identity: `toEqual` and `toContain` look at all their bytes.
const isAmong = (piece: Buffer, pieces: readonly Buffer[]) => pieces.some((each) => each === piece)

test('what is given back is used again, and what is not is never lent twice', () => {
  const first = borrowPieces()
  const pieces = [first.piece(1), first.piece(pieceBytes)]
  expect(new Set(pieces).size).toBe(2)
  const meanwhile = borrowPieces()
  expect(isAmong(meanwhile.piece(1), pieces)).toBe(false)
  first.giveBack()
  const second = borrowPieces()
  const again = [second.piece(1), second.piece(1)]
  expect(new Set(again).size).toBe(2)
  expect(again.every((piece) => isAmong(piece, pieces))).toBe(true)
  expect(isAmong(second.piece(1), pieces)).toBe(false)
})

test('giving back twice lends nothing to two', () => {
  const first = borrowPieces()
  first.piece(1)
  first.giveBack()
  first.giveBack()
  const [second, third] = [borrowPieces(), borrowPieces()]
  const lent = Array.from({ length: 10 }, () => [second.piece(1), third.piece(1)]).flat()
  expect(new Set(lent).size).toBe(20)
})

test('only a few are kept', () => {
  const many = borrowPieces()
  const pieces = Array.from({ length: 30 }, () => many.piece(1))
  many.giveBack()
  const next = borrowPieces()
  const again = Array.from({ length: 30 }, () => next.piece(1)).filter((piece) => pieces.includes(piece))
  expect(again.length).toBeLessThan(15)
})

test('what cannot be given back is not held: a snapshot reads hundreds of databases', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const many = borrowPieces()
  const pieces = Array.from({ length: 100 }, () => new WeakRef(many.piece(1)))
  // A weak reference holds its target until the end of the turn.
  await new Promise((resolve) => setImmediate(resolve))
  collect()
  expect(pieces.filter((piece) => piece.deref() !== undefined).length).toBeLessThan(15)
  many.giveBack()
})
