/** A sandbox task: decrypts a database export (.adb) that came from outside. */
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { refuseWithoutSpace, refusingWhenFull } from '#disk/free-space.ts'
import { refuse } from '#refusals.ts'
import type { Report } from '#sandbox/report.ts'
import { importDatabase } from './database-export.ts'

export interface ExportToOpen {
  from: string
  /** The path of the new database file. */
  to: string
  password: string
}

/** @throws {Refusal} 'wrong-content', 'wrong-password', 'damaged-file', 'storage-full' */
export async function openExport({ from, to, password }: ExportToOpen, report: Report): Promise<void> {
  const { size } = await stat(from)
  await importDatabase(from, to, password, new AbortController().signal, (content) =>
    reporting(refusingWhenFull(bounded(content, size, dirname(to)), dirname(to)), size, report),
  )
}

/** The content may be this many times as large as the export, and `bytesAlways` more. */
const growthAtMost = 1000
const bytesAlways = 64 * 1024 * 1024

/** Refuses content that is not a SQLite database, grows too much, or is longer than its header says. */
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

/** The database's length according to its header; null: an old program wrote it, without one. @throws {Refusal} */
function announcedBytes(header: Buffer): number | null {
  if (!header.subarray(0, magic.length).equals(magic))
    throw refuse('wrong-content', { reason: 'it does not hold a database.' })
  const reported = header.readUInt16BE(16)
  const pageBytes = reported === 1 ? 65536 : reported
  const pages = header.readUInt32BE(28)
  const isCurrent = header.readUInt32BE(24) === header.readUInt32BE(92)
  return isCurrent && pages > 0 ? pageBytes * pages : null
}

async function* reporting(content: AsyncIterable<Buffer>, packedBytes: number, report: Report): AsyncGenerator<Buffer> {
  let bytes = 0
  let unreported = 0
  for await (const chunk of content) {
    yield chunk
    bytes += chunk.byteLength
    unreported += chunk.byteLength
    if (unreported < reportsEveryBytes) continue
    // The final size is unknown, so the progress approaches 1 without reaching it.
    report(bytes / (bytes + packedBytes))
    unreported = 0
  }
}

const reportsEveryBytes = 4 * 1024 * 1024
