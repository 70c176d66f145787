import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { boundedText } from './bounded-text.ts'
import { RegionRefusal } from './errors.ts'

const bytewise = (text: string) =>
  ReadableStream.from([...Buffer.from(text)].map((byte) => Uint8Array.of(byte))) as ReadableStream<Uint8Array>

test('letters that come in pieces are whole, and what is no text shows so', async () => {
  expect(await boundedText(new Response(bytewise('\uFEFFä€😀 und mehr')))).toBe('ä€😀 und mehr')
  expect(await boundedText(new Response(Uint8Array.of(0x61, 0xe2, 0x82)))).toBe('a\uFFFD')
  expect(await boundedText(new Response(null))).toBe('')
})

test('an answer is as long as it may be, and not longer', async () => {
  expect(await boundedText(new Response(bytewise('12345')), 5)).toBe('12345')
  await expect(boundedText(new Response(bytewise('123456')), 5)).rejects.toBeInstanceOf(RegionRefusal)
})

/** Sends three million one-byte chunks: a process that keeps an object for each one runs out of memory. */
const reading = `
  import { boundedText } from ${JSON.stringify(new URL('./bounded-text.ts', import.meta.url).href)}
  const piece = Uint8Array.of(0x61)
  async function* pieces() { for (let sent = 0; sent < 3_000_000; sent += 1) yield piece }
  const text = await boundedText({ body: pieces() })
  console.log(text.length)
`

test('an answer that comes byte by byte costs no more than its length', async () => {
  const small = ['--max-old-space-size=48', '--input-type=module', '-e', reading]
  expect((await promisify(execFile)(process.execPath, small)).stdout.trim()).toBe('3000000')
}, 60_000)
