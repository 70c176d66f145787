/**
 * Writes a .zip without compression: databases of hundreds of megabytes are sent as fast as they are read, and their
 * digests are taken in the same pass. Every entry has 64-bit fields, so that its size need not be known in advance.
 */
import { crc32 } from 'node:zlib'

export interface ZipContent {
  name: string
  content: AsyncIterable<Buffer> | Iterable<Buffer>
}

export async function* storedZip(entries: AsyncIterable<ZipContent>): AsyncGenerator<Buffer> {
  const written: WrittenEntry[] = []
  let position = 0
  for await (const { name, content } of entries) {
    const entry = { name: Buffer.from(name), offset: position, size: 0, crc: 0 }
    const header = localHeader(entry)
    yield header
    for await (const chunk of content) {
      entry.crc = crc32(chunk, entry.crc)
      entry.size += chunk.length
      yield chunk
    }
    const descriptor = dataDescriptor(entry)
    yield descriptor
    position += header.length + entry.size + descriptor.length
    written.push(entry)
  }
  const directory = Buffer.concat(written.map(directoryEntry))
  yield directory
  yield endOfDirectory(written.length, directory.length, position)
}

interface WrittenEntry {
  name: Buffer
  /** The position of its local header in the .zip. */
  offset: number
  size: number
  crc: number
}

/** Version 4.5 of the format introduced 64-bit fields. */
const version = 45
/** Sizes and checksum follow the content; the name is UTF-8. */
const flags = 0x0808
/** 1 January 1980, the first day that a .zip can express. The manifest has the time of the backup. */
const day = 0x0021
const inExtraField = 0xffff_ffff

function localHeader({ name }: WrittenEntry): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x0403_4b50, 0)
  header.writeUInt16LE(version, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(day, 12)
  header.writeUInt32LE(inExtraField, 18)
  header.writeUInt32LE(inExtraField, 22)
  header.writeUInt16LE(name.length, 26)
  const extra = longField([0, 0])
  header.writeUInt16LE(extra.length, 28)
  return Buffer.concat([header, name, extra])
}

function dataDescriptor({ crc, size }: WrittenEntry): Buffer {
  const descriptor = Buffer.alloc(24)
  descriptor.writeUInt32LE(0x0807_4b50, 0)
  descriptor.writeUInt32LE(crc, 4)
  descriptor.writeBigUInt64LE(BigInt(size), 8)
  descriptor.writeBigUInt64LE(BigInt(size), 16)
  return descriptor
}

function directoryEntry({ name, offset, size, crc }: WrittenEntry): Buffer {
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x0201_4b50, 0)
  // "Made on Unix" means that the attributes hold a file mode.
  entry.writeUInt16LE((3 << 8) | version, 4)
  entry.writeUInt16LE(version, 6)
  entry.writeUInt16LE(flags, 8)
  entry.writeUInt16LE(day, 14)
  entry.writeUInt32LE(crc, 16)
  entry.writeUInt32LE(inExtraField, 20)
  entry.writeUInt32LE(inExtraField, 24)
  entry.writeUInt16LE(name.length, 28)
  const extra = longField([size, size, offset])
  entry.writeUInt16LE(extra.length, 30)
  entry.writeUInt32LE((0o100644 << 16) >>> 0, 38)
  entry.writeUInt32LE(inExtraField, 42)
  return Buffer.concat([entry, name, extra])
}

function longField(values: number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(8 * values.length, 2)
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * index)
  return field
}

/** The 64-bit end record, its locator, and the old end record, which refers to them. */
function endOfDirectory(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(56 + 20 + 22)
  end.writeUInt32LE(0x0606_4b50, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE((3 << 8) | version, 12)
  end.writeUInt16LE(version, 14)
  end.writeBigUInt64LE(BigInt(count), 24)
  end.writeBigUInt64LE(BigInt(count), 32)
  end.writeBigUInt64LE(BigInt(size), 40)
  end.writeBigUInt64LE(BigInt(offset), 48)
  end.writeUInt32LE(0x0706_4b50, 56)
  end.writeBigUInt64LE(BigInt(offset + size), 64)
  end.writeUInt32LE(1, 72)
  end.writeUInt32LE(0x0605_4b50, 76)
  end.writeUInt16LE(0xffff, 84)
  end.writeUInt16LE(0xffff, 86)
  end.writeUInt32LE(inExtraField, 88)
  end.writeUInt32LE(inExtraField, 92)
  return end
}
