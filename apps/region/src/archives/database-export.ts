/**
 * Database exports (.adb): one SQLite database, compressed, then encrypted in chunks under a password.
 * ```
 * header   'RKADB' 1 · log2 N, r, p of scrypt (1 byte each) · salt (16) · check (16) · SHA-256 of the above (32)
 * chunks   length (4 bytes, the highest bit is set in the last chunk) · ciphertext · tag (16)
 * ```
 * scrypt gives 48 bytes: the key of AES-256-GCM, then the check, which tells a wrong password from a damaged file. The
 * nonce is the chunk's number, and its last byte is 1 in the last chunk, so chunks cannot be dropped, doubled or moved
 * unnoticed. The salt is random, so a key is never used twice. The header is authenticated with every chunk.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip, createGzip } from 'node:zlib'
import { databaseExportLayout } from '@roomkeeper/region-protocol'
import { readStream } from '#disk/files.ts'
import { writePieces } from '#files/sha256-of-file.ts'
import { refuse } from '#refusals.ts'

/**
 * The cost of scrypt. Ours takes about 0.3 s and 128 MB per export; a file that asks for more was made to exhaust the
 * region.
 */
type ScryptCost = readonly [log2N: number, r: number, p: number]

/** Reads the database file and writes the export. */
export async function exportDatabase(
  from: string,
  to: string,
  password: string,
  signal: AbortSignal,
  cost: ScryptCost = scryptAtMost,
): Promise<void> {
  const { header, key } = await newHeader(password, Buffer.from(cost))
  const plain = readStream(from, { highWaterMark: chunkBytes })
  await pipeline(
    plain,
    createGzip(),
    (content) => encrypted(content, header, key),
    (content) => writePieces(content, to),
    { signal },
  )
}

/**
 * Reads the export and writes the database file.
 * @param pass sees, and may refuse, the decrypted content on its way to the file
 * @throws {Refusal} 'wrong-content' for another kind of file, 'wrong-password', 'damaged-file'
 */
export async function importDatabase(
  from: string,
  to: string,
  password: string,
  signal: AbortSignal,
  pass: (content: AsyncIterable<Buffer>) => AsyncIterable<Buffer> = (content) => content,
): Promise<void> {
  try {
    await pipeline(
      readStream(from, { highWaterMark: chunkBytes }),
      (content) => decrypted(content, password),
      createGunzip(),
      pass,
      (content) => writePieces(content, to),
      { signal },
    )
  } catch (error) {
    if (isZlibError(error)) throw refuse('damaged-file', { reason: 'its content cannot be unpacked.' })
    throw error
  }
}

const {
  headerBytes,
  checksumBytes,
  tagBytes,
  lastFlag,
  chunkBytesAtMost: chunkBytes,
  scryptAtMost,
} = databaseExportLayout
const magic = Buffer.from(databaseExportLayout.magic, 'latin1')
const saltBytes = 16
const checkBytes = 16

async function newHeader(password: string, cost: Buffer): Promise<{ header: Buffer; key: Buffer }> {
  const salt = randomBytes(saltBytes)
  const { key, check } = await derive(password, cost, salt)
  const start = Buffer.concat([magic, cost, salt, check])
  return { header: Buffer.concat([start, checksum(start)]), key }
}

/** @throws {Refusal} */
async function keyOf(header: Buffer, password: string): Promise<Buffer> {
  if (!header.subarray(0, magic.length).equals(magic))
    throw refuse('wrong-content', { reason: 'it is not a database export (.adb).' })
  const start = header.subarray(0, headerBytes - checksumBytes)
  if (header.length < headerBytes || !checksum(start).equals(header.subarray(start.length)))
    throw refuse('damaged-file', { reason: 'its header is not whole.' })
  const used = header.subarray(magic.length, magic.length + 3)
  const salt = header.subarray(magic.length + 3, magic.length + 3 + saltBytes)
  const { key, check } = await derive(password, used, salt)
  if (!timingSafeEqual(check, start.subarray(-checkBytes))) throw refuse('wrong-password')
  return key
}

const scryptAsync = promisify<string, Buffer, number, object, Buffer>(scrypt)

async function derive(password: string, [log2N = 0, r = 0, p = 0]: Uint8Array, salt: Buffer) {
  const isMore = [log2N, r, p].some((value, index) => value > (scryptAtMost[index] ?? 0))
  if (isMore || log2N < 10 || r < 1 || p < 1)
    throw refuse('damaged-file', { reason: 'its header asks for what no export needs.' })
  const options = { N: 2 ** log2N, r, p, maxmem: 256 * r * 2 ** log2N }
  const bytes = await scryptAsync(password.normalize(), salt, 32 + checkBytes, options)
  return { key: bytes.subarray(0, 32), check: bytes.subarray(32) }
}

function checksum(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

async function* encrypted(content: AsyncIterable<Buffer>, header: Buffer, key: Buffer): AsyncGenerator<Buffer> {
  yield header
  let number = 0
  const seal = (plain: Buffer, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast)).setAAD(header)
    number += 1
    const length = Buffer.alloc(4)
    length.writeUInt32BE((plain.length | (isLast ? lastFlag : 0)) >>> 0)
    return Buffer.concat([length, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }
  let held = Buffer.alloc(0)
  for await (const piece of content) {
    held = Buffer.concat([held, piece])
    while (held.length > chunkBytes) {
      yield seal(held.subarray(0, chunkBytes), false)
      held = held.subarray(chunkBytes)
    }
  }
  yield seal(held, true)
}

async function* decrypted(content: AsyncIterable<Buffer>, password: string): AsyncGenerator<Buffer> {
  const reader = createReader(content)
  const header = await reader.upTo(headerBytes)
  const key = await keyOf(header, password)
  for (let number = 0; ; number += 1) {
    const start = (await reader.exactly(4)).readUInt32BE()
    const isLast = start >= lastFlag
    const length = isLast ? start - lastFlag : start
    if (length > chunkBytes) throw damaged()
    const ciphertext = await reader.exactly(length)
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast)).setAAD(header)
    decipher.setAuthTag(await reader.exactly(tagBytes))
    yield opened(decipher, ciphertext)
    if (isLast) break
  }
  if ((await reader.upTo(1)).length > 0) throw damaged()
}

function opened(decipher: ReturnType<typeof createDecipheriv>, ciphertext: Buffer): Buffer {
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()])
  } catch {
    throw damaged()
  }
}

function damaged() {
  return refuse('damaged-file', { reason: 'its content is not the one that was exported.' })
}

function createReader(content: AsyncIterable<Buffer>) {
  const pieces = content[Symbol.asyncIterator]()
  let held = Buffer.alloc(0)
  const upTo = async (length: number): Promise<Buffer> => {
    while (held.length < length) {
      const next = await pieces.next()
      if (next.done) break
      held = Buffer.concat([held, next.value])
    }
    const taken = held.subarray(0, length)
    held = held.subarray(length)
    return taken
  }
  return {
    upTo,
    async exactly(length: number): Promise<Buffer> {
      const taken = await upTo(length)
      if (taken.length < length) throw damaged()
      return taken
    },
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z_/.test(String(error.code))
}
