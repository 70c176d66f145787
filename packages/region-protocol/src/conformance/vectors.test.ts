import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { contentOf, goodBackups, goodExports, refusedVectors, vectors } from './vectors.ts'

const sha256 = (file: string) => createHash('sha256').update(contentOf(file)).digest('hex')

it('has the files and lines that its index lists, and no others', async () => {
  const good = [...goodBackups, ...goodExports]
  expect(good.length + refusedVectors.length).toBe(vectors.length)
  const listed = [...vectors.map(({ file }) => file), ...good.map(({ lines }) => lines)]
  const found = await readdir(new URL('../../vectors/files', import.meta.url))
  expect(found.map((name) => `files/${name}`).toSorted()).toEqual(listed.toSorted())
  for (const vector of vectors) expect(sha256(vector.file), vector.file).toBe(vector.sha256)
  for (const { lines, digest } of good) expect(sha256(lines), lines).toBe(digest)
})
