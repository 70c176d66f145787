/** Opens a database export (.adb) that came from outside, in the process for work apart. */
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Report } from '#apart/tasks.ts'
import { refuseWithoutSpace, whileThereIsSpace } from '#disk/free-space.ts'
import { refuse } from '#refusals.ts'
import { importDatabase } from './database-export.ts'

export interface ExportToOpen {
  from: string
  /** The database file to be. */
  to: string
  password: string
}

/** @throws {Refusal} 'wrong-content', 'wrong-password', 'damaged-file', 'storage-full' */
export async function openExport({ from, to, password }: ExportToOpen, report: Report): Promise<void> {
  const { size } = await stat(from)
  await importDatabase(from, to, password, new AbortController().signal, (content) =>
    reporting(whileThereIsSpace(bounded(content, size, dirname(to)), dirname(to)), size, report),
  )
}

/** What comes out of it is at most so many times larger, beyond what may always come out. */
const growthAtMost = 1000
const bytesAlways = 64 * 1024 * 1024

/** Ends what is no SQLite database, grows too much, or goes on behind the length that it tells at its beginning. */
async function* bounded(content: AsyncIterable<Buffer>, packedBytes: number, folder: string): AsyncGenerator<Buffer> {
  let bytesAtMost = bytesAlways + growthAtMost * packedBytes
  let bytes = 0
  let start: Buffer | null = Buffer.alloc(0)
  for await (const chunk of content) {
    bytes += chunk.byteLength
    if (start === null) {
      if (bytes > bytesAtMost) throw refuse('wrong-content', { reason: 'it would grow too much.' })
      yield chunk
      continue
    }
    start = Buffer.concat([start, chunk])
    if (start.length < headerBytes) continue
    const announced = announcedBytes(start)
    if (announced !== null) {
      await refuseWithoutSpace(folder, announced)
      bytesAtMost = Math.min(bytesAtMost, announced)
    }
    yield start
    start = null
  }
  if (start !== null) throw refuse('wrong-content', { reason: 'it does not hold a database.' })
}

const headerBytes = 100
const magic = Buffer.from('SQLite format 3\0', 'latin1')

/** Of the whole database, from its header; null: an old program wrote it, which does not tell. @throws {Refusal} */
function announcedBytes(header: Buffer): number | null {
  if (!header.subarray(0, magic.length).equals(magic))
    throw refuse('wrong-content', { reason: 'it does not hold a database.' })
  const told = header.readUInt16BE(16)
  const pageBytes = told === 1 ? 65536 : told
  const pages = header.readUInt32BE(28)
  const isCurrent = header.readUInt32BE(24) === header.readUInt32BE(92)
  return isCurrent && pages > 0 ? pageBytes * pages : null
}

async function* reporting(content: AsyncIterable<Buffer>, packedBytes: number, report: Report): AsyncGenerator<Buffer> {
  let bytes = 0
  let untold = 0
  for await (const chunk of content) {
    yield chunk
    bytes += chunk.byteLength
    untold += chunk.byteLength
    if (untold < tellsEveryBytes) continue
    // How large it will be is not known: it comes near to the end, and never there.
    report(bytes / (bytes + packedBytes))
    untold = 0
  }
}

const tellsEveryBytes = 4 * 1024 * 1024
