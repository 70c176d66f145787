import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { watchFiles } from '#disk/files.ts'
import { openFileStore } from './file-store.ts'
import { createUploads } from './uploads.ts'

const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-uploads-'))
afterEach(() => watchFiles(null))
afterAll(() => rm(folder, { recursive: true }))

const megabyte = 1 << 20
const size = 100 * megabyte
const chunks = Array.from({ length: 100 }, (_, index) => Buffer.alloc(megabyte, index))
const sha256 = createHash('sha256').update(Buffer.concat(chunks)).digest('hex')
const upload = (firstByte = 0) => ({
  size,
  sha256,
  firstByte,
  content: Readable.from(chunks.slice(firstByte / megabyte), { objectMode: false }),
})
const partOf = (id: string) => join(folder, 'files', id, 'part')
const metaOf = (id: string) => join(folder, 'files', id, 'meta.json')
const syncedOf = (id: string) => Number(JSON.parse(readFileSync(metaOf(id), 'utf8')).synced)

test('no byte of an upload counts before it was written and synced', async () => {
  const files = await openFileStore(folder)
  const counts: { synced: number; whenSyncBegan: number }[] = []
  let whenSyncBegan = 0
  let whenSyncEnded = 0
  watchFiles({
    before({ call, path }) {
      if (call === 'sync' && path === partOf('counted')) whenSyncBegan = statSync(path).size
    },
    after({ call, path }) {
      if (call === 'sync' && path === partOf('counted')) whenSyncEnded = whenSyncBegan
      if (call === 'rename' && path === metaOf('counted'))
        counts.push({ synced: syncedOf('counted'), whenSyncBegan: whenSyncEnded })
    },
  })
  expect(await createUploads(files).receive('counted', upload())).toMatchObject({ complete: true, received: size })
  expect(counts.length).toBeGreaterThanOrEqual(2)
  for (const { synced, whenSyncBegan: written } of counts) expect(synced).toBeLessThanOrEqual(written)
  const { path } = await files.contentOf('counted')
  expect((await readFile(path)).equals(Buffer.concat(chunks))).toBe(true)
})

test('when a sync fails while more arrives, only what counted before stays, and the upload goes on from there', async () => {
  const files = await openFileStore(folder)
  const uploads = createUploads(files)
  let syncs = 0
  let countedBefore = 0
  watchFiles({
    before({ call, path }) {
      if (call !== 'sync' || path !== partOf('failing')) return
      syncs += 1
      // Those after it succeed, as on Linux.
      if (syncs === 2) throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'fsync' })
    },
    after({ call, path }) {
      if (call === 'rename' && path === metaOf('failing') && syncs === 1) countedBefore = syncedOf('failing')
    },
  })
  await expect(uploads.receive('failing', upload())).rejects.toThrow('EIO')
  const received = (await files.find('failing'))?.received ?? 0
  expect(countedBefore).toBeGreaterThanOrEqual(32 * megabyte)
  expect(received).toBe(countedBefore)
  expect(await uploads.receive('failing', upload(received))).toMatchObject({ complete: true })
  const { path } = await files.contentOf('failing')
  expect((await readFile(path)).equals(Buffer.concat(chunks))).toBe(true)
})

test('an upload of unknown content that hardly gets on is given up and leaves nothing, and one that gets on is not', async () => {
  const files = await openFileStore(folder)
  const slowest = { bytes: 1000, seconds: 0.2 }
  const content = Buffer.alloc(10_000, 1)
  const whole = Buffer.concat([content, createHash('sha256').update(content).digest()])
  async function* inPiecesOf(bytes: number) {
    for (let from = 0; from < whole.byteLength; from += bytes) {
      yield whole.subarray(from, from + bytes)
      await sleep(20)
    }
  }
  const receive = (id: string, bytes: number) =>
    createUploads(files).receiveUnknown(id, {
      sizeAtMost: content.byteLength,
      content: Readable.from(inPiecesOf(bytes), { objectMode: false }),
      slowest,
    })
  await expect(receive('creeping', 10)).rejects.toMatchObject({ code: 'too-slow' })
  expect(await files.find('creeping')).toBeUndefined()
  expect(await receive('slow', 500)).toMatchObject({ complete: true })
})
