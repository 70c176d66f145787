/** What was digested while a backup arrived counts exactly as far as it is what the central directory points at. */
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { manifestOf } from '../../../test/craft-backup.ts'
import { craftStreamedZip, type StreamedEntry } from '../../../test/craft-streamed-zip.ts'
import { craftZip } from '../../../test/craft-zip.ts'
import { type ByteSource, compareFiles, inspectBackup } from './inspect-backup.ts'
import { createPassedFiles, type PassedFiles } from './passed-files.ts'

const signal = new AbortController().signal
const system = database(3)
const main = database(40)
const second = database(7)
const files = { 'system.db': system, 'databases/main.db': main, 'databases/second.db': second }
const manifest = { name: 'manifest.json', content: Buffer.from(JSON.stringify(manifestOf(files))) }
const entries = Object.entries(files).map(([name, content]) => ({ name, content }))

describe('a backup as regions write it', () => {
  it.each([1, 7, 29, 30, 31, 100, 4096, 65_536, 1_000_000])(
    'is not read again, arriving in pieces of %s',
    async (bytes) => {
      const content = craftStreamedZip([...entries, manifest])
      expect(await compare(content, new Map())).toEqual({ verdict: 'as it should be', contentsRead: 3 })
      const passed = pass(content, bytes)
      expect([...passed.values()]).toEqual(
        Object.values(files).map((each) => ({ size: each.length, sha256: sha256(each) })),
      )
      expect(await compare(content, passed)).toEqual({ verdict: 'as it should be', contentsRead: 0 })
    },
  )

  it('is not read again when its headers tell the sizes', async () => {
    const content = craftZip([manifest, ...entries].map((each) => ({ ...each, compressed: false })))
    expect(await compare(content, pass(content))).toEqual({ verdict: 'as it should be', contentsRead: 0 })
  })

  it('is refused when a file is not that of the manifest', async () => {
    const changed = entries.map((each) => ({ ...each, content: Buffer.from(each.content) }))
    changed[1]?.content.fill(1, 5000, 5001)
    const content = craftStreamedZip([...changed, manifest])
    expect(await compare(content, pass(content))).toEqual({ verdict: 'wrong-file-content', contentsRead: 0 })
  })
})

describe('any other archive gets the verdict that it gets when it is read', () => {
  const other = Buffer.concat([main.subarray(0, 4096), randomBytes(main.length - 4096)])
  const within = craftStreamedZip([{ name: 'databases/main.db', content: other }]).subarray(0, -100)
  const hiding = Buffer.concat([main.subarray(0, 8192), within, main.subarray(8192 + within.length)])
  const cases: Record<string, StreamedEntry[]> = {
    'whose first page tells another number of pages': [{ name: 'system.db', content: withPages(system, 2) }],
    'whose first page tells more than there is': [{ name: 'system.db', content: withPages(system, 4_000_000_000) }],
    'whose directory says fewer bytes': [
      { name: 'system.db', content: system, directory: { size: system.length - 1 } },
    ],
    'whose directory points elsewhere': [{ name: 'system.db', content: system, directory: { offset: 1 } }],
    'with another descriptor': [{ name: 'system.db', content: system, descriptor: 7 }],
    'with a file that is no database': [{ name: 'system.db', content: Buffer.from('x'.repeat(300)) }],
    'with a small file': [{ name: 'system.db', content: Buffer.from('x') }],
    'with an empty file': [{ name: 'system.db', content: Buffer.alloc(0) }],
    'with an archive in a file': [{ name: 'system.db', content: hiding }],
  }
  it.each(Object.entries(cases))('%s', async (_, [first]) => {
    for (const stated of [first?.content ?? system, system]) {
      const listed = { ...files, 'system.db': stated }
      const said = { ...manifest, content: Buffer.from(JSON.stringify(manifestOf(listed))) }
      const content = craftStreamedZip([first as StreamedEntry, ...entries.slice(1), said])
      const read = await compare(content, new Map())
      expect((await compare(content, pass(content))).verdict).toBe(read.verdict)
    }
  })

  it('that points into the content of another entry', async () => {
    const carrier = { name: 'databases/second.db', content: hiding }
    const first = craftStreamedZip([{ name: 'system.db', content: system }, carrier])
    const inside = first.indexOf(within)
    const pointing = { name: 'databases/main.db', content: main, directory: { offset: inside, size: other.length } }
    for (const stated of [main, other]) {
      const listed = { 'system.db': system, 'databases/second.db': hiding, 'databases/main.db': stated }
      const said = { ...manifest, content: Buffer.from(JSON.stringify(manifestOf(listed))) }
      const content = craftStreamedZip([{ name: 'system.db', content: system }, carrier, pointing, said])
      const read = await compare(content, new Map())
      expect((await compare(content, pass(content))).verdict).toBe(read.verdict)
    }
  })
})

/** A database of so many pages of 4096 bytes, as far as its header goes. */
function database(pages: number): Buffer {
  const content = randomBytes(pages * 4096)
  content.write('SQLite format 3\0', 0, 'latin1')
  content.writeUInt16BE(4096, 16)
  return withPages(content, pages)
}

function withPages(content: Buffer, pages: number): Buffer {
  const changed = Buffer.from(content)
  changed.writeUInt32BE(pages, 28)
  return changed
}

function pass(content: Buffer, bytes = 65_536): PassedFiles {
  const { pass, found } = createPassedFiles()
  for (let from = 0; from < content.length; from += bytes) pass(content.subarray(from, from + bytes))
  return found
}

/** @returns the code of the refusal, and how often more was read than a header */
async function compare(content: Buffer, passed: PassedFiles) {
  let contentsRead = 0
  const source: ByteSource = {
    size: content.length,
    open: async ({ start, end }) => {
      const isContent = [...entries.map((each) => each.content)].some((each) => end - start + 1 === each.length)
      if (isContent) contentsRead += 1
      return Readable.from([content.subarray(start, end + 1)])
    },
  }
  const verdict = await inspectBackup(source)
    .then((found) => {
      contentsRead = 0
      return compareFiles(source, found, 1, signal, passed)
    })
    .then(() => 'as it should be')
    .catch((error: { code?: string }) => error.code)
  return { verdict, contentsRead }
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
