/** D2O backup and D2O restore with a real object store that checks signatures. */
import { bootNetwork, type Network, type ObjectStore, startObjectStore } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digestOf, wholeRoom, writeDocuments } from './room-life.ts'

const store: ObjectStore | null = await startObjectStore()
let network: Network
let bucket: string

beforeAll(async () => {
  if (store === null) return
  bucket = await store.newBucket()
  network = await bootNetwork({
    env: {
      WORKER_LEASE_SECONDS: '3',
      OBJECT_STORE_URI: `s3://${bucket}/backups`,
      OBJECT_STORE_ENDPOINT: store.endpoint,
      OBJECT_STORE_REGION: store.region,
      OBJECT_STORE_ACCESS_KEY: store.keys.accessKey,
      OBJECT_STORE_SECRET_KEY: store.keys.secretKey,
    },
  })
})
afterAll(async () => {
  await network?.stop()
  await store?.stop()
})

describe.skipIf(store === null)('a backup in the object store', () => {
  // shows: C-backupRoom, C-restoreRoomFromObjectStore, C-inspectObjectStoreBackup
  it('is written by the region, listed, shown before a restore, and brings the content back', async () => {
    const { room, digest, location } = await backedUpRoom()
    await change(room)
    expect(await digestOf(network, room)).not.toBe(digest)
    const body = source(room, location)
    const { body: contents } = await network.admin.call('inspectObjectStoreBackup', { body })
    expect(contents).toMatchObject({ kind: 'room', roomName: room, product: 'ARIS', databases: ['main'] })
    await network.admin.call('restoreRoomFromObjectStore', { body })
    await network.settle()
    expect(await digestOf(network, room)).toBe(digest)
    expect((await wholeRoom(network, room)).row).toMatchObject({ state: 'SUSPENDED' })
  })

  it('is looked into and restored by its id, with the configured keys', async () => {
    const { room, digest, id } = await backedUpRoom()
    await change(room)
    const { body: contents } = await network.admin.call('inspectRoomBackup', { params: { id } })
    expect(contents).toMatchObject({ kind: 'room', roomName: room, databases: ['main'] })
    const body = { projectRoom: { tenantName: room }, backupId: id }
    const { operationId } = (await network.admin.call('restoreRoom', { body })).body
    await network.settle()
    expect(await errorOf(operationId)).toBeNull()
    expect(await digestOf(network, room)).toBe(digest)
  })

  // shows: restore-d2o, operations-keys-kept
  it('is restored with keys and session token of the operator, which are kept nowhere', async () => {
    const { room, digest, location } = await backedUpRoom()
    await change(room)
    const keys = await (store as ObjectStore).newSessionKeys()
    const body = { ...source(room, location), ...given(keys) }
    const { operationId } = (await network.admin.call('restoreRoomFromObjectStore', { body })).body
    await network.settle()
    expect(await errorOf(operationId)).toBeNull()
    expect(await digestOf(network, room)).toBe(digest)
    for (const table of ['operations', 'operation_log', 'operation_steps', 'audit', 'events']) {
      const found = await network.database.rows(`select 1 from ${table} t where t::text like $1`, [
        `%${keys.secretKey}%`,
      ])
      expect(found, table).toEqual([])
    }
  })

  it.each([
    ['a wrong secret key', { secretKey: 'not the secret key' }],
    ['an unknown access key', { accessKey: 'UNKNOWN' }],
    ['an altered session token', { sessionToken: 'altered' }],
    ['no session token', { sessionToken: '' }],
  ])('is not restored with %s, and the room is as it was', async (_, wrong) => {
    const { room, location } = await backedUpRoom()
    const before = await wholeRoom(network, room)
    const keys = await (store as ObjectStore).newSessionKeys()
    const body = { ...source(room, location), ...given(keys), ...wrong }
    await expect(network.admin.call('inspectObjectStoreBackup', { body })).rejects.toMatchObject({
      problem: { status: 502, type: 'urn:roomkeeper:object-store-refused' },
    })
    const { operationId } = (await network.admin.call('restoreRoomFromObjectStore', { body })).body
    await network.settle()
    expect(await errorOf(operationId)).toMatch(/refused/)
    expect(await wholeRoom(network, room)).toEqual(before)
  })

  it('that was cancelled or failed to be written leaves nothing in the store', async () => {
    const room = await network.newSuspendedRoom()
    await network.planFault('room.backup-d2o:write-backup:after:fail')
    await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: true } })
    await network.settle()
    expect((await network.admin.call('roomBackups', { query: { projectRoom: room } })).body).toEqual([])
    const [failed] = await network.database.rows<{ key: string }>(
      `select input->>'key' as key from operations where room_name = $1 and kind = 'room.backup-d2o'`,
      [room],
    )
    const body = source(room, `s3://${bucket}/backups/${failed?.key}`)
    await expect(network.admin.call('inspectObjectStoreBackup', { body })).rejects.toMatchObject({
      problem: { status: 502 },
    })
  })
})

/** A suspended room with content and a D2O backup. */
async function backedUpRoom() {
  const room = await network.newRoom()
  await writeDocuments(network, room, { kept: { in: room } })
  await network.admin.call('suspendRoom', { body: { roomName: room, userNotification: false } })
  await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: true } })
  await network.settle()
  const [backup] = (await network.admin.call('roomBackups', { query: { projectRoom: room } })).body
  expect(backup).toMatchObject({ kind: 'd2o', checkedAt: expect.any(String), verifiedAt: null })
  return { room, digest: await digestOf(network, room), location: backup?.location ?? '', id: backup?.id ?? '' }
}

async function change(roomName: string): Promise<void> {
  await network.admin.call('resumeRoom', { body: { roomName, userNotification: false } })
  await writeDocuments(network, roomName, { added: { later: true } })
  await network.admin.call('suspendRoom', { body: { roomName, userNotification: false } })
}

function source(projectRoomName: string, backupLocationPath: string) {
  return { isD2O: true, backupLocationPath, projectRoomName, region: 'us-east-1' } as const
}

function given({ accessKey, secretKey, sessionToken }: ObjectStore['keys']) {
  return { accessKey, secretKey, sessionToken: sessionToken ?? '' }
}

async function errorOf(processId: string): Promise<string | null> {
  return (await network.admin.call('operationLog', { query: { processId } })).body.errorText
}
