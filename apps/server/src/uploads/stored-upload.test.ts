/** Who may use an upload, that it is used once, how long it is kept, and what housekeeping removes. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { queryRows } from '#platform/database.ts'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import { lookAtTime } from '#platform/steady-time.ts'
import { createTestDatabase } from '../../test/test-database.ts'
import {
  findUpload,
  insertUpload,
  keepUploadForRetry,
  releaseUpload,
  removeOrphanedUploads,
  takeUpload,
  takeUploadAgain,
  tidyUploads,
  type UploadKind,
} from './stored-upload.ts'

const { db, transaction } = await createTestDatabase()
const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-uploads-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const store = createFileStore({ kind: 'folder', folder })
const operatorId = randomUUID()

describe('an upload', () => {
  // shows: files-owner
  it('is taken once, by the operator who sent it', async () => {
    const name = await newUpload('database')
    const wanted = { name, kind: 'database', operatorId } as const
    const takenBy = (other: Partial<Parameters<typeof takeUpload>[1]>) =>
      transaction((tx) => takeUpload(tx, { ...wanted, ...other }))
    await expect(takenBy({ operatorId: randomUUID() })).rejects.toMatchObject({ code: 'upload-unknown' })
    await expect(takenBy({ kind: 'backup' })).rejects.toMatchObject({ code: 'upload-unknown' })
    await expect(takenBy({ name: 'another' })).rejects.toMatchObject({ code: 'upload-unknown' })
    expect(await takenBy({})).toMatchObject({ name, fileName: 'mine', size: 3, contents: null, manifest: null })
    await expect(takenBy({})).rejects.toMatchObject({ code: 'upload-unknown' })
  })

  it('is taken by one of two calls at the same moment', async () => {
    const name = await newUpload('backup')
    const take = () => transaction((tx) => takeUpload(tx, { name, kind: 'backup', operatorId }))
    const results = await Promise.allSettled([take(), take(), take()])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  // shows: files-refused-call
  it('is not used up by a call that is refused', async () => {
    const name = await newUpload('backup')
    const refused = transaction(async (tx) => {
      await takeUpload(tx, { name, kind: 'backup', operatorId })
      throw new Error('refused for another reason')
    })
    await expect(refused).rejects.toThrow('another reason')
    expect(await transaction((tx) => takeUpload(tx, { name, kind: 'backup', operatorId }))).toMatchObject({ name })
  })

  // shows: files-24h
  it('that nobody takes is gone after 24 hours', async () => {
    const name = await newUpload('backup')
    const hours = await hoursLeft(name)
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24)
    await expire(name)
    expect(await findUpload(db, name)).toBeNull()
    const taking = transaction((tx) => takeUpload(tx, { name, kind: 'backup', operatorId }))
    await expect(taking).rejects.toMatchObject({ code: 'upload-unknown' })
  })

  // shows: operations-retry-24h
  it('can be used again for a retry within 24 hours of a failure, and not later', async () => {
    const name = await newUpload('backup')
    await transaction((tx) => takeUpload(tx, { name, kind: 'backup', operatorId }))
    expect(await hoursLeft(name)).toBeNull()
    await transaction((tx) => keepUploadForRetry(tx, name))
    expect(await hoursLeft(name)).toBeGreaterThan(23.9)
    await transaction((tx) => takeUploadAgain(tx, name))
    expect(await hoursLeft(name)).toBeNull()
    await transaction((tx) => keepUploadForRetry(tx, name))
    await expire(name)
    await expect(transaction((tx) => takeUploadAgain(tx, name))).rejects.toMatchObject({ code: 'start-again' })
  })
})

describe('housekeeping', () => {
  it('removes what was released or has expired, with its file, and nothing else', async () => {
    const [released, expired, waiting, taken, lost] = await Promise.all(
      ['backup', 'backup', 'backup', 'database', 'database'].map((kind) => newUpload(kind as UploadKind)),
    )
    for (const [name = '', kind] of [
      [released, 'backup'],
      [taken, 'database'],
      [lost, 'database'],
    ] as const)
      await transaction((tx) => takeUpload(tx, { name, kind, operatorId }))
    await transaction((tx) => releaseUpload(tx, released ?? ''))
    await expire(expired ?? '')
    await queryRows(db, `update uploads set taken_at = '2026-01-01' where name = $1`, [lost])
    await lookAtTime(db)
    await tidyUploads(db, store)
    expect(await present([released, expired, waiting, taken, lost])).toEqual([false, false, true, true, false])
    expect(await findUpload(db, taken ?? '')).not.toBeNull()
  })

  it('removes files of which there is no record, once they are old', async () => {
    const [known, orphan, recent] = [await newUpload('backup'), await newUpload('backup'), await newUpload('backup')]
    await queryRows(db, 'delete from uploads where name = any($1)', [[orphan, recent]])
    const long = new Date(Date.now() - 25 * 3_600_000)
    for (const name of [known, orphan]) await utimes(join(folder, 'uploads', name), long, long)
    await lookAtTime(db)
    await removeOrphanedUploads(db, store)
    expect(await present([known, orphan, recent])).toEqual([true, false, true])
  })
})

/** @returns the temporary name of the upload */
async function newUpload(kind: UploadKind): Promise<string> {
  const name = randomUUID()
  const storeKey = `uploads/${name}`
  const kept = await store.put(storeKey, content())
  const upload = { name, storeKey, fileName: 'mine', ...kept, contents: null, manifest: null }
  await transaction((tx) => insertUpload(tx, { ...upload, kind, operatorId }))
  return name
}

async function* content() {
  yield Buffer.from('abc')
}

async function hoursLeft(name: string): Promise<number | null> {
  const [row] = await queryRows<{ hours: number | null }>(
    db,
    'select extract(epoch from delete_after - now())::float8 / 3600 as hours from uploads where name = $1',
    [name],
  )
  if (row === undefined) throw new Error('The upload is gone.')
  return row.hours
}

async function expire(name: string): Promise<void> {
  await queryRows(db, 'update uploads set delete_after = now() where name = $1', [name])
}

function present(names: (string | undefined)[]): Promise<boolean[]> {
  return Promise.all(names.map(async (name) => (await store.stat(`uploads/${name}`)) !== null))
}
