/** An export of a large database, with which jobs take long enough to be killed in the middle. */
import { createCipheriv, createHash, randomBytes, scryptSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'

const rows = 384
/** Of each row: random, so that nothing makes the database smaller. */
const rowBytes = 64 * 1024

export interface LargeExport {
  bytes: Buffer
  password: string
  /** The lines of the database in the digest of a room (formats.md, The digest of a room). */
  lines: Iterable<string>
}

export function largeExport(): LargeExport {
  const contents = Array.from({ length: rows }, () => randomBytes(rowBytes))
  const password = 'correct horse battery'
  return { bytes: sealed(gzipSync(databaseOf(contents), { level: 0 }), password), password, lines: linesOf(contents) }
}

function databaseOf(contents: Buffer[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'region-conformance-'))
  try {
    const path = join(folder, 'large.db')
    const database = new DatabaseSync(path)
    database.exec('CREATE TABLE large (id INTEGER PRIMARY KEY, content BLOB NOT NULL); BEGIN')
    const insert = database.prepare('INSERT INTO large VALUES (?, ?)')
    for (const [index, content] of contents.entries()) insert.run(index + 1, content)
    database.exec('COMMIT')
    database.close()
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function linesOf(contents: Buffer[]): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      yield '["table","large","content","id"]\n'
      for (const [index, content] of contents.entries()) yield `["b${content.toString('hex')}","i${index + 1}"]\n`
    },
  }
}

const chunkBytes = 262_144

/** Encrypts as formats.md, Database export (.adb), says; with the cheapest scrypt that regions take. */
function sealed(plain: Buffer, password: string): Buffer {
  const start = Buffer.concat([Buffer.from('RKADB\x01', 'latin1'), Buffer.from([10, 8, 1]), randomBytes(16)])
  const derived = scryptSync(password, start.subarray(9), 48, { N: 2 ** 10, r: 8, p: 1 })
  const checked = Buffer.concat([start, derived.subarray(32)])
  const header = Buffer.concat([checked, createHash('sha256').update(checked).digest()])
  const pieces = [header]
  for (let number = 0; number * chunkBytes < plain.length; number += 1) {
    const piece = plain.subarray(number * chunkBytes, (number + 1) * chunkBytes)
    const isLast = (number + 1) * chunkBytes >= plain.length
    const nonce = Buffer.alloc(12)
    nonce.writeUInt32BE(number, 7)
    nonce.writeUInt8(isLast ? 1 : 0, 11)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(isLast ? piece.length + 0x8000_0000 : piece.length)
    const cipher = createCipheriv('aes-256-gcm', derived.subarray(0, 32), nonce).setAAD(header)
    pieces.push(length, cipher.update(piece), cipher.final(), cipher.getAuthTag())
  }
  return Buffer.concat(pieces)
}
