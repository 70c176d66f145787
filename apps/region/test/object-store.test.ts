import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ListMultipartUploadsCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { type ObjectStore, startObjectStore } from '@roomkeeper/dev-env'
import { type JobRequest, RegionJobFailed } from '@roomkeeper/region-protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentsOf } from './documents.ts'
import { filesThatHold } from './files-that-hold.ts'
import { type ObjectStoreProxy, startObjectStoreProxy } from './object-store-proxy.ts'
import { eventually, newCreation, type RegionProcess, startRegion } from './region-process.ts'

const found = await startObjectStore()

describe.skipIf(found === null)('a region and a real object store', () => {
  const store = found as ObjectStore
  let region: RegionProcess
  let proxy: ObjectStoreProxy
  let bucket: string
  let s3: S3Client
  beforeAll(async () => {
    region = await startRegion()
    proxy = await startObjectStoreProxy(store.endpoint)
    bucket = await store.newBucket()
    const { accessKey: accessKeyId, secretKey: secretAccessKey } = store.keys
    const credentials = { accessKeyId, secretAccessKey }
    s3 = new S3Client({ endpoint: store.endpoint, region: store.region, forcePathStyle: true, credentials })
  })
  afterAll(async () => {
    await region.remove()
    proxy.close()
    await store.stop()
  })

  const run = <Input extends JobRequest>(input: Input) => region.client.runJob(crypto.randomUUID(), input)
  const digestOf = async (room: string) => (await run({ type: 'digestRoom', room })).digest
  const locationOf = (key: string, change = {}) => ({
    endpoint: store.endpoint,
    region: store.region,
    bucket,
    key,
    ...store.keys,
    ...change,
  })
  let count = 0
  async function newRoom(megabytes = 0) {
    count += 1
    const name = `room${count}`
    const { roomId } = await region.client.createRoom(name, newCreation())
    const { token } = await region.client.openSession(name, 'owner@example.org')
    const documents = documentsOf(region.url, name, token)
    await documents.put('a', { text: name })
    for (let index = 0; index < megabytes * 2; index += 1)
      await documents.put(`big${index}`, randomBytes(350_000).toString('base64'))
    return { name, roomId }
  }
  const backup = (room: { name: string }, key: string, change = {}) =>
    run({ type: 'backupToObjectStore', room: room.name, target: locationOf(key, change) })
  const restore = (room: { name: string; roomId: string }, key: string, change = {}) =>
    run({
      type: 'restoreFromObjectStore',
      room: room.name,
      roomId: room.roomId,
      source: locationOf(key, change),
    })
  async function expectNothingLeft(key: string): Promise<void> {
    const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: key }))
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: key }))
    expect({ uploads: Uploads.length, objects: Contents.length }).toEqual({ uploads: 0, objects: 0 })
    expect(await readdir(join(region.dataDir, 'work'))).toEqual([])
  }
  const failureOf = async (job: Promise<unknown>): Promise<RegionJobFailed> => {
    const outcome = await job.catch((error: unknown) => error)
    expect(outcome).toBeInstanceOf(RegionJobFailed)
    return outcome as RegionJobFailed
  }

  // shows: region-job-store
  test('a room travels through the object store, in one part or many', async () => {
    for (const megabytes of [0, 20]) {
      const source = await newRoom(megabytes)
      const target = await newRoom()
      const key = `travel/${source.name}.zip`
      const { location, size, sha256 } = await backup(source, key)
      expect(location).toBe(`s3://${bucket}/${key}`)
      expect(size).toBeGreaterThan(megabytes * 900_000)
      expect(sha256).toMatch(/^[0-9a-f]{64}$/)
      expect(await digestOf(target.name)).not.toBe(await digestOf(source.name))
      expect(await restore(target, key)).toEqual({ databases: ['main'] })
      expect(await digestOf(target.name)).toBe(await digestOf(source.name))
    }
    expect(await readdir(join(region.dataDir, 'work'))).toEqual([])
  }, 120_000)

  test('credentials with a session token work', async () => {
    const keys = await store.newSessionKeys()
    const source = await newRoom()
    await backup(source, 'session.zip', keys)
    expect(await restore(await newRoom(), 'session.zip', keys)).toEqual({ databases: ['main'] })
  })

  test('wrong secrets, unknown keys and altered or missing session tokens are refused for good', async () => {
    const keys = await store.newSessionKeys()
    const token = keys.sessionToken ?? ''
    const wrong = {
      'a wrong secret': { secretKey: 'wrong' },
      'an unknown key': { accessKey: 'UNKNOWN' },
      'an altered token': { ...keys, sessionToken: `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}` },
      'another token': { ...keys, sessionToken: 'nonsense' },
      'no token': { ...keys, sessionToken: null },
    }
    const room = await newRoom()
    await backup(room, 'there.zip')
    const before = await digestOf(room.name)
    for (const [what, change] of Object.entries(wrong)) {
      for (const job of [backup(room, 'refused.zip', change), restore(room, 'there.zip', change)]) {
        const { type, isTransient, message, status } = await failureOf(job)
        expect({ what, type, isTransient, status }).toEqual({
          what,
          type: 'urn:roomkeeper-region:object-store-refused',
          isTransient: false,
          status: 403,
        })
        expect(message).toMatch(/^The object store refused the access key or its (signature|session token)\.$/)
      }
    }
    await expectNothingLeft('refused.zip')
    expect(await digestOf(room.name)).toBe(before)
  }, 120_000)

  test('a bucket or object that is not there is told as such, for good', async () => {
    const room = await newRoom()
    for (const job of [
      backup(room, 'x.zip', { bucket: 'there-is-no-such-bucket' }),
      restore(room, 'x.zip', { bucket: 'there-is-no-such-bucket' }),
      restore(room, 'never-written.zip'),
    ])
      expect(await failureOf(job)).toMatchObject({ type: 'urn:roomkeeper-region:object-unknown', isTransient: false })
  })

  test('an object that is no backup is refused and leaves the room as it was', async () => {
    const room = await newRoom()
    const before = await digestOf(room.name)
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'text.zip', Body: 'no zip at all' }))
    expect(await failureOf(restore(room, 'text.zip'))).toMatchObject({ status: 422, isTransient: false })
    expect(await digestOf(room.name)).toBe(before)
    expect(await readdir(join(region.dataDir, 'work'))).toEqual([])
  })

  test('a busy store, a broken connection and a cut answer may pass, and leave room and store as they were', async () => {
    const room = await newRoom(18)
    await backup(room, 'good.zip')
    const before = await digestOf(room.name)
    const { endpoint } = proxy
    for (const mode of ['busy', 'reset-parts', 'cut'] as const) {
      proxy.mode = mode
      const job = mode === 'cut' ? restore(room, 'good.zip', { endpoint }) : backup(room, 'broken.zip', { endpoint })
      const { type, isTransient } = await failureOf(job)
      expect({ mode, type, isTransient }).toEqual({
        mode,
        type: 'urn:roomkeeper-region:object-store-unreachable',
        isTransient: true,
      })
      await expectNothingLeft('broken.zip')
      expect(await digestOf(room.name)).toBe(before)
    }
  }, 120_000)

  // shows: stored-object-store
  test('what reads back differently is no success', async () => {
    proxy.mode = 'corrupt'
    const failed = await failureOf(backup(await newRoom(), 'corrupt.zip', { endpoint: proxy.endpoint }))
    expect(failed.type).toBe('urn:roomkeeper-region:object-differs')
  })

  test('a cancelled upload leaves no part', async () => {
    const room = await newRoom(20)
    Object.assign(proxy, { mode: 'hold-parts', partsStopped: 0 })
    const id = crypto.randomUUID()
    const target = locationOf('cancelled.zip', { endpoint: proxy.endpoint })
    await region.client.startJob(id, { type: 'backupToObjectStore', room: room.name, target })
    await eventually(() => proxy.partsStopped > 0)
    const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: 'cancelled.zip' }))
    expect(Uploads).toHaveLength(1)
    const ended = await region.client.cancelJob(id)
    expect([ended.state, ended.error?.type]).toEqual(['failed', 'urn:roomkeeper-region:cancelled'])
    await expectNothingLeft('cancelled.zip')
  })

  test('credentials are kept nowhere on the region', async () => {
    const room = await newRoom()
    const keys = await store.newSessionKeys()
    const secrets = [...Object.values(keys), `never-${crypto.randomUUID()}`].map(String)
    const wrong = { ...keys, secretKey: secrets.at(-1) }
    const id = crypto.randomUUID()
    const job = { type: 'backupToObjectStore' as const, room: room.name, target: locationOf('secret.zip', wrong) }
    await failureOf(region.client.runJob(id, job))
    await backup(room, 'secret.zip', keys)
    expect(await filesThatHold(region, id)).not.toEqual([])
    const told = region.output() + JSON.stringify(await region.client.job(id))
    for (const secret of secrets) {
      expect(await filesThatHold(region, secret)).toEqual([])
      expect(told).not.toContain(secret)
    }
    // The same job id with other keys is still the same job.
    await expect(region.client.startJob(id, { ...job, target: locationOf('secret.zip', keys) })).resolves.toMatchObject(
      {
        state: 'failed',
      },
    )
  })
})
