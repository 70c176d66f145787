/** One suite for both kinds of store: a folder, and a bucket of a real object store. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, type S3Client } from '@aws-sdk/client-s3'
import { startObjectStore } from '@roomkeeper/dev-env'
import { afterAll, describe, expect, it, it as vitestIt } from 'vitest'
import { createTestDatabase } from '../../test/test-database.ts'
import { type Database, queryRows } from './database.ts'
import { createFileStore, type FileStoreLocation } from './file-store/create-file-store.ts'
import { markKey } from './file-store/marked-store.ts'
import { FileMissing, type FileStore } from './file-store.ts'
import { connectObjectStore } from './object-store.ts'
import { Secret } from './secrets.ts'

const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-file-store-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const objectStore = await startObjectStore()
afterAll(() => objectStore?.stop())

const bucket = objectStore === null ? null : await bucketLocation(objectStore)
const kinds: [string, FileStoreLocation | null][] = [
  ['a folder', { kind: 'folder', folder }],
  ['a bucket', bucket],
]

describe.each(kinds)('%s', (_, location) => {
  const it = storeTest(location)

  it('keeps content whole and says its size and SHA-256', async (store) => {
    for (const size of [0, 1, 100_000]) {
      const content = randomBytes(size)
      const kept = await store.put('uploads/a.zip', pieces(content, 10_000))
      expect(kept).toEqual({ size, sha256: createHash('sha256').update(content).digest('hex') })
      expect(await store.stat('uploads/a.zip')).toEqual({ size })
      expect(await buffer(await store.open('uploads/a.zip'))).toEqual(content)
    }
  })

  it('keeps what is larger than one part of a bucket', async (store) => {
    const content = randomBytes(70 * 1024 * 1024)
    const kept = await store.put('uploads/large.zip', pieces(content, 1_000_000))
    expect(kept.size).toBe(content.length)
    expect((await buffer(await store.open('uploads/large.zip'))).equals(content)).toBe(true)
    await store.remove('uploads/large.zip')
  })

  it('opens parts, both ends included', async (store) => {
    await store.put('uploads/parts.zip', pieces(Buffer.from('0123456789'), 3))
    const part = async (range: { start?: number; end?: number }) =>
      (await buffer(await store.open('uploads/parts.zip', range))).toString()
    expect(await part({ start: 3 })).toBe('3456789')
    expect(await part({ end: 3 })).toBe('0123')
    expect(await part({ start: 3, end: 3 })).toBe('3')
    expect(await part({ start: 9, end: 9 })).toBe('9')
    expect(await part({ start: 10 })).toBe('')
  })

  it('keeps nothing of content that fails, and leaves what was there as it was', async (store) => {
    await store.put('uploads/old.zip', pieces(Buffer.from('old'), 3))
    for (const megabytes of [1, 70]) {
      for (const key of ['uploads/old.zip', 'uploads/new.zip'])
        await expect(store.put(key, failing(megabytes))).rejects.toThrow('the sender is gone')
    }
    expect((await buffer(await store.open('uploads/old.zip'))).toString()).toBe('old')
    expect(await store.stat('uploads/new.zip')).toBeNull()
    expect(await unfinished(location)).toEqual([])
  })

  it('stops when it is told to, also while nothing arrives', async (store) => {
    const stop = new AbortController()
    const silent = async function* () {
      yield Buffer.from('x')
      setTimeout(() => stop.abort(new Error('told to')), 50)
      await new Promise(() => undefined)
    }
    await expect(store.put('uploads/stopped.zip', silent(), { signal: stop.signal })).rejects.toThrow('told to')
    expect(await store.stat('uploads/stopped.zip')).toBeNull()
    expect(await unfinished(location)).toEqual([])
  })

  it('says what is missing, and removing it is no error', async (store) => {
    await expect(store.open('uploads/none.zip')).rejects.toThrow(FileMissing)
    expect(await store.stat('uploads/none.zip')).toBeNull()
    await store.remove('uploads/none.zip')
    await store.put('uploads/some.zip', pieces(Buffer.from('x'), 1))
    await store.remove('uploads/some.zip')
    await expect(store.open('uploads/some.zip')).rejects.toThrow(FileMissing)
  })

  it('lists what begins with a prefix, with the time it was kept', async (store) => {
    await store.put('listed/one.zip', pieces(Buffer.from('1'), 1))
    await store.put('listed/deep/two.zip', pieces(Buffer.from('2'), 1))
    await store.put('other/three.zip', pieces(Buffer.from('3'), 1))
    const found = await listed(store, 'listed/')
    expect(found.map(({ key }) => key).sort()).toEqual(['listed/deep/two.zip', 'listed/one.zip'])
    for (const { storedAt } of found) expect(Math.abs(Date.now() - storedAt.getTime())).toBeLessThan(60_000)
    expect(await listed(store, 'nothing/')).toEqual([])
  })

  it('clears away what a dead process had begun long ago, and nothing newer', async (store) => {
    await leaveUnfinished(location)
    await store.removeUnfinished('uploads/', new Date(Date.now() - 3_600_000))
    expect((await unfinished(location)).length).toBe(1)
    await store.removeUnfinished('uploads/', new Date(Date.now() + 3_600_000))
    expect(await unfinished(location)).toEqual([])
  })
})

describe('a folder', () => {
  it('is closed to others', async () => {
    const store = createFileStore({ kind: 'folder', folder: join(folder, 'closed') })
    await store.put('rooms/a.zip', pieces(Buffer.from('x'), 1))
    expect((await stat(join(folder, 'closed', 'rooms', 'a.zip'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'closed', 'rooms'))).mode & 0o777).toBe(0o700)
  })

  it('has no way out', async () => {
    const store = createFileStore({ kind: 'folder', folder })
    for (const key of ['../outside', '/etc/passwd', 'a/../../b', '', '.', 'a//b'])
      await expect(store.stat(key), key).rejects.toThrow('not a key')
  })
})

describe.each(kinds)('the store of a console in %s', (kind, location) => {
  const it = (name: string, test: (made: MarkedPlaces) => Promise<void>) =>
    vitestIt.skipIf(location === null)(name, async () => {
      if (location === null) return
      let n = 0
      const inside = (name: string): FileStoreLocation =>
        location.kind === 'folder'
          ? { ...location, folder: join(folder, `${kind} ${randomUUID()}`.replaceAll(' ', '-'), name) }
          : { ...location, prefix: `${location.prefix}${randomUUID()}/${name}/` }
      const newPlace = () => inside(`place-${++n}`)
      await test({ database: await createTestDatabase(), newPlace })
    })
  const refused = { code: 'other-store', message: expect.stringContaining('not the store of this console') }

  it('is marked when the first file is stored, by whichever process comes first', async ({ database, newPlace }) => {
    const place = newPlace()
    const stores = Array.from({ length: 4 }, () => createFileStore(place, database))
    await stores[0]?.check()
    expect(await createFileStore(place).stat(markKey)).toBeNull()
    await Promise.all(stores.map((store, n) => store.put(`uploads/${n}.zip`, pieces(Buffer.from('x'), 1))))
    for (const store of stores) expect(await store.stat('uploads/3.zip')).toEqual({ size: 1 })
    const [row] = await queryRows<{ id: string }>(database.db, 'select id from backup_store')
    expect((await buffer(await createFileStore(place).open(markKey))).toString().trim()).toBe(row?.id)
  })

  it('is nowhere else: nothing is written there, removed or said to be missing', async ({ database, newPlace }) => {
    const right = createFileStore(newPlace(), database)
    await right.put('rooms/a.zip', pieces(Buffer.from('x'), 1))
    const marked = newPlace()
    await createFileStore(marked, await createTestDatabase()).put('rooms/b.zip', pieces(Buffer.from('x'), 1))
    for (const place of [newPlace(), marked]) {
      const wrong = createFileStore(place, database)
      for (const asked of [
        () => wrong.check(),
        () => wrong.put('rooms/c.zip', pieces(Buffer.from('x'), 1)),
        () => wrong.stat('rooms/a.zip'),
        () => wrong.open('rooms/a.zip'),
        () => wrong.remove('rooms/b.zip'),
        () => listed(wrong, 'rooms/'),
        () => wrong.removeUnfinished('rooms/', new Date()),
      ])
        await expect(asked()).rejects.toMatchObject(refused)
      expect(await createFileStore(place).stat('rooms/c.zip')).toBeNull()
      if (place.kind === 'folder' && place !== marked) await expect(stat(place.folder)).rejects.toThrow('ENOENT')
    }
    expect(await createFileStore(marked).stat('rooms/b.zip')).toEqual({ size: 1 })
    await right.remove('rooms/a.zip')
    expect(await right.stat('rooms/a.zip')).toBeNull()
    await expect(right.open('rooms/a.zip')).rejects.toThrow(FileMissing)
  })

  it('has a file only if it is still there when that is whole', async ({ database, newPlace }) => {
    const place = newPlace()
    const store = createFileStore(place, database)
    await store.put('rooms/a.zip', pieces(Buffer.from('x'), 1))
    const goesAway = async function* () {
      yield Buffer.from('x')
      await createFileStore(place).remove(markKey)
    }
    await expect(store.put('rooms/b.zip', goesAway())).rejects.toMatchObject(refused)
  })

  it('goes on where a process died while it marked it', async ({ database, newPlace }) => {
    const [unmarked, half] = [newPlace(), newPlace()]
    const id = randomUUID()
    await queryRows(database.db, 'insert into backup_store (id, is_marked) values ($1, false)', [id])
    await createFileStore(half).put(markKey, pieces(Buffer.from(`${id}\n`), 10))
    await createFileStore(half, database).put('rooms/a.zip', pieces(Buffer.from('x'), 1))
    await queryRows(database.db, 'update backup_store set is_marked = false')
    // A process with another folder has come first.
    await createFileStore(unmarked, database).put('rooms/a.zip', pieces(Buffer.from('x'), 1))
    await expect(createFileStore(half, database).put('rooms/a.zip', failing(1))).rejects.toMatchObject(refused)
  })
})

interface MarkedPlaces {
  database: Database
  /** A place with nothing in it. */
  newPlace(): FileStoreLocation
}

describe.skipIf(bucket === null)('a bucket', () => {
  it.each([
    ['to which the keys are wrong', 'object-store-refused', { secretKey: new Secret('wrong') }],
    ['that cannot be reached', 'object-store-unreachable', { endpoint: 'http://127.0.0.1:1' }],
  ])('%s says so in words, whatever is asked of it', async (_, code, change) => {
    if (bucket === null) return
    const store = createFileStore({ ...bucket, access: { ...bucket.access, ...change } })
    const refused = { code, message: expect.stringMatching(/^The backup store: \D+$/) }
    await expect(store.put('uploads/x', pieces(Buffer.from('x'), 1))).rejects.toMatchObject(refused)
    await expect(store.open('uploads/x')).rejects.toMatchObject(refused)
    await expect(store.stat('uploads/x')).rejects.toMatchObject(refused)
    await expect(store.remove('uploads/x')).rejects.toMatchObject(refused)
  })

  it('is not to blame for a sender that is gone', async () => {
    if (bucket === null) return
    const gone = Object.assign(new Error('the region is gone'), { code: 'ECONNRESET' })
    const content = async function* () {
      yield Buffer.from('x')
      throw gone
    }
    await expect(createFileStore(bucket).put('uploads/x', content())).rejects.toBe(gone)
  })
})

type StoreTest = (name: string, test: (store: FileStore) => Promise<void>) => void

/** If no store is available, its tests are shown as skipped. */
function storeTest(location: FileStoreLocation | null): StoreTest {
  return (name, test) =>
    it.skipIf(location === null)(name, async () => {
      if (location !== null) await test(createFileStore(location))
    })
}

async function bucketLocation(store: NonNullable<typeof objectStore>) {
  const { accessKey, secretKey } = store.keys
  return {
    kind: 'bucket',
    bucket: await store.newBucket(),
    prefix: 'some/where/',
    access: { endpoint: store.endpoint, region: store.region, accessKey, secretKey: new Secret(secretKey) },
  } as const
}

async function listed(store: FileStore, prefix: string) {
  const found: { key: string; storedAt: Date }[] = []
  for await (const each of store.list(prefix)) found.push(each)
  return found
}

async function* pieces(content: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += size) yield content.subarray(start, start + size)
}

async function* failing(megabytes: number): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < megabytes; sent += 1) yield Buffer.alloc(1024 * 1024)
  throw new Error('the sender is gone')
}

/** Everything in the store that is not one of its files. */
async function unfinished(location: FileStoreLocation | null): Promise<unknown[]> {
  if (location === null) return []
  if (location.kind === 'folder') return readdir(join(location.folder, '.arriving'))
  return withClient(location, async (client) => {
    const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket: location.bucket }))
    return Uploads ?? []
  })
}

async function leaveUnfinished(location: FileStoreLocation | null): Promise<void> {
  if (location?.kind === 'folder') {
    const path = join(location.folder, '.arriving', 'uploads+left.zip+1')
    await writeFile(path, 'half of it')
    await utimes(path, new Date(), new Date())
  } else if (location?.kind === 'bucket') {
    await withClient(location, (client) =>
      client.send(
        new CreateMultipartUploadCommand({ Bucket: location.bucket, Key: `${location.prefix}uploads/left.zip` }),
      ),
    )
  }
}

async function withClient<T>(location: FileStoreLocation & { kind: 'bucket' }, work: (client: S3Client) => Promise<T>) {
  const client = connectObjectStore(location.access)
  try {
    return await work(client)
  } finally {
    client.destroy()
  }
}
