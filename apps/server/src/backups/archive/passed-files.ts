/**
 * Takes the SHA-256 of the files in a .zip while it arrives, so that they need not be read again. It follows archives
 * as regions write them: local header, content without compression, data descriptor, the next header. The data
 * descriptor after a content says where it ends; SQLite's header or the local header says so in advance. An unknown
 * sender may have written either, so the walk proves nothing by itself: what is found here is the digest of a range of
 * bytes, and counts only for an entry of the central directory whose content is exactly that range (see
 * `compareFiles`). At anything else the walk ends, and the rest is read from the store.
 */
import { createHash, type Hash } from 'node:crypto'

/** The bytes that follow a local header. */
export interface PassedFile {
  /** In bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
}

/** The keys are the positions of the local headers in the .zip. */
export type PassedFiles = ReadonlyMap<number, PassedFile>

const localHeader = { signature: 0x0403_4b50, bytes: 30 }
/** With sizes of 64 bits, as regions write it. */
const descriptor = { signature: 0x0807_4b50, bytes: 24 }
const sqlite = { magic: 'SQLite format 3\0', headerBytes: 100 }
const entriesAtMost = 10_100
const inExtraField = 0xffff_ffff

interface WalkedEntry {
  headerAt: number
  hasDescriptor: boolean
  /** From the local header; null: it is not there. */
  size: number | null
}

/** What the walk waits for: so many bytes together, bytes that it passes over, or a content that it hashes. */
type Awaited =
  | { what: 'header' | 'sqlite-header' | 'descriptor'; bytes: number }
  | { what: 'names'; left: number }
  | { what: 'content'; left: number; size: number; hash: Hash }

export function createPassedFiles(): { pass(bytes: Uint8Array): void; found: PassedFiles } {
  const found = new Map<number, PassedFile>()
  let awaited: Awaited | null = { what: 'header', bytes: localHeader.bytes }
  let held = Buffer.alloc(0)
  let position = 0
  let entry: WalkedEntry = { headerAt: 0, hasDescriptor: false, size: null }

  /** @returns how many of the bytes it took */
  function take(bytes: Uint8Array, now: Awaited): number {
    if (now.what === 'names' || now.what === 'content') {
      const part = bytes.subarray(0, now.left)
      now.left -= part.length
      if (now.what === 'content') now.hash.update(part)
      if (now.left === 0) awaited = now.what === 'names' ? afterNames() : afterContent(now)
      return part.length
    }
    const part = bytes.subarray(0, now.bytes - held.length)
    held = Buffer.concat([held, part])
    if (held.length < now.bytes) return part.length
    const whole = held
    held = Buffer.alloc(0)
    if (now.what === 'header') awaited = afterHeader(whole, position + part.length - whole.length)
    else if (now.what === 'descriptor') awaited = afterDescriptor(whole)
    else awaited = contentFrom(whole, sizeOfSqlite(whole))
    return part.length
  }

  function afterHeader(header: Buffer, headerAt: number): Awaited | null {
    const isStored = header.readUInt32LE(0) === localHeader.signature && header.readUInt16LE(8) === 0
    if (!isStored || found.size >= entriesAtMost) return null
    const hasDescriptor = (header.readUInt16LE(6) & 0x0008) !== 0
    const size = header.readUInt32LE(22)
    entry = { headerAt, hasDescriptor, size: hasDescriptor || size === inExtraField ? null : size }
    const left = header.readUInt16LE(26) + header.readUInt16LE(28)
    return left === 0 ? afterNames() : { what: 'names', left }
  }

  function afterNames(): Awaited | null {
    if (entry.size === null) return { what: 'sqlite-header', bytes: sqlite.headerBytes }
    return contentFrom(Buffer.alloc(0), entry.size)
  }

  /** @param first the beginning of the content, which has passed already */
  function contentFrom(first: Buffer, size: number | null): Awaited | null {
    if (size === null || size < first.length) return null
    const content = {
      what: 'content',
      left: size - first.length,
      size,
      hash: createHash('sha256').update(first),
    } as const
    return content.left === 0 ? afterContent(content) : { ...content }
  }

  function afterContent({ size, hash }: { size: number; hash: Hash }): Awaited {
    found.set(entry.headerAt, { size, sha256: hash.digest('hex') })
    if (!entry.hasDescriptor) return { what: 'header', bytes: localHeader.bytes }
    return { what: 'descriptor', bytes: descriptor.bytes }
  }

  function afterDescriptor(bytes: Buffer): Awaited | null {
    if (bytes.readUInt32LE(0) !== descriptor.signature) return null
    return { what: 'header', bytes: localHeader.bytes }
  }

  return {
    found,
    pass(bytes) {
      for (let from = 0; from < bytes.length && awaited !== null; ) {
        const taken = take(bytes.subarray(from), awaited)
        from += taken
        position += taken
      }
    },
  }
}

/** Null: it is no database, or one that does not say how many pages it has. */
function sizeOfSqlite(header: Buffer): number | null {
  if (header.toString('latin1', 0, sqlite.magic.length) !== sqlite.magic) return null
  const pageBytes = header.readUInt16BE(16)
  const pages = header.readUInt32BE(28)
  return pages === 0 ? null : pages * (pageBytes === 1 ? 65_536 : pageBytes)
}
