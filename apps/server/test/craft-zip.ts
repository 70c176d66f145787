/** Writes .zip files byte by byte, so that any of their fields can be wrong. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  name: string
  /** Zeros are stored uncompressed, with a wrong checksum. */
  content: Buffer | string | { zeros: number }
  /** Default true. */
  compressed?: boolean
  /** The Unix file mode, for example 0o120777 for a symbolic link. */
  mode?: number
  isEncrypted?: boolean
  /** Default true. False: the flag of names in UTF-8 is left out. */
  saysUtf8?: boolean
  /** Another method than the one with which it is packed. */
  method?: number
  /** Extra field and comment, only in the central directory, each at most 65,535 bytes. */
  extra?: Buffer
  comment?: Buffer
}

const none = Buffer.alloc(0)

export function craftZip(entries: ZipEntry[]): Buffer {
  return Buffer.concat([...zipPieces(entries)])
}

/** Yields the archive piece by piece, for archives that are too large for the memory. */
export function* zipPieces(entries: ZipEntry[]): Generator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const packed = packedOf(entry)
    const name = Buffer.from(entry.name)
    const fields = fieldsOf(entry, packed, name)
    const local = Buffer.concat([uint32(0x04034b50), fields, name])
    const mode = uint32(((entry.mode ?? 0o100644) << 16) >>> 0)
    const { extra = none, comment = none } = entry
    const lengths = [uint16(extra.length), uint16(comment.length)]
    const begin = [uint32(0x02014b50), uint16(0x031e), fields.subarray(0, -2), ...lengths]
    // The four zero bytes are the disk number and the internal attributes.
    directory.push(Buffer.concat([...begin, Buffer.alloc(4), mode, uint32(offset), name, extra, comment]))
    yield local
    if (Buffer.isBuffer(packed)) yield packed
    else yield* zeros(packed.zeros)
    offset += local.length + lengthOf(packed)
  }
  const central = Buffer.concat(directory)
  const counts = [uint16(0), uint16(0), uint16(entries.length), uint16(entries.length)]
  yield central
  yield Buffer.concat([uint32(0x06054b50), ...counts, uint32(central.length), uint32(offset), uint16(0)])
}

function packedOf({ content, compressed }: ZipEntry): Buffer | { zeros: number } {
  if (typeof content === 'object' && 'zeros' in content) return content
  return compressed === false ? Buffer.from(content) : deflateRawSync(content)
}

function lengthOf(content: ZipEntry['content']): number {
  return typeof content === 'object' && 'zeros' in content ? content.zeros : Buffer.byteLength(content)
}

function* zeros(count: number): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024)
  for (let left = count; left > 0; left -= piece.length) yield piece.subarray(0, left)
}

/** The fields that the local header and the central directory share: 'version needed' to 'extra field length'. */
function fieldsOf(entry: ZipEntry, packed: Buffer | { zeros: number }, name: Buffer): Buffer {
  const { content } = entry
  const isStored = entry.compressed === false || !Buffer.isBuffer(packed)
  const flags = (entry.saysUtf8 === false ? 0 : 0x0800) | (entry.isEncrypted === true ? 1 : 0)
  return Buffer.concat([
    uint16(20),
    uint16(flags),
    uint16(entry.method ?? (isStored ? 0 : 8)),
    uint32(0),
    uint32(typeof content === 'object' && 'zeros' in content ? 0 : crc32(content)),
    uint32(lengthOf(packed)),
    uint32(lengthOf(content)),
    uint16(name.length),
    uint16(0),
  ])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
