/** An encrypted text in the format of exports (.adb), with what it is made of, for docs/region/formats.md. */
import { createCipheriv, createHash, scryptSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseExportLayout } from '@roomkeeper/region-protocol'
import { importDatabase } from '../../apps/region/src/archives/database-export.ts'

const password = 'correct horse battery'
const text = 'hello'
/** By zlib, of `hello`. */
const packed = Buffer.from('1f8b0800000000000003cb48cdc9c9070086a6103605000000', 'hex')
const salt = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')

export async function exportExample() {
  const cost = Buffer.from(databaseExportLayout.scryptAtMost)
  const [log2N, r, p] = cost
  const derived = scryptSync(password, salt, 48, { N: 2 ** log2N, r, p, maxmem: 256 * r * 2 ** log2N })
  const start = Buffer.concat([Buffer.from(databaseExportLayout.magic, 'latin1'), cost, salt, derived.subarray(32)])
  const header = Buffer.concat([start, createHash('sha256').update(start).digest()])
  const nonce = Buffer.from('000000000000000000000001', 'hex')
  const cipher = createCipheriv('aes-256-gcm', derived.subarray(0, 32), nonce).setAAD(header)
  const ciphertext = Buffer.concat([cipher.update(packed), cipher.final()])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(packed.length + databaseExportLayout.lastFlag)
  const file = Buffer.concat([header, length, ciphertext, cipher.getAuthTag()])
  await refuseUnlessOpened(file)
  const lines = [
    ['password', `\`${password}\``],
    ['salt', hex(salt)],
    ['key (scrypt, bytes 0–31)', hex(derived.subarray(0, 32))],
    ['check (scrypt, bytes 32–47)', hex(derived.subarray(32))],
    ['header', hex(header)],
    ['gzip of the text `hello`', hex(packed)],
    ['nonce of chunk 0, the last', hex(nonce)],
    ['length', hex(length)],
    ['ciphertext', hex(ciphertext)],
    ['tag', hex(cipher.getAuthTag())],
    ['SHA-256 of the whole file', hex(createHash('sha256').update(file).digest())],
  ]
  return ['| what | value |', '|---|---|', ...lines.map(([what, value]) => `| ${what} | ${value} |`)].join('\n')
}

const hex = (bytes) => `\`${bytes.toString('hex')}\``

/** The region itself has to open it. */
async function refuseUnlessOpened(file) {
  const folder = mkdtempSync(join(tmpdir(), 'roomkeeper-adb-'))
  try {
    const [from, to] = [join(folder, 'example.adb'), join(folder, 'opened')]
    writeFileSync(from, file)
    await importDatabase(from, to, password, new AbortController().signal)
    if (readFileSync(to, 'utf8') !== text) throw new Error('The example of an export does not hold its text.')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
