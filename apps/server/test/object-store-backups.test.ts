/** Backups in a real object store, inspected with all kinds of keys; the console's own store in a bucket. */
import type { ObjectStoreSource } from '@roomkeeper/contract'
import { bootNetwork, type Network, type ObjectStore, roomDraft, startObjectStore } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import type { FileStore } from '#platform/file-store.ts'
import { Secret } from '#platform/secrets.ts'
import { craftBackup, productFiles } from './craft-backup.ts'
import { refusalOf, sendFiles } from './send-file.ts'

const started = await startObjectStore()
afterAll(() => started?.stop())

describe.skipIf(started === null)('a backup in an object store', () => {
  let network: Network
  let objectStore: ObjectStore
  let bucket: string
  beforeAll(async () => {
    if (started === null) return
    objectStore = started
    bucket = await objectStore.newBucket()
    network = await bootNetwork({ regions: 0, env: settingsFor(objectStore, bucket) })
    const files = storeIn(objectStore, bucket)
    await files.put('backups/room.zip', once(craftBackup()))
    await files.put('backups/product one.zip', once(craftBackup(productFiles)))
    await files.put('backups/text.zip', once(Buffer.from('no backup')))
    await files.put('backups/cut.zip', once(craftBackup().subarray(0, -5)))
    await files.put('backups/empty.zip', once(Buffer.alloc(0)))
  })
  afterAll(() => network?.stop())

  it('shows what it holds, with the configured keys', async () => {
    expect(await look({})).toMatchObject({
      status: 200,
      body: { kind: 'room', roomName: 'acme', product: 0, databases: ['main'], size: craftBackup().length },
    })
  })

  it('shows what it holds, with keys of its own, also for an hour', async () => {
    const { accessKey, secretKey } = objectStore.keys
    expect(await look({ accessKey, secretKey })).toMatchObject({ status: 200 })
    expect(await look(await sessionKeys())).toMatchObject({ status: 200 })
  })

  it.each([
    ['a wrong secret key', async () => ({ accessKey: objectStore.keys.accessKey, secretKey: 'wrong' })],
    ['an unknown access key', async () => ({ accessKey: 'NOBODY', secretKey: 'wrong' })],
    ['an altered session token', async () => altered(await sessionKeys())],
    ['a missing session token', async () => ({ ...(await sessionKeys()), sessionToken: '' })],
  ])('is closed to %s, and the answer says so', async (_, keys) => {
    const answer = await look(await keys())
    expect(answer.status).toBe(502)
    expect(answer.text).toMatch(/key|token|denied/i)
    expect(answer.text).not.toContain(objectStore.keys.secretKey)
  })

  it('that is not there, or in no bucket, is told apart', async () => {
    const missing = await look({ backupLocationPath: `s3://${bucket}/backups/none.zip` })
    expect(missing).toMatchObject({ status: 502, text: expect.stringContaining('no such file') })
    const { accessKey, secretKey } = objectStore.keys
    const nowhere = await look({ backupLocationPath: 's3://no-such-bucket/x.zip', accessKey, secretKey })
    expect(nowhere).toMatchObject({ status: 502, text: expect.stringContaining('no such bucket') })
  })

  it.each(['text.zip', 'cut.zip', 'empty.zip'])('that is none is refused: %s', async (name) => {
    const answer = await look({ backupLocationPath: `s3://${bucket}/backups/${name}` })
    expect(answer).toMatchObject({ status: 422, text: expect.stringContaining('"Wrong file"') })
  })

  it('is refused where the fields do not fit together', async () => {
    const fields = async (given: Partial<ObjectStoreSource>) => {
      const { status, text } = await look(given)
      const { errors } = JSON.parse(text) as { errors: { field: string }[] }
      return [status, errors.map(({ field }) => field)]
    }
    expect(await fields({ bucket: 'another' })).toEqual([400, ['bucket']])
    expect(await fields({ backupLocationPath: 's3://another-bucket/x.zip' })).toEqual([400, ['accessKey']])
    expect(await fields({ accessKey: 'A' })).toEqual([400, ['secretKey']])
    expect(await fields({ secretKey: 'A' })).toEqual([400, ['accessKey']])
    expect(await fields({ backupLocationPath: `s3://${bucket}/../other/x.zip` })).toEqual([400, ['backupLocationPath']])
    expect(await fields({ region: 'nowhere' as 'us-east-1' })).toEqual([400, ['region']])
    expect((await look({ bucket })).status).toBe(200)
  })

  it('cannot be looked into while the store is out of reach', async () => {
    const server = await network.addServer({ OBJECT_STORE_ENDPOINT: 'http://127.0.0.1:1' })
    expect(await look({}, server.address)).toMatchObject({
      status: 503,
      text: expect.stringContaining('cannot be reached'),
    })
    await server.stop()
  })

  // shows: C-deleteRoomBackup
  it('is removed there when it is deleted here', async () => {
    const files = storeIn(objectStore, bucket)
    await files.put('backups/d2o.zip', once(craftBackup()))
    const id = await recordBackup('d2o', `s3://${bucket}/backups/d2o.zip`)
    await network.admin.call('deleteRoomBackup', { params: { id } })
    expect(await files.stat('backups/d2o.zip')).toBeNull()
  })

  it('and uploads can be the console’s own store', async () => {
    const server = await network.addServer({ BACKUP_STORE: `s3://${bucket}/console` })
    const there = { ...network, server }
    const content = craftBackup()
    const files = storeIn(objectStore, bucket)
    const answer = await sendFiles(there, 'uploadImport', [{ content }])
    expect(answer.status).toBe(200)
    const { tmpFileName } = (await answer.json()) as { tmpFileName: string }
    expect(await files.stat(`console/uploads/${tmpFileName}`)).toEqual({ size: content.length })
    const wrong = refusalOf(sendFiles(there, 'uploadBackup', [{ content: content.subarray(0, -5) }]))
    expect(await wrong).toBe('422 Wrong file')
    const kept: string[] = []
    for await (const { key } of files.list('console/')) if (!key.endsWith('/audit-anchor.json')) kept.push(key)
    expect(kept).toEqual(['console/roomkeeper-store-id', `console/uploads/${tmpFileName}`])

    const id = await recordBackup('classic', `uploads/${tmpFileName}`, content.length)
    const headers = { authorization: `Bearer ${network.admin.token}`, range: 'bytes=10-19' }
    const part = await fetch(`${server.address}/api/operator/room/backups/${id}/content`, { headers })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(content.subarray(10, 20))
    await server.stop()
  })

  async function look(given: Partial<ObjectStoreSource>, address = network.server.address) {
    const source = {
      isD2O: true,
      backupLocationPath: `s3://${bucket}/backups/room.zip`,
      projectRoomName: 'acme',
      region: 'us-east-1',
      ...given,
    }
    const answer = await fetch(`${address}/api/operator/createrestored2o/inspect`, {
      method: 'POST',
      headers: { authorization: `Bearer ${network.admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(source),
    })
    const text = await answer.text()
    const body: unknown = answer.ok ? JSON.parse(text) : undefined
    return { status: answer.status, text, body }
  }

  async function sessionKeys() {
    const { accessKey, secretKey, sessionToken } = await objectStore.newSessionKeys()
    return { accessKey, secretKey, sessionToken: sessionToken ?? '' }
  }

  async function recordBackup(kind: 'classic' | 'd2o', location: string, size = 1): Promise<string> {
    const [row] = await network.database.rows<{ id: string }>(
      `insert into room_backups (id, room_id, room_name, kind, location, size, sha256)
       values (gen_random_uuid(), gen_random_uuid(), $1, $2, $3, $4, $5) returning id`,
      [roomDraft().tenantName, kind, location, size, '0'.repeat(64)],
    )
    return row?.id ?? ''
  }
})

function settingsFor(objectStore: ObjectStore, bucket: string): Record<string, string> {
  return {
    OBJECT_STORE_URI: `s3://${bucket}/backups`,
    OBJECT_STORE_ENDPOINT: objectStore.endpoint,
    OBJECT_STORE_REGION: objectStore.region,
    OBJECT_STORE_ACCESS_KEY: objectStore.keys.accessKey,
    OBJECT_STORE_SECRET_KEY: objectStore.keys.secretKey,
  }
}

function storeIn({ endpoint, region, keys }: ObjectStore, bucket: string): FileStore {
  const access = { endpoint, region, accessKey: keys.accessKey, secretKey: new Secret(keys.secretKey) }
  return createFileStore({ kind: 'bucket', bucket, prefix: '', access })
}

function altered<Keys extends { sessionToken: string }>(keys: Keys): Keys {
  const last = keys.sessionToken.at(-10) === 'A' ? 'B' : 'A'
  return { ...keys, sessionToken: keys.sessionToken.slice(0, -10) + last + keys.sessionToken.slice(-9) }
}

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}
