/** A store that sends more than it was asked for. */
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LyingStore, startLyingStore } from '../../../test/lying-store.ts'
import { Secret } from '../secrets.ts'
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
