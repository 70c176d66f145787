/** A store that sends more than it was asked for. */
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LyingStore, startLyingStore } from '../../../test/lying-store.ts'
import { Secret } from '../secrets.ts'
import { partBytes } from './bucket-store.ts'
import { createFileStore } from './create-file-store.ts'

let store: LyingStore
beforeAll(async () => {
  store = await startLyingStore()
})
afterAll(() => store.stop())

it('gives no more of a file than was asked for, and says what was wrong', async () => {
  const access = { endpoint: store.endpoint, region: 'us-east-1', accessKey: 'access', secretKey: new Secret('secret') }
  const files = createFileStore({ kind: 'bucket', bucket: 'bucket', prefix: '', access })
  const content = await files.open('uploads/a.zip', { start: 0, end: 99 })
  await expect(buffer(content)).rejects.toMatchObject({
    code: 'object-store-refused',
    message: expect.stringContaining('more than it was asked for'),
  })
})

const mebibyte = 1024 ** 2
const tebibyte = 1024 ** 4

it('parts grow with a file that has too many of the usual ones, but not without end: they are in memory', () => {
  expect(partBytes(0)).toBe(32 * mebibyte)
  expect(partBytes(312 * 1024 ** 3)).toBe(32 * mebibyte)
  expect(partBytes(tebibyte)).toBe(105 * mebibyte)
  expect(partBytes(tebibyte) * 10_000).toBeGreaterThan(tebibyte)
  expect(partBytes(Number.MAX_SAFE_INTEGER)).toBe(128 * mebibyte)
})
