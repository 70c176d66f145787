/** Writes .zip files as regions do: stored, with sizes of 64 bits that follow each content; any of it can be wrong. */
import { crc32 } from 'node:zlib'

export interface StreamedEntry {
  name: string
  content: Buffer
  /** Replaces the signature of the data descriptor. */
  descriptor?: number
  /** What the central directory says instead. */
  directory?: { size?: number; offset?: number }
}

export function craftStreamedZip(entries: StreamedEntry[]): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, descriptor = 0x0807_4b50, directory: said } of entries) {
    const written = [
      header(name),
      content,
      numbers([4, descriptor], [4, crc32(content)], [8, content.length], [8, content.length]),
    ]
    pieces.push(...written)
    const size = said?.size ?? content.length
    directory.push(directoryEntry(name, crc32(content), size, said?.offset ?? offset))
    offset += Buffer.concat(written).length
  }
  const central = Buffer.concat(directory)
  const end = [
    [4, 0x0605_4b50],
    [4, 0],
    [2, entries.length],
    [2, entries.length],
    [4, central.length],
    [4, offset],
    [2, 0],
  ] as const
  return Buffer.concat([...pieces, central, numbers(...end)])
}

function header(name: string): Buffer {
  const extra = numbers([2, 1], [2, 16], [8, 0], [8, 0])
  const common = [
    [2, 45],
    [2, 0x0808],
    [2, 0],
    [2, 0],
    [2, 0x21],
    [4, 0],
    [4, 0xffff_ffff],
    [4, 0xffff_ffff],
  ] as const
  return Buffer.concat([
    numbers([4, 0x0403_4b50], ...common, [2, name.length], [2, extra.length]),
    Buffer.from(name),
    extra,
  ])
}

function directoryEntry(name: string, crc: number, size: number, offset: number): Buffer {
  const common = [
    [2, 0x032d],
    [2, 45],
    [2, 0x0808],
    [2, 0],
    [2, 0],
    [2, 0x21],
    [4, crc],
    [4, size],
    [4, size],
  ] as const
  const rest = [
    [2, name.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, (0o100644 << 16) >>> 0],
    [4, offset],
  ] as const
  return Buffer.concat([numbers([4, 0x0201_4b50], ...common, ...rest), Buffer.from(name)])
}

/** Little-endian, each with its length in bytes. */
function numbers(...values: readonly (readonly [2 | 4 | 8, number])[]): Buffer {
  return Buffer.concat(
    values.map(([bytes, value]) => {
      const written = Buffer.alloc(bytes)
      if (bytes === 8) written.writeBigUInt64LE(BigInt(value))
      else written.writeUIntLE(value, 0, bytes)
      return written
    }),
  )
}
