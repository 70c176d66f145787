/** Gives the reference region each vector (packages/region-protocol/vectors) as any caller of the protocol would. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import type { JobRequest } from '@roomkeeper/region-protocol'
import { sourceOf } from '@roomkeeper/region-protocol/conformance'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filesOfZip, withPath } from './hostile-file.ts'
import { newCreation, type RegionProcess, startRegion } from './region-process.ts'

interface Vector {
  file: string
  kind: 'room backup' | 'product backup' | 'export' | 'refused backup'
  about: string
  size: number
  sha256: string
  password?: string
  /** The vector that the room holds before. */
  into?: string
}

interface Read {
  database: string
  sql: string
  rows: (string | null)[][]
}

interface GoodVector extends Vector {
  digest: string
  lines: string
  /** Of the room after the restore or import. */
  roomDigest?: string
  reads: Read[]
}

interface GoodBackup extends GoodVector {
  files: number
  bytes: number
  databases: string[]
  rebuilt?: string[]
}

interface RefusedVector extends Vector {
  code: string
}

const folder = new URL('../../../packages/region-protocol/vectors/', import.meta.url)
const contentOf = (file: string) => readFileSync(new URL(file, folder))
const vectors: Vector[] = JSON.parse(String(contentOf('vectors.json')))
const isRefused = (vector: Vector): vector is RefusedVector => 'code' in vector
const good = vectors.filter((vector): vector is GoodVector => !isRefused(vector))
const goodBackups = good.filter((vector): vector is GoodBackup => vector.kind !== 'export')
const refused = vectors.filter(isRefused)
const named = <T extends Vector>(list: T[], file: string): T => {
  const found = list.find((vector) => vector.file === `files/${file}`)
  if (found === undefined) throw new Error(`There is no vector ${file}.`)
  return found
}

let region: RegionProcess
beforeAll(async () => {
  region = await startRegion()
})
afterAll(() => region.remove())

const run = <Input extends JobRequest>(input: Input) => region.client.runJob(crypto.randomUUID(), input)
const digestOf = async (room: string) => (await run({ type: 'digestRoom', room })).digest

async function upload({ file }: Vector): Promise<string> {
  const id = crypto.randomUUID()
  await region.client.putFile(id, sourceOf(contentOf(file)))
  return id
}

let count = 0
async function newRoom(vector?: string) {
  count += 1
  const room = `vector${count}`
  const { roomId } = await region.client.createRoom(room, newCreation())
  if (vector !== undefined)
    await run({ type: 'restoreRoom', room, roomId, file: await upload(named(goodBackups, vector)) })
  return { room, roomId }
}

/** Backs the room up, and compares what is in the databases of the backup, read without the region. */
async function expectContent(room: string, reads: Read[]): Promise<void> {
  const { file } = await run({ type: 'backupRoom', room })
  const zip = Buffer.concat(await (await region.client.getFile(file)).content.toArray())
  const databases = await filesOfZip(zip)
  for (const { database, sql, rows } of reads) {
    const content = databases.get(`databases/${database}.db`) ?? Buffer.alloc(0)
    expect(await valuesIn(content, sql), `${database}: ${sql}`).toEqual(rows)
  }
}

function valuesIn(content: Buffer, sql: string): Promise<(string | null)[][]> {
  return withPath(async (path) => {
    await writeFile(path, content)
    const database = new DatabaseSync(path, { readBigInts: true, returnArrays: true })
    const rows = database.prepare(sql).all() as unknown as (string | number | bigint | null)[][]
    database.close()
    return rows.map((row) => row.map((value) => (value === null ? null : `${marks[typeof value]}${value}`)))
  })
}

const marks: Record<string, string> = { string: 't', number: 'r', bigint: 'i' }

test('the files and their lines are those of the index', async () => {
  const listed = [...vectors.map(({ file }) => file), ...good.map(({ lines }) => lines)]
  expect((await readdir(new URL('files', folder))).map((name) => `files/${name}`).sort()).toEqual(listed.sort())
  const sha256 = (file: string) => createHash('sha256').update(contentOf(file)).digest('hex')
  for (const vector of vectors) expect(sha256(vector.file), vector.file).toBe(vector.sha256)
  for (const { lines, digest } of good) expect(sha256(lines), lines).toBe(digest)
})

test.each(goodBackups)('$file: $about', async (vector) => {
  const file = await upload(vector)
  const { files, bytes, databases, rebuilt = [], digest, reads } = vector
  const verified = await run({ type: 'verifyBackup', room: 'vectors', product: 'ARIS', from: { file } })
  expect({ ...verified, databases: verified.databases.toSorted() }).toEqual({
    files,
    bytes,
    databases: databases.toSorted(),
    digest,
    rebuilt,
  })
  const own = await newRoom(vector.into?.replace('files/', ''))
  const restored = await run({ type: 'restoreRoom', ...own, file })
  expect(restored.databases).toEqual(expect.arrayContaining(databases))
  expect(await digestOf(own.room)).toBe(vector.roomDigest ?? digest)
  await expectContent(own.room, reads)
  if (vector.kind === 'room backup' && rebuilt.length === 0) {
    const moved = await newRoom()
    expect(await run({ type: 'restoreRoom', ...moved, file, digest: true })).toMatchObject({ digest })
  }
})

test.each(good.filter(({ kind }) => kind === 'export'))('$file: $about', async (vector) => {
  const { password = '', into, reads, roomDigest } = vector
  const own = await newRoom(into)
  const file = await upload(vector)
  await run({ type: 'importDatabase', ...own, database: 'imported', file, password })
  expect(await digestOf(own.room)).toBe(roomDigest)
  await expectContent(own.room, reads)
  await run({ type: 'restoreDatabase', ...own, database: 'Imported', file, password })
  expect(await digestOf(own.room)).toBe(roomDigest)
})

/** One room for each `into`, because no refusal changes it. */
const sharedRooms = new Map<string, { room: string; roomId: string }>()

test.each(refused)('$file: $about', async (vector) => {
  const into = vector.into ?? 'small.zip'
  const own = sharedRooms.get(into) ?? (await newRoom(into))
  sharedRooms.set(into, own)
  const file = await upload(vector)
  const { password = '' } = vector
  const from = { room: 'vectors', product: 'ARIS', from: { file } } as const
  const attempts: JobRequest[] =
    vector.kind === 'export'
      ? [{ type: 'importDatabase', ...own, database: 'imported', file, password }]
      : [
          { type: 'restoreRoom', ...own, file },
          { type: 'restoreRoom', ...own, file, digest: true },
          ...(vector.code === 'database-exists' ? [] : [{ type: 'verifyBackup' as const, ...from }]),
        ]
  for (const input of attempts)
    await expect(run(input), input.type).rejects.toMatchObject({ type: `urn:roomkeeper-region:${vector.code}` })
  expect(await digestOf(own.room)).toBe(named(goodBackups, into).digest)
  expect(existsSync('/tmp/climbed.db')).toBe(false)
  const written = await readdir(region.dataDir, { recursive: true })
  expect(written.filter((path) => /climbed|^work\//.test(path))).toEqual([])
})
