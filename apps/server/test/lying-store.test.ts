/** No operation waits forever for an object store whose answers never end, or never arrive completely. */
import { randomUUID } from 'node:crypto'
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createObjectStore, digestOfBackup } from '#backups/index.ts'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import { Secret } from '#platform/secrets.ts'
import { findingsAbout, runDoctor } from './doctor/run-doctor.ts'
import { type LyingStore, startLyingStore } from './lying-store.ts'

let store: LyingStore
let network: Network
beforeAll(async () => {
  store = await startLyingStore()
  network = await bootNetwork({
    regions: 1,
    env: {
      OBJECT_STORE_URI: 's3://bucket/backups',
      OBJECT_STORE_ENDPOINT: store.endpoint,
      OBJECT_STORE_ACCESS_KEY: 'access',
      OBJECT_STORE_SECRET_KEY: 'secret',
    },
  })
})
afterAll(async () => {
  await network?.stop()
  await store?.stop()
})

describe('an object without an end', () => {
  it('is told by the doctor as another than the one that was made, and the run ends', async () => {
    const room = await network.newRoom()
    store.size = 1000
    store.sends = 'endless'
    await recordBackup(room)
    expect(await findingsAbout(network, room)).toMatchObject([{ kind: 'backup-altered' }])
  })

  it('is given up when somebody looks into it', async () => {
    store.sends = 'endless'
    const answer = await inspect()
    expect(answer.status).toBe(502)
    expect(await answer.text()).toContain('it sends more than it was asked for')
  })
})

it('an object that does not fit the check sum that its store tells is another than the one that was made', async () => {
  const [room, other] = [await network.newRoom(), await network.newRoom()]
  store.size = 1000
  store.sends = { status: 200, body: 'x'.repeat(1000), headers: { 'x-amz-checksum-crc32': 'AAAAAA==' } }
  await recordBackup(room)
  await recordBackup(other)
  const findings = await runDoctor(network)
  const about = (name: string) => findings.filter((each) => each.projectRoomName === name)
  expect(about(room)).toMatchObject([{ kind: 'backup-altered' }])
  expect(about(other)).toMatchObject([{ kind: 'backup-altered' }])
  expect(findings.map(({ kind }) => kind)).not.toContain('store-unreachable')
})

it('an object that never comes to its end is given up in time', async () => {
  store.sends = 'trickle'
  const access = { endpoint: store.endpoint, region: 'us-east-1', accessKey: 'access', secretKey: new Secret('secret') }
  const stores = {
    files: createFileStore({ kind: 'bucket', bucket: 'bucket', prefix: '', access }),
    objectStore: createObjectStore({ access, location: { bucket: 'bucket', prefix: '' } }),
  }
  const never = new AbortController().signal
  for (const file of [
    { kind: 'd2o', location: 's3://bucket/x.zip', size: 1000 },
    { kind: 'classic', location: 'x.zip', size: 1000 },
  ] as const)
    await expect(digestOfBackup(stores, file, never, 1)).rejects.toMatchObject({ code: 'object-store-unreachable' })
})

it('a backup with an invalid location is a finding of its own, and the others are checked', async () => {
  const [broken, whole] = [await network.newRoom(), await network.newRoom()]
  store.size = 1000
  store.sends = 'endless'
  await recordBackup(broken, 'nowhere')
  await recordBackup(whole)
  const findings = await runDoctor(network)
  expect(findings.filter((each) => each.projectRoomName === broken)).toMatchObject([{ kind: 'backup-missing' }])
  expect(findings.filter((each) => each.projectRoomName === whole)).toMatchObject([{ kind: 'backup-altered' }])
})

describe('an error', () => {
  it('without an end is not taken, and the connection is closed', async () => {
    store.sends = 'endless error'
    const answer = await inspect()
    expect(answer.status).toBe(502)
    await until('the connection is closed', async () => store.cutOff === 1)
  })

  it('of a code that can be neither stored nor shown is told by the doctor, cleaned and cut', async () => {
    const room = await network.newRoom()
    store.size = 1000
    store.sends = { code: `Bad\0\u001b[2J${'x'.repeat(50_000)}` }
    await recordBackup(room)
    const found = (await runDoctor(network)).find(({ kind }) => kind === 'store-unreachable')
    expect(found?.text).toMatch(/^Backups could not be looked at: The object store: it answered 400 Bad {2}\[2Jx+\.$/)
    expect(found?.text.length).toBeLessThan(300)
  })
})

describe("an operator's own keys", () => {
  it('reach the configured endpoint alone, whatever else the call names', async () => {
    const other = await startLyingStore()
    store.calls.length = 0
    const host = new URL(other.endpoint).host
    const theirs = {
      backupLocationPath: 's3://their-bucket/room.zip',
      accessKey: 'THEIRS',
      secretKey: 'their secret',
    }
    const call = (more: object) => inspect({ ...theirs, ...more })
    expect((await call({ endpoint: other.endpoint, objectStoreEndpoint: other.endpoint })).status).toBe(400)
    await call({})
    for (const location of [`s3://${host}/x.zip`, `${other.endpoint}/bucket/x.zip`, `s3://bucket@${host}/x.zip`])
      await call({ backupLocationPath: location })
    for (const region of [host, `us-east-1.${host}`, `us-east-1@${host}/`, `${host}#`, '../us-east-1'])
      expect((await call({ region })).status).toBe(400)
    expect(other.calls).toEqual([])
    expect(store.calls.some(({ authorization }) => authorization.includes('Credential=THEIRS/'))).toBe(true)
    expect(new Set(store.calls.map((each) => each.host))).toEqual(new Set([new URL(store.endpoint).host]))
    await other.stop()
  })

  it('reach Amazon of a region where no endpoint is configured', () => {
    const nothing = createObjectStore(null)
    const rest = { isD2O: true, projectRoomName: 'acme', bucket: '' } as const
    const keys = { ...rest, accessKey: 'THEIRS', secretKey: 'their secret', sessionToken: '' }
    const location = nothing.locationOf({
      ...keys,
      backupLocationPath: 's3://their-bucket/x.zip',
      region: 'eu-central-1',
    })
    expect(location).toMatchObject({ endpoint: 'https://s3.eu-central-1.amazonaws.com', bucket: 'their-bucket' })
  })
})

/** Inspects an object as an operator would. */
function inspect(more: object = {}): Promise<Response> {
  return fetch(`${network.server.address}/api/operator/createrestored2o/inspect`, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      isD2O: true,
      backupLocationPath: 's3://bucket/backups/room.zip',
      projectRoomName: 'acme',
      region: 'us-east-1',
      ...more,
    }),
  })
}

async function recordBackup(room: string, location = 's3://bucket/backups/x.zip'): Promise<void> {
  await network.database.rows(
    `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, created_at, read_back_at)
     select $1, id, name, 'd2o', $3, 1000, repeat('0', 64), now(), now() from rooms
      where name = $2`,
    [randomUUID(), room, location],
  )
}
