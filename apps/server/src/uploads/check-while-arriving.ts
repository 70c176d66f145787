/** Checks a file while it arrives, so that an upload of the wrong kind ends at once. */
import { createHash } from 'node:crypto'
import { databaseExportLayout as layout } from '@roomkeeper/region-protocol'
import { refuse, refuseFile } from '#platform/refuse.ts'

type Content = AsyncIterable<Uint8Array>

const firstOfZip = 'PK\x03\x04'
const firstOfEmptyZip = 'PK\x05\x06'

/** Passes on a .zip. @throws Refusal `wrong-file`, `no-upload-content` */
export async function* passZip(content: Content): AsyncGenerator<Uint8Array> {
  let first = ''
  for await (const bytes of content) {
    if (first.length < firstOfZip.length) {
      first += Buffer.from(bytes.subarray(0, firstOfZip.length - first.length)).toString('latin1')
      if (first === firstOfEmptyZip) throw refuse('no-upload-content')
      if (!firstOfZip.startsWith(first) && !firstOfEmptyZip.startsWith(first))
        throw refuseFile('wrong-file', 'zip-none')
    }
    yield bytes
  }
  if (first !== firstOfZip) throw refuseFile('wrong-file', 'zip-none')
}

/** Passes on a database export. @throws Refusal `wrong-file` if it is not one, is incomplete, or has extra bytes */
export async function* passDatabaseExport(content: Content): AsyncGenerator<Uint8Array> {
  const walk = createExportWalk()
  for await (const bytes of content) {
    walk.pass(bytes)
    yield bytes
  }
  if (!walk.isAtEnd()) throw refuseFile('wrong-file', walk.hasBegun() ? 'export-damaged' : 'export-none')
}

/** Walks over the chunks by their lengths alone, because their content cannot be read without the password. */
function createExportWalk() {
  let held = Buffer.alloc(0)
  let awaited: 'header' | 'chunk' | 'end' = 'header'
  let skip = 0

  function take(bytes: Uint8Array): Uint8Array {
    if (skip > 0) {
      const skipped = Math.min(skip, bytes.length)
      skip -= skipped
      return bytes.subarray(skipped)
    }
    if (awaited === 'end') throw refuseFile('wrong-file', 'export-damaged')
    const wanted = awaited === 'header' ? layout.headerBytes : 4
    const missing = wanted - held.length
    held = Buffer.concat([held, bytes.subarray(0, missing)])
    if (awaited === 'header') checkHeader(held)
    if (held.length === wanted) {
      if (awaited === 'chunk') startChunk(held.readUInt32BE())
      else awaited = 'chunk'
      held = Buffer.alloc(0)
    }
    return bytes.subarray(missing)
  }

  function startChunk(start: number): void {
    const isLast = start >= layout.lastFlag
    const length = isLast ? start - layout.lastFlag : start
    if (length > layout.chunkBytesAtMost) throw refuseFile('wrong-file', 'export-damaged')
    skip = length + layout.tagBytes
    if (isLast) awaited = 'end'
  }

  return {
    pass(bytes: Uint8Array): void {
      for (let rest = bytes; rest.length > 0; ) rest = take(rest)
    },
    hasBegun: () => awaited !== 'header' || held.length >= layout.magic.length,
    isAtEnd: () => awaited === 'end' && skip === 0,
  }
}

/** Checks as much of the header as has arrived. */
function checkHeader(header: Buffer): void {
  const magic = Buffer.from(layout.magic, 'latin1').subarray(0, header.length)
  if (!header.subarray(0, magic.length).equals(magic)) throw refuseFile('wrong-file', 'export-none')
  if (header.length < layout.headerBytes) return
  // A file whose scrypt parameters demand more work than any of ours was crafted to keep a region busy.
  const asksForMore = layout.scryptAtMost.some((most, index) => (header[layout.magic.length + index] ?? 0) > most)
  if (asksForMore) throw refuseFile('wrong-file', 'export-none')
  const checked = header.subarray(0, -layout.checksumBytes)
  const found = createHash('sha256').update(checked).digest()
  if (!found.equals(header.subarray(checked.length))) throw refuseFile('wrong-file', 'export-damaged')
}
