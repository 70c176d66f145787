/** A store whose lists never end: the server gives up on them, and other work goes on. */
import { Readable } from 'node:stream'
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startHousekeeping } from '#app/housekeeping.ts'
import { createObjectStore } from '#backups/index.ts'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import type { FileStore } from '#platform/file-store.ts'
import { createScheduler, type Scheduler } from '#platform/recurring.ts'
import { Secret } from '#platform/secrets.ts'
import { isList, type LyingStore, startLyingStore } from './lying-store.ts'
import { createTestDatabase } from './test-database.ts'

let store: LyingStore
let files: FileStore
beforeAll(async () => {
  store = await startLyingStore()
  const access = { endpoint: store.endpoint, region: 'us-east-1', accessKey: 'access', secretKey: new Secret('secret') }
  files = createFileStore({ kind: 'bucket', bucket: 'bucket', prefix: '', access })
})
afterEach(() => {
  store.pages = null
  store.lastPart = null
  store.sends = 'endless'
  store.calls.length = 0
})
afterAll(() => store?.stop())

const pagesAsked = () => store.calls.filter(({ path }) => isList(path)).length
/** The query parameters of each requested page. */
const listsAsked = () =>
  store.calls
    .filter(({ path }) => isList(path))
    .map(({ path }) => new URL(path, store.endpoint).searchParams)
    .map((asked) => `${asked.has('uploads') ? 'unfinished' : 'kept'} ${asked.get('prefix')}`)

describe('a list', () => {
  it.each([
    ['without a marker', 1],
    ['of one marker', 2],
    ['of two markers', 3],
    ['of new markers', 100],
  ] as const)('of pages %s is given up', async (pages, most) => {
    store.pages = pages
    const refused = { code: 'object-store-refused', message: 'The backup store: its list does not come to an end.' }
    await expect(Readable.from(files.list('x')).toArray()).rejects.toMatchObject(refused)
    expect(pagesAsked()).toBeLessThanOrEqual(most)
    store.calls.length = 0
    await expect(files.removeUnfinished('x', new Date())).rejects.toMatchObject(refused)
    expect(pagesAsked()).toBeLessThanOrEqual(most)
  })

  it('with a last page is read to it, and what was left unfinished goes from all of them', async () => {
    store.pages = 'of a last one'
    const found = await Readable.from(files.list('x')).toArray()
    expect(found.map(({ key }: { key: string }) => key)).toEqual(['x1', 'x2'])
    await files.removeUnfinished('x', new Date())
    const removed = store.calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path.split('?')[0])
    expect(removed).toEqual(['/bucket/x1', '/bucket/x2'])
  })

  it('of which a page leads nowhere is given up after that page', async () => {
    store.pages = 'of the first alone'
    const found: string[] = []
    const reading = async () => {
      for await (const { key } of files.list('x')) found.push(key)
    }
    await expect(reading()).rejects.toMatchObject({ code: 'object-store-refused' })
    expect(found).toEqual(['x1'])
    await expect(files.removeUnfinished('x', new Date())).rejects.toMatchObject({ code: 'object-store-refused' })
    expect(store.calls.map(({ method, path }) => [method, path.split('?')[0]])).toContainEqual(['DELETE', '/bucket/x1'])
  })

  it('with a page that is larger than any is not read', async () => {
    store.pages = 'large'
    const refused = { code: 'object-store-refused', message: expect.stringContaining('more than it was asked for') }
    await expect(Readable.from(files.list('x')).toArray()).rejects.toMatchObject(refused)
    await expect(files.removeUnfinished('x', new Date())).rejects.toMatchObject(refused)
  })

  // Parsing it would block the S3 client, and with it the whole process, for minutes.
  it('of doctypes is not read', async () => {
    store.pages = 'of doctypes'
    const refused = {
      code: 'object-store-unreachable',
      message: expect.stringContaining('not as an object store does'),
    }
    await expect(Readable.from(files.list('x')).toArray()).rejects.toMatchObject(refused)
    await expect(files.removeUnfinished('x', new Date())).rejects.toMatchObject(refused)
  })
})

describe('what was left unfinished', () => {
  const removed = () => store.calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path.split('?')[0])

  it('stays while its parts still come, however long ago it began', async () => {
    store.pages = 'of a last one'
    store.lastPart = '2024-01-01T00:00:00.000Z'
    await files.removeUnfinished('x', new Date('2023-12-31'))
    expect(removed()).toEqual([])
    await files.removeUnfinished('x', new Date('2024-01-02'))
    expect(removed()).toEqual(['/bucket/x1', '/bucket/x2'])
  })

  it('and is gone by now keeps nothing else', async () => {
    store.pages = 'of a last one'
    store.sends = { status: 404, body: '<Error><Code>NoSuchUpload</Code></Error>', toAll: true }
    await files.removeUnfinished('x', new Date())
    expect(removed()).toEqual(['/bucket/x1', '/bucket/x2'])
    store.lastPart = 'gone'
    await files.removeUnfinished('x', new Date())
    expect(removed()).toHaveLength(2)
  })

  it('and of which the store does not tell the parts keeps nothing else, and is told', async () => {
    store.pages = 'of a last one'
    store.lastPart = 'denied'
    await expect(files.removeUnfinished('x', new Date())).rejects.toMatchObject({ code: 'object-store-refused' })
    const asked = store.calls.filter(({ method, path }) => method === 'GET' && path.includes('uploadId='))
    expect(asked.map(({ path }) => path.split('?')[0])).toEqual(['/bucket/x1', '/bucket/x2'])
  })
})

describe('housekeeping', () => {
  let network: Network
  afterAll(() => network?.stop())

  it('of a server ends with such a list, and the server answers', async () => {
    store.pages = 'of new markers'
    network = await bootNetwork({
      regions: 0,
      env: {
        BACKUP_STORE: 's3://bucket/console',
        OBJECT_STORE_ENDPOINT: store.endpoint,
        OBJECT_STORE_ACCESS_KEY: 'access',
        OBJECT_STORE_SECRET_KEY: 'secret',
      },
    })
    await until('it has given up', async () => network.server.output().includes('removal of orphaned files failed'))
    expect((await fetch(`${network.server.address}/healthz`)).status).toBe(200)
    const pages = Object.values(Object.groupBy(listsAsked(), (list) => list))
    expect(pages).not.toEqual([])
    for (const ofList of pages) expect(ofList?.length).toBeLessThanOrEqual(100)
    // It may have further lists to ask for, which the next tests would count as theirs.
    await network.server.stop()
  })

  it('goes on with the other lists after such a list', async () => {
    store.pages = 'without a marker'
    const { stop, warned } = await startHousekeepingOf(files)
    await until('both parts with lists are over', async () => warned.length === 1)
    await stop()
    expect(listsAsked()).toEqual(['unfinished uploads/', 'kept uploads/', 'unfinished rooms/', 'unfinished databases/'])
  })

  it('asks for no second list while one is under way, and tidies the records all the same', async () => {
    store.pages = 'held'
    const { stop, warned, database } = await startHousekeepingOf(files, { timesFaster: 600 })
    await until('the list is asked for', async () => pagesAsked() === 1)
    const old = () => database.pool.query(`select 1 from failed_sign_ins where email = 'old'`)
    for (let minute = 0; minute < 5; minute += 1) {
      await database.pool.query(
        `insert into failed_sign_ins (email, address, at) values ('old', 'old', now() - interval '16 minutes')`,
      )
      await until('the records are tidied', async () => (await old()).rowCount === 0)
    }
    expect(pagesAsked()).toBe(1)
    expect(warned).toEqual([])
    await stop()
  })
})

async function startHousekeepingOf(store: FileStore, { timesFaster = 1 } = {}) {
  const database = await createTestDatabase()
  const warned: unknown[] = []
  const log = { warn: (fields: unknown) => warned.push(fields) } as never
  const scheduler = createScheduler({ database, log, clock: { isRight: () => true } })
  const start: Scheduler['start'] = (work) =>
    scheduler.start({ ...work, everySeconds: work.everySeconds / timesFaster })
  const stores = { files: store, objectStore: createObjectStore(null) }
  startHousekeeping({ ...scheduler, start }, { database, stores, log })
  return { stop: scheduler.stop, warned, database }
}
