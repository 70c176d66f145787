/**
 * Files that were changed at random, in every layer: the archive, its manifest's digests, the databases in it. Whatever
 * the change, the job ends with a clear answer, the region goes on, and no other room changes. FUZZ_RUNS is the number
 * of runs; a failure prints the seed that repeats it.
 */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type JobRequest,
  jobCodes,
  RegionJobFailed,
  RegionRefusal,
  refusalTypePrefix,
} from '@roomkeeper/region-protocol'
import { sourceOf } from '@roomkeeper/region-protocol/conformance'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentsOf } from './documents.ts'
import { backupWith, databaseWith, exportOf, filesOfZip, zipOf } from './hostile-file.ts'
import { newCreation, type RegionProcess, startRegion } from './region-process.ts'

const numRuns = Number(process.env.FUZZ_RUNS ?? 25)

let region: RegionProcess
let roomId: string
let backup: Buffer
let files: Map<string, Buffer>
let database: Buffer
let kept: { token: string; digest: string }
beforeAll(async () => {
  region = await startRegion({ REGION_CHECK_SECONDS: '10' })
  ;({ roomId } = await region.client.createRoom('target', newCreation()))
  await region.client.createRoom('kept', newCreation())
  const { token } = await region.client.openSession('kept', 'owner@example.org')
  const documents = documentsOf(region.url, 'kept', token)
  for (let index = 0; index < 20; index += 1) await documents.put(`d${index}`, 'text '.repeat(index * 10))
  kept = { token, digest: await digestOf('kept') }
  const { file } = await run({ type: 'backupRoom', room: 'kept' })
  backup = Buffer.concat(await (await region.client.getFile(file)).content.toArray())
  files = await filesOfZip(backup)
  database = await databaseWith(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b REAL, c BLOB); CREATE INDEX by_a ON t (a);
    CREATE VIRTUAL TABLE notes USING fts5 (text); CREATE TABLE w (k PRIMARY KEY, v) WITHOUT ROWID;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO t SELECT i, 'text ' || i, i / 3.0, zeroblob(i * 10) FROM n;
    INSERT INTO w SELECT a, id FROM t; INSERT INTO notes SELECT a FROM t; DELETE FROM t WHERE id % 3 = 0;`)
}, 120_000)
afterAll(() => region.remove())

const run = <Input extends JobRequest>(input: Input) => region.client.runJob(crypto.randomUUID(), input)
const digestOf = async (room: string) => (await run({ type: 'digestRoom', room })).digest

/** A change of some bytes; `at` is a position from 0, the start, to 1, the end. */
const change = fc.record({
  kind: fc.constantFrom('flip', 'set', 'cut', 'insert', 'repeat', 'large'),
  at: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 0.01, noNaN: true })),
  value: fc.nat(255),
})
type Change = { kind: string; at: number; value: number }
const changes = fc.array(change, { minLength: 1, maxLength: 6 })

function changed(content: Buffer, all: readonly Change[]): Buffer {
  return all.reduce((bytes, { kind, at, value }) => {
    const offset = Math.min(Math.floor(at * bytes.length), Math.max(bytes.length - 4, 0))
    if (bytes.length < 8) return bytes
    const next = Buffer.from(bytes)
    switch (kind) {
      case 'flip':
        next.writeUInt8(next.readUInt8(offset) ^ (1 << (value % 8)), offset)
        return next
      case 'set':
        next.writeUInt8(value, offset)
        return next
      case 'cut':
        return next.subarray(0, offset)
      case 'insert':
        return Buffer.concat([next.subarray(0, offset), Buffer.alloc(value, value), next.subarray(offset)])
      case 'repeat':
        return Buffer.concat([next.subarray(0, offset), next.subarray(Math.max(offset - value, 0))])
      default:
        next.writeUInt32BE(0xffff_ff00 + value, offset)
        return next
    }
  }, content)
}

/** Expects the room `kept` to be unchanged, and no remains of the job. */
async function expectWhole(): Promise<void> {
  expect(await digestOf('kept')).toBe(kept.digest)
  expect((await documentsOf(region.url, 'kept', kept.token).get('d3')).status).toBe(200)
  expect(await readdir(join(region.dataDir, 'work'))).toEqual([])
  expect((await readdir(join(region.dataDir, 'rooms'))).sort()).toEqual(['kept', 'target'])
  expect(region.output()).not.toContain('a job failed')
}

async function endsClearly(job: (own: { room: string; roomId: string; file: string }) => JobRequest, content: Buffer) {
  const file = crypto.randomUUID()
  await region.client.putFile(file, sourceOf(content))
  const before = await digestOf('target')
  const input = job({ room: 'target', roomId, file })
  try {
    await run(input)
  } catch (error) {
    if (!(error instanceof RegionJobFailed || error instanceof RegionRefusal)) throw error
    expect({ status: error.status, isTransient: error.isTransient }, error.message).toEqual({
      status: error.status === 507 || error.status === 409 ? error.status : 422,
      isTransient: false,
    })
    expect(error.message).not.toBe('')
    const { atStart, later } = jobCodes[input.type]
    const listed = [...atStart, ...later, 'storage-full'].map((code) => refusalTypePrefix + code)
    expect(listed, 'as docs/region/jobs.md says').toContain(error.type)
    expect(await digestOf('target')).toBe(before)
    return expectWhole()
  } finally {
    await region.client.deleteFile(file)
  }
  // A room whose content was accepted must be usable like any other.
  await run({ type: 'backupRoom', room: 'target' })
  for (const { name } of await region.client.databases('target')) {
    const { token } = await region.client.openSession('target', 'owner@example.org').catch(() => ({ token: '' }))
    const { status } = await documentsOf(region.url, 'target', token, name).put('a', 1)
    expect([200, 401, 409]).toContain(status)
  }
  await region.client.licences('target')
  return expectWhole()
}

const restore = (own: { room: string; roomId: string; file: string }) => ({ type: 'restoreRoom' as const, ...own })

test('backups (.zip) that were changed', async () => {
  await fc.assert(
    fc.asyncProperty(changes, async (all) => endsClearly(restore, changed(backup, all))),
    { numRuns },
  )
}, 600_000)

test('backups whose files were changed, with a manifest that vouches for them', async () => {
  const names = fc.constantFrom('system.db', 'databases/main.db')
  await fc.assert(
    fc.asyncProperty(names, changes, async (name, all) => {
      const content = changed(files.get(name) ?? Buffer.alloc(0), all)
      await endsClearly(restore, await backupWith(backup, { [name]: content }))
    }),
    { numRuns },
  )
}, 600_000)

test('backups whose manifest was changed', async () => {
  await fc.assert(
    fc.asyncProperty(changes, async (all) => {
      const manifest = changed(files.get('manifest.json') ?? Buffer.alloc(0), all)
      await endsClearly(restore, await zipOf(new Map([...files, ['manifest.json', manifest]])))
    }),
    { numRuns },
  )
}, 600_000)

const importing = (own: { room: string; roomId: string; file: string }) => ({
  type: 'importDatabase' as const,
  ...own,
  database: `x${crypto.randomUUID().slice(0, 8)}`,
  password: 'p',
})

test('exports (.adb) that were changed, also where their header vouches for it', async () => {
  const whole = await exportOf(database)
  await fc.assert(
    fc.asyncProperty(changes, fc.boolean(), async (all, isVouched) => {
      const content = changed(whole, all)
      if (isVouched && content.length > 73)
        createHash('sha256').update(content.subarray(0, 41)).digest().copy(content, 41)
      await endsClearly(importing, content)
    }),
    { numRuns },
  )
}, 600_000)

test('exports of databases that were changed', async () => {
  await fc.assert(
    fc.asyncProperty(changes, async (all) => endsClearly(importing, await exportOf(changed(database, all)))),
    { numRuns },
  )
}, 600_000)
