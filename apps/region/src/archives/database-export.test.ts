import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportDatabase, importDatabase } from './database-export.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roomkeeper-export-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const never = new AbortController().signal
const chunk = 256 * 1024

async function exported(content: Buffer, password = 'password'): Promise<Buffer> {
  await writeFile(join(folder, 'plain'), content)
  await exportDatabase(join(folder, 'plain'), join(folder, 'export.adb'), password, never, [10, 8, 1])
  return readFile(join(folder, 'export.adb'))
}

async function imported(file: Buffer, password = 'password'): Promise<Buffer> {
  await writeFile(join(folder, 'import.adb'), file)
  await importDatabase(join(folder, 'import.adb'), join(folder, 'imported'), password, never)
  return readFile(join(folder, 'imported'))
}

// shows: stored-adb
test('what was exported is imported again, whatever its size', async () => {
  for (const size of [0, 1, 1000, chunk - 40, chunk, chunk + 1, 5 * chunk + 17]) {
    const content = randomBytes(size)
    expect((await imported(await exported(content))).equals(content)).toBe(true)
  }
})

test('two exports of the same database have nothing in common, and neither holds its text', async () => {
  const content = Buffer.from('very secret text '.repeat(1000))
  const [first, second] = [await exported(content), await exported(content)]
  expect(first.subarray(10, 200).equals(second.subarray(10, 200))).toBe(false)
  expect(first.includes('secret')).toBe(false)
})

// shows: stored-adb
test('a wrong password is refused as such', async () => {
  const file = await exported(randomBytes(1000), 'right')
  await expect(imported(file, 'wrong')).rejects.toMatchObject({ code: 'wrong-password' })
})

test('a password is the same however its letters are composed', async () => {
  const file = await exported(Buffer.from('x'), 'sch\u00f6n')
  expect((await imported(file, 'scho\u0308n')).toString()).toBe('x')
})

// shows: stored-adb
test('a change of any part of the file is damage, with the right password', async () => {
  const file = await exported(randomBytes(2 * chunk))
  const offsets = [7, 10, 30, 50, 73, 77, 80, 1000, chunk + 100, file.length - 17, file.length - 1]
  for (const offset of offsets) {
    const changed = Buffer.from(file)
    changed.writeUInt8((changed.readUInt8(offset) ^ 0x41) & 0xff, offset)
    await expect(imported(changed), `byte ${offset}`).rejects.toMatchObject({ code: 'damaged-file' })
  }
})

test('a file that ends early, goes on too long, or has its chunks in another order is damage', async () => {
  const file = await exported(randomBytes(3 * chunk))
  const header = 73
  const sealed = 4 + chunk + 16
  const chunks = [0, 1, 2].map((index) => file.subarray(header + index * sealed, header + (index + 1) * sealed))
  const [first, second, third] = chunks as [Buffer, Buffer, Buffer]
  const start = file.subarray(0, header)
  const rest = file.subarray(header + 3 * sealed)
  const broken = {
    'cut in the header': file.subarray(0, 60),
    'cut after the header': start,
    'cut in a chunk': file.subarray(0, header + 1000),
    'cut between chunks': file.subarray(0, header + 2 * sealed),
    'a byte more': Buffer.concat([file, Buffer.from([0])]),
    'chunks swapped': Buffer.concat([start, second, first, third, rest]),
    'a chunk twice': Buffer.concat([start, first, first, second, third, rest]),
    'a chunk missing': Buffer.concat([start, first, third, rest]),
  }
  expect((await imported(Buffer.concat([start, first, second, third, rest]))).length).toBe(3 * chunk)
  for (const [what, content] of Object.entries(broken))
    await expect(imported(content), what).rejects.toMatchObject({ code: 'damaged-file' })
})

test('a header that asks for more work than ours is damage, before any work is done', async () => {
  const file = await exported(Buffer.from('x'))
  for (const [offset, value] of [
    [6, 18],
    [7, 9],
    [8, 2],
  ] as const) {
    const asking = Buffer.from(file)
    asking.writeUInt8(value, offset)
    createHash('sha256').update(asking.subarray(0, 41)).digest().copy(asking, 41)
    await expect(imported(asking)).rejects.toMatchObject({ code: 'damaged-file' })
  }
})

test('another kind of file is not a database export', async () => {
  for (const content of [Buffer.alloc(0), Buffer.from('PK\u0003\u0004'), randomBytes(500)])
    await expect(imported(content)).rejects.toMatchObject({ code: 'wrong-content' })
})
