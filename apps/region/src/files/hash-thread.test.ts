/** The digests that a second thread takes are those that one thread would take. */
import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashInPieces } from './hash-thread.ts'
import { sharedPiece } from './shared-piece.ts'

const large = 1 << 30
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

test('several contents at once, in pieces of any size, whether the thread can read their memory or not', async () => {
  const digests = await Promise.all(
    [0, 1, 5, 40].map(async (pieces) => {
      const content = randomBytes(pieces * 70_000)
      const hash = hashInPieces(large)
      const reused = sharedPiece(70_000)
      for (let from = 0; from < content.byteLength; ) {
        const isShared = from % 3 > 0
        const piece = content.subarray(from, from + 1 + (from % 70_000))
        reused.set(piece)
        await hash.add(isShared ? reused.subarray(0, piece.byteLength) : piece)
        from += piece.byteLength
      }
      return [await hash.digest(), sha256(content)]
    }),
  )
  for (const [found, expected] of digests) expect(found).toBe(expected)
})

test('a content that is given up changes nothing for the others', async () => {
  const [given, other] = [hashInPieces(large), hashInPieces(large)]
  const adding = given.add(Buffer.alloc(1000))
  given.drop()
  await other.add(Buffer.from('abc'))
  await adding
  given.drop()
  expect(await other.digest()).toBe(sha256(Buffer.from('abc')))
})

test('small contents are digested without a thread', async () => {
  const hash = hashInPieces(5)
  await hash.add(Buffer.from('abc'))
  expect(await hash.digest()).toBe(sha256(Buffer.from('abc')))
})

test('pieces that the thread cannot read where they are do not fill the memory', async () => {
  const piece = Buffer.alloc(1 << 20, 'x')
  const before = process.memoryUsage.rss()
  const hash = hashInPieces(large)
  for (let nth = 0; nth < 1000; nth += 1) await hash.add(piece)
  const grown = process.memoryUsage.rss() - before
  hash.drop()
  expect(grown).toBeLessThan(400 * 1024 * 1024)
})
