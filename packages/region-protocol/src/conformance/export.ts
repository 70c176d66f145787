/** Opens and makes database exports (.adb) without the region, as docs/region/formats.md describes them. */
import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { databaseExportLayout } from '../database-export.ts'
import { CheckFailed, expectEqual, expectThat } from './check.ts'

const { magic, headerBytes, checksumBytes, chunkBytesAtMost, tagBytes, lastFlag, scryptAtMost } = databaseExportLayout

/** An export with the lowest cost, without compression. */
export function writeExport(database: Buffer, password: string): Buffer {
  const [cost, salt] = [[10, 8, 1], randomBytes(16)]
  const derived = derive(password, salt, cost)
  const start = Buffer.concat([Buffer.from(magic, 'latin1'), Buffer.from(cost), salt, derived.subarray(32)])
  const header = Buffer.concat([start, createHash('sha256').update(start).digest()])
  const packed = gzipSync(database, { level: 0 })
  const parts = [header]
  for (let [at, number] = [0, 0]; at < packed.length; number += 1) {
    const content = packed.subarray(at, at + chunkBytesAtMost)
    at += content.length
    const isLast = at === packed.length
    const cipher = createCipheriv('aes-256-gcm', derived.subarray(0, 32), nonceOf(number, isLast)).setAAD(header)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(content.length + (isLast ? lastFlag : 0))
    parts.push(length, cipher.update(content), cipher.final(), cipher.getAuthTag())
  }
  return Buffer.concat(parts)
}

function derive(password: string, salt: Buffer, [n = 0, r = 0, p = 0]: number[]): Buffer {
  return scryptSync(password.normalize('NFC'), salt, 48, { N: 2 ** n, r, p, maxmem: 256 * 1024 * 1024 })
}

function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(chunk, 7)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

/** @returns the database, and the cost of scrypt that protects it */
export function readExport(bytes: Buffer, password: string): { database: Buffer; cost: number[] } {
  const header = bytes.subarray(0, headerBytes)
  expectEqual(header.subarray(0, magic.length).toString('latin1'), magic, 'the first bytes of the export')
  const start = header.subarray(0, -checksumBytes)
  const checksum = createHash('sha256').update(start).digest()
  expectThat(
    checksum.equals(header.subarray(-checksumBytes)),
    'the SHA-256 of the header in it',
    header.toString('hex'),
  )
  const cost = [...start.subarray(magic.length, magic.length + 3)]
  const [n = 0] = cost
  expectThat(
    n >= 10 && cost.every((each, at) => each <= (scryptAtMost[at] ?? 0)),
    'a cost of scrypt that is read',
    cost,
  )
  const [salt, check] = [start.subarray(9, 25), start.subarray(25)]
  const derived = derive(password, salt, cost)
  expectThat(derived.subarray(32).equals(check), 'the check of the password in the header', check.toString('hex'))
  const packed = [...chunksOf(bytes.subarray(headerBytes), derived.subarray(0, 32), header)]
  return { database: gunzipSync(Buffer.concat(packed)), cost }
}

function* chunksOf(rest: Buffer, key: Buffer, header: Buffer): Generator<Buffer> {
  let isLast = false
  for (let [at, number] = [0, 0]; !isLast; number += 1) {
    if (at + 4 > rest.length) throw new CheckFailed('expected an export with a last chunk, got one that is cut off')
    const length = rest.readUInt32BE(at)
    isLast = length >= lastFlag
    const size = isLast ? length - lastFlag : length
    const isWritten = isLast ? size >= 1 && size <= chunkBytesAtMost : size === chunkBytesAtMost
    expectThat(isWritten, `chunk ${number} of ${chunkBytesAtMost} bytes, or the last one of 1 to as many`, size)
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast), { authTagLength: tagBytes })
    decipher.setAAD(header).setAuthTag(rest.subarray(at + 4 + size, at + 4 + size + tagBytes))
    yield decipher.update(rest.subarray(at + 4, at + 4 + size))
    finish(decipher, number)
    at += 4 + size + tagBytes
    if (isLast) expectEqual(rest.length - at, 0, 'the bytes behind the last chunk')
  }
}

function finish(decipher: { final(): Buffer }, number: number): void {
  try {
    decipher.final()
  } catch {
    throw new CheckFailed(`expected chunk ${number} of the export with its tag, got another tag`)
  }
}
