import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { mountSmallDisk, type SmallDisk, startObjectStore } from '@roomkeeper/dev-env'
import { type JobRequest, RegionJobFailed, RegionRefusal } from '@roomkeeper/region-protocol'
import { sourceOf } from '@roomkeeper/region-protocol/conformance'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { documentsOf } from './documents.ts'
import { newCreation, type RegionProcess, startRegion } from './region-process.ts'

const mounted = mountSmallDisk(200)
const store = await startObjectStore()
afterAll(() => store?.stop())
const megabyte = 1024 * 1024

describe.skipIf(mounted === null)('a region whose disk is full', () => {
  const disk = mounted as SmallDisk
  let region: RegionProcess
  let roomId: string
  let digest: string
  beforeAll(async () => {
    region = await startRegion({}, disk.folder)
    ;({ roomId } = await region.client.createRoom('alpha', newCreation()))
    const { put } = await documents()
    for (let index = 0; index < 16; index += 1) await put(`big${index}`, randomBytes(375_000).toString('base64'))
    digest = await digestOf('alpha')
  })
  afterAll(async () => {
    await region.kill()
    disk.remove()
  })
  afterEach(() => disk.relieve())

  const run = <Input extends JobRequest>(input: Input) => region.client.runJob(crypto.randomUUID(), input)
  const digestOf = async (room: string) => (await run({ type: 'digestRoom', room })).digest
  const documents = async () => {
    const { token } = await region.client.openSession('alpha', 'owner@example.org')
    return documentsOf(region.url, 'alpha', token)
  }

  /** With this many bytes left, the action ends with 507 and leaves nothing behind; with space again, it works. */
  async function expectRefusalWhenFull(bytesLeft: number, act: () => Promise<unknown>): Promise<void> {
    const files = await readdir(join(disk.folder, 'files'))
    const rooms = await readdir(join(disk.folder, 'rooms'))
    await disk.fillUpTo(bytesLeft)
    const failure = await act().catch((error: unknown) => error)
    if (!(failure instanceof RegionJobFailed || failure instanceof RegionRefusal))
      throw new Error(`Expected a refusal, got ${String(failure)}: ${region.output()}`)
    expect({
      type: failure.type,
      status: failure.status,
      isTransient: failure.isTransient,
      text: failure.message,
    }).toEqual({
      type: 'urn:roomkeeper-region:storage-full',
      status: 507,
      isTransient: false,
      text: 'There is no space left on the storage of the region.',
    })
    expect(await readdir(join(disk.folder, 'files'))).toEqual(files)
    expect(await readdir(join(disk.folder, 'rooms'))).toEqual(rooms)
    expect(await readdir(join(disk.folder, 'work'))).toEqual([])
    await disk.relieve()
    expect(await digestOf('alpha')).toBe(digest)
    await act()
  }

  test('takes no upload, and tells so while the upload is still coming', async () => {
    for (const size of [6 * megabyte, 30 * megabyte]) {
      const source = sourceOf(randomBytes(size))
      const id = crypto.randomUUID()
      await expectRefusalWhenFull(3 * megabyte, () => region.client.putFile(id, source))
    }
  })

  test('makes no backup', async () => {
    for (const bytesLeft of [100_000, 3 * megabyte])
      await expectRefusalWhenFull(bytesLeft, () => run({ type: 'backupRoom', room: 'alpha' }))
  })

  test('restores nothing, and the room stays as it was', async () => {
    const { file } = await run({ type: 'backupRoom', room: 'alpha' })
    await expectRefusalWhenFull(3 * megabyte, () => run({ type: 'restoreRoom', room: 'alpha', roomId, file }))
  })

  test('keeps nothing of what a product backup is added to, unless there is space for copies of it', async () => {
    const { roomId: other } = await region.client.createRoom('beta', newCreation())
    const beta = { room: 'beta', roomId: other }
    const { file: database } = await run({ type: 'backupDatabase', ...beta, database: 'main', password: 'p' })
    await run({ type: 'importDatabase', ...beta, database: 'second', file: database, password: 'p' })
    await run({ type: 'deleteDatabase', ...beta, database: 'main' })
    const { file } = await run({ type: 'backupRoom', room: 'beta', kind: 'product' })
    await run({ type: 'deleteRoom', ...beta })
    const own = { room: 'alpha', roomId }
    const replace = { type: 'replaceRoom' as const, ...own, keep: 'kept', from: { file } }
    // The copies would fit, but not with what has to stay free.
    await expectRefusalWhenFull(10 * megabyte, () => run(replace))
    expect((await region.client.room('alpha'))?.databases).toEqual(['main', 'second'])
    await run({ type: 'putBackRoom', ...own, kept: 'kept' })
    expect(await digestOf('alpha')).toBe(digest)
  })

  test('exports, imports and restores no database', async () => {
    const own = { room: 'alpha', roomId, password: 'p' }
    const { file } = await run({ type: 'backupDatabase', ...own, database: 'main' })
    await expectRefusalWhenFull(12 * megabyte, () => run({ type: 'backupDatabase', ...own, database: 'main' }))
    await expectRefusalWhenFull(3 * megabyte, () => run({ type: 'restoreDatabase', ...own, database: 'main', file }))
    const copy = { ...own, database: 'copy' }
    await expectRefusalWhenFull(3 * megabyte, () => run({ type: 'importDatabase', ...copy, file }))
    await run({ type: 'deleteDatabase', ...copy })
  })

  test('creates no room', async () => {
    await expectRefusalWhenFull(16_384, () => region.client.createRoom('beta', newCreation({ roomId })))
    await disk.fillUpTo(0)
    const creation = newCreation()
    await expect(region.client.createRoom('gamma', creation)).rejects.toMatchObject({ status: 507 })
    await disk.relieve()
    expect(await region.client.room('gamma')).toBeNull()
  })

  test('refuses a document and keeps the former one', async () => {
    const { put, get } = await documents()
    await put('a', 'before')
    await disk.fillUpTo(0)
    expect((await put('a', 'x'.repeat(900_000))).status).toBe(507)
    expect(await (await get('a')).json()).toBe('before')
    await disk.relieve()
    expect((await put('a', 'after')).status).toBe(200)
    digest = await digestOf('alpha')
  })

  test('starts, and is relieved by deleting files, databases and rooms', async () => {
    const { file } = await run({ type: 'backupRoom', room: 'alpha' })
    const { roomId: other } = await region.client.createRoom('delta', newCreation())
    const { token } = await region.client.openSession('delta', 'owner@example.org')
    await documentsOf(region.url, 'delta', token).put('big', 'x'.repeat(900_000))
    await disk.fillUpTo(0)
    await region.kill()
    region = await region.again()

    const deleted = { room: 'delta', roomId: other }
    expect(await run({ type: 'deleteDatabase', ...deleted, database: 'main' })).toEqual({ existed: true })
    expect(await run({ type: 'deleteRoom', ...deleted })).toEqual({ existed: true })
    expect(await region.client.room('delta')).toBeNull()
    // The reserve must be made again before anything may take more space.
    await region.client.deleteFile(file)
    expect((await (await documents()).put('a', 'after')).status).toBe(200)
    digest = await digestOf('alpha')
  })

  test.skipIf(store === null)(
    'fetches nothing from an object store, whether the object or its content does not fit',
    async () => {
      if (store === null) return
      const { endpoint, region: storeRegion, keys } = store
      const location = { endpoint, region: storeRegion, bucket: await store.newBucket(), key: 'backup.zip', ...keys }
      // The backup is streamed, so it needs almost no space.
      await disk.fillUpTo(megabyte)
      await run({ type: 'backupToObjectStore', room: 'alpha', target: location })
      await disk.relieve()
      for (const bytesLeft of [3 * megabyte, 12 * megabyte])
        await expectRefusalWhenFull(bytesLeft, () =>
          run({ type: 'restoreFromObjectStore', room: 'alpha', roomId, source: location }),
        )
    },
  )
})
