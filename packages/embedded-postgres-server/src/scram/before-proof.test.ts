import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readUntilProof } from './before-proof.ts'

const message = (type: string, ...parts: (Buffer | string)[]) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const code = (number: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(number)
  return bytes
}
const authentication = (number: number, text = '') => message('R', code(number), text)
const refusal = message('E', 'SFATAL\0', 'C28P01\0', 'Mno\0', '\0')
const proof = [
  authentication(10, 'SCRAM-SHA-256\0\0'),
  message('N', 'SNOTICE\0', '\0'),
  authentication(11, 'r='),
  authentication(12, 'v='),
]
const session = [authentication(0), message('S', 'a\0b\0'), message('Z', 'I'), message('D', Buffer.alloc(100_000))]

/** @returns the messages passed on, and why the rest was refused; null: it was not */
function read(chunks: Buffer[]): { passed: Buffer[]; refused: string | null } {
  const stream = new PassThrough()
  const passed: Buffer[] = []
  let refused: string | null = null
  const isProof = (bytes: Buffer) => bytes[0] === 82 && bytes.readInt32BE(5) === 12
  const judge = {
    hasProven: () => passed.some(isProof),
    isOver: () => refused !== null,
    refuse: (what: string) => {
      refused = what
    },
  }
  readUntilProof(stream, judge).on('data', (bytes) => passed.push(bytes))
  for (const chunk of chunks) stream.emit('data', chunk)
  return { passed, refused }
}

test.each([
  ['in one piece', (all: Buffer) => [all]],
  ['byte by byte', (all: Buffer) => Array.from(all.subarray(0, 500), (_, at) => all.subarray(at, at + 1))],
])('what comes before the proof is passed on message by message, and then all that comes, %s', (_, cut) => {
  const all = Buffer.concat([...proof, ...session])
  const { passed, refused } = read(cut(all))
  expect(refused).toBeNull()
  expect(passed.slice(0, proof.length)).toEqual(proof)
  expect(Buffer.concat(passed)).toEqual(Buffer.concat(cut(all)))
})

test('an error instead of the proof is passed on', () => {
  expect(read([refusal])).toEqual({ passed: [refusal], refused: null })
})

test.each([
  ['an error without its end', message('E', 'SFATAL\0')],
  ['an error of nothing', message('E')],
  ['a notice without its end', message('N', 'SNOTICE\0')],
  ['a message that is too long', message('E', Buffer.alloc(9_000)).subarray(0, 100)],
  ['a message of no length', Buffer.from([69, 0, 0, 0, 0])],
  ['a length that is negative', Buffer.from([69, 255, 255, 255, 255])],
  ['a way of asking that nobody knows', authentication(4711)],
  ['a way of asking that is cut off', message('R', Buffer.alloc(2))],
  ['the proof without what comes before it', authentication(12, 'v=')],
  ['a row', message('D', Buffer.alloc(2))],
  ['that it is ready', message('Z', 'I')],
  ['a type that nobody knows', message('?')],
])('%s is refused and not passed on, nor what follows it', (_, wrong) => {
  const { passed, refused } = read([Buffer.concat([wrong, refusal]), refusal])
  expect(refused).not.toBeNull()
  expect(passed).toEqual([])
})

test('the second question is refused, and notices without end', () => {
  const [question = refusal, notice = refusal] = proof
  expect(read([question, question]).passed).toEqual([question])
  const { passed, refused } = read(Array.from({ length: 1_000 }, () => notice))
  expect(refused).not.toBeNull()
  expect(Buffer.concat(passed).length).toBeLessThan(8 * 1024)
})
