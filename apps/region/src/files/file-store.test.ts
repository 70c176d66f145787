import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFileStore } from './file-store.ts'
import { writeHashed } from './sha256-of-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roomkeeper-files-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const writing = (text: string) => (path: string) =>
  writeHashed(Readable.from([Buffer.from(text)]), path, new AbortController().signal)

test('a file goes two days after it was last used', async () => {
  const files = await openFileStore(folder)
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  const produce = async (id: string) => {
    await files.produce(id, writing(id))
    await utimes(join(folder, 'files', id, 'meta.json'), hoursAgo(49), hoursAgo(49))
  }
  for (const id of ['unused', 'used']) await produce(id)
  await files.produce('young', writing('young'))
  await files.contentOf('used')
  await files.removeUnused()
  expect(await files.find('unused')).toBeUndefined()
  expect((await files.find('used'))?.complete).toBe(true)
  expect((await files.find('young'))?.complete).toBe(true)
})

test('what is still being made is not removed, however long that takes', async () => {
  const files = await openFileStore(folder)
  await files.produce('slow', async (path) => {
    const made = await writing('slow')(path)
    const longAgo = new Date(Date.now() - 49 * 3_600_000)
    await utimes(dirname(path), longAgo, longAgo)
    await files.removeUnused()
    return made
  })
  expect((await files.find('slow'))?.complete).toBe(true)
})

test('what could not be produced leaves nothing, and what was produced again replaces the former', async () => {
  const files = await openFileStore(folder)
  const failing = files.produce('failed', async (path) => {
    await writeFile(path, 'half')
    throw new Error('no more')
  })
  await expect(failing).rejects.toThrow('no more')
  expect(await files.find('failed')).toBeUndefined()
  await files.produce('twice', writing('first'))
  const { size } = await files.produce('twice', writing('the second'))
  const { path, sha256 } = await files.contentOf('twice')
  expect([size, await readFile(path, 'utf8')]).toEqual([10, 'the second'])
  expect(sha256).toMatch(/^[0-9a-f]{64}$/)
})
