import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { craftBackup, manifestOf } from '../../../test/craft-backup.ts'
import { craftZip } from '../../../test/craft-zip.ts'
import { type ByteSource, compareFiles, inspectBackup } from './inspect-backup.ts'

/** A database of repetitions: it shrinks a lot. */
const repeated = Buffer.alloc(4_000_000, 'not much of it, and again: ')
const signal = new AbortController().signal

test('files that have more together than an upload may have are not read, however well they pack', async () => {
  const source = sourceOf(craftBackup({ 'system.db': 'system', 'databases/a.db': repeated }))
  const found = await inspectBackup(source)
  await compareFiles(source, found, 1, signal)
  const many = Array.from({ length: 300 }, (_, n) => ({
    path: `databases/n${n}.db`,
    size: repeated.length,
    sha256: '',
  }))
  const refusal = await compareFiles(
    source,
    { ...found, manifest: { ...found.manifest, files: many } },
    1,
    signal,
  ).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'unpacks-too-large', params: { size: '1.1 GiB', limit: '1 GiB' } })
})

test('a genuine backup of more than 1 GiB that packs several hundred to one is read to its end', async () => {
  const emptyPages = Buffer.alloc(8 * 1024 ** 2)
  for (let at = 0; at < emptyPages.length; at += 4096) emptyPages.writeUInt32LE((at * 2_654_435_761) >>> 0, at)
  const databases = Array.from({ length: 130 }, (_, n) => [`databases/n${n}.db`, emptyPages] as const)
  const source = sourceOf(craftBackup({ 'system.db': 'system', ...Object.fromEntries(databases) }))
  expect((130 * emptyPages.length) / source.size).toBeGreaterThan(200)
  const found = await inspectBackup(source)
  await compareFiles(source, found, 2 * 1024 ** 3, signal)
})

test('names that macOS took apart, in UTF-8 without saying so, are those of the manifest, but none comes twice', async () => {
  const files = { 'system.db': 'system', 'databases/Über.db': 'x' }
  const contents = Object.entries({ ...files, 'manifest.json': JSON.stringify(manifestOf(files)) })
  const entries = contents.map(([name, content]) => ({ name: name.normalize('NFD'), content, saysUtf8: false }))
  const found = await inspectBackup(sourceOf(craftZip(entries)))
  expect(found.contents.databases).toEqual(['Über'])
  await compareFiles(sourceOf(craftZip(entries)), found, 1, signal)
  const twice = craftZip([...entries, { name: 'databases/Über.db', content: 'x' }])
  await expect(inspectBackup(sourceOf(twice))).rejects.toMatchObject({ code: 'wrong-file-content' })
})

function sourceOf(content: Buffer): ByteSource {
  return {
    size: content.length,
    open: async ({ start, end }) => Readable.from([content.subarray(start, end + 1)]),
  }
}
