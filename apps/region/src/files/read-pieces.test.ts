import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { pieceBytes, readPieces } from './read-pieces.ts'
import { writeHashed } from './sha256-of-file.ts'

const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-pieces-'))
afterAll(() => rm(folder, { recursive: true }))

const lengths = [0, 1, pieceBytes - 1, pieceBytes, pieceBytes + 1, 3 * pieceBytes, 5 * pieceBytes + 7]

/** Reads from memory like from a file. @param atMost how much one call reads */
function readingFrom(content: Buffer, atMost = Number.POSITIVE_INFINITY) {
  return async (into: Uint8Array, position: number): Promise<number> => {
    const part = content.subarray(position, position + Math.min(into.byteLength, atMost))
    into.set(part)
    return part.byteLength
  }
}

async function all(pieces: AsyncIterable<Buffer>): Promise<{ content: Buffer; lengths: number[] }> {
  const copies: Buffer[] = []
  for await (const piece of pieces) copies.push(Buffer.from(piece))
  return { content: Buffer.concat(copies), lengths: copies.map(({ length }) => length) }
}

test('a content of any length comes whole, in full pieces but the last, however little a call reads', async () => {
  for (const length of lengths) {
    const content = randomBytes(length)
    for (const atMost of [Number.POSITIVE_INFINITY, 300_001]) {
      const found = await all(readPieces(readingFrom(content, atMost)))
      expect(found.content.equals(content)).toBe(true)
      expect(found.lengths.slice(0, -1).every((each) => each === pieceBytes)).toBe(true)
    }
  }
})

test('a part of a file comes whole, and no byte of what stands around it', async () => {
  for (const length of lengths) {
    const content = randomBytes(length)
    const file = Buffer.concat([Buffer.alloc(13), content, Buffer.alloc(2 * pieceBytes)])
    expect((await all(readPieces(readingFrom(file), 13, 13 + length))).content.equals(content)).toBe(true)
  }
})

test('a file that is shorter than was said ends early', async () => {
  const content = randomBytes(pieceBytes + 10)
  expect((await all(readPieces(readingFrom(content), 0, 4 * pieceBytes))).content.equals(content)).toBe(true)
})

test('a piece stays as it was until the second one after it is asked for', async () => {
  const content = randomBytes(7 * pieceBytes + 3)
  let last: { piece: Buffer; copy: Buffer } | null = null
  for await (const piece of readPieces(readingFrom(content))) {
    if (last !== null) expect(last.piece.equals(last.copy)).toBe(true)
    last = { piece, copy: Buffer.from(piece) }
  }
})

test('after an end before the last piece nothing is read any more', async () => {
  let reading = 0
  const read = readingFrom(Buffer.alloc(9 * pieceBytes))
  const slowly = async (into: Uint8Array, position: number) => {
    reading += 1
    await new Promise((resolve) => setImmediate(resolve))
    const bytes = await read(into, position)
    reading -= 1
    return bytes
  }
  for await (const piece of readPieces(slowly)) if (piece.byteLength > 0) break
  expect(reading).toBe(0)
})

test('when reading fails, what was read before is still given', async () => {
  const read = readingFrom(Buffer.alloc(9 * pieceBytes))
  const failing = (into: Uint8Array, position: number) =>
    position >= 2 * pieceBytes ? Promise.reject(new Error('the disk')) : read(into, position)
  const pieces = readPieces(failing)
  expect((await pieces.next()).value?.byteLength).toBe(pieceBytes)
  expect((await pieces.next()).value?.byteLength).toBe(pieceBytes)
  await expect(pieces.next()).rejects.toThrow('the disk')
})

test('what is written is what was hashed, though the memory of the pieces is used again', async () => {
  const contents = lengths.map((length) => randomBytes(length))
  async function* small(text: string) {
    yield Buffer.from(text)
  }
  async function* joined() {
    for (const [index, content] of contents.entries()) {
      yield* small(`header ${index}`)
      yield* readPieces(readingFrom(content))
      yield* small('descriptor')
    }
  }
  const path = join(folder, 'written')
  const sum = await writeHashed(joined(), path, new AbortController().signal)
  const expected = Buffer.concat(
    contents.flatMap((content, index) => [Buffer.from(`header ${index}`), content, Buffer.from('descriptor')]),
  )
  const written = await readFile(path)
  expect(written.equals(expected)).toBe(true)
  expect(sum.size).toBe(expected.length)
})
