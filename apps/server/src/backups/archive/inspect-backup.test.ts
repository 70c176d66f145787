import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { craftBackup } from '../../../test/craft-backup.ts'
import type { ByteSource } from './byte-source.ts'
import { compareFiles, inspectBackup } from './inspect-backup.ts'

/** A database of repetitions: it shrinks a lot. */
const repeated = Buffer.alloc(4_000_000, 'not much of it, and again: ')
const signal = new AbortController().signal

test('files that expand beyond what databases do are not read to the end, however many they are', async () => {
  const source = sourceOf(craftBackup({ 'system.db': 'system', 'databases/a.db': repeated }))
  const { manifest } = await inspectBackup(source)
  await compareFiles(source, manifest, signal)
  const many = Array.from({ length: 300 }, (_, n) => ({
    path: `databases/n${n}.db`,
    size: repeated.length,
    sha256: '',
  }))
  const refusal = await compareFiles(source, { ...manifest, files: many }, signal).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'wrong-file-content' })
})

function sourceOf(content: Buffer): ByteSource {
  return {
    size: content.length,
    open: async ({ start, end }) => Readable.from([content.subarray(start, end + 1)]),
  }
}
