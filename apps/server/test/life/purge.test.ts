/** The purge of a deleted room leaves nothing but a certificate, which the audit trail vouches for. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bootNetwork, type Network, repository, startRegion, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LyingStore, startLyingStore } from '../lying-store.ts'
import { wholeRoom, writeDocuments } from './room-life.ts'

let network: Network
let store: LyingStore
beforeAll(async () => {
  store = await startLyingStore()
  store.sends = 'what was put'
  network = await bootNetwork({
    regions: [{ env: { REGION_FAULTS: '1' } }, {}],
    env: {
      KEEP_DELETED_DAYS: '7',
      OBJECT_STORE_URI: 's3://bucket/d2o',
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

describe('a purge', () => {
  // shows: deleted-purge
  it('leaves no byte of the room: not in stores, not in regions, not in the database', async () => {
    const room = await network.newSuspendedRoom({
      companyName: 'Gone without trace',
      customerFirstName: 'Unforgettable',
    })
    const { row } = await wholeRoom(network, room)
    const roomId = String(row?.id)
    await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
    await network.settle()
    await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: true } })
    await network.settle()
    await network.admin.call('resumeRoom', { body: { roomName: room } })
    await network.admin.call('backupDatabase', { body: { projectRoomName: room, databaseName: 'main' } })
    await network.settle()
    await writeDocuments(network, room, { marked: { with: marker } })
    await remove(room)
    expect(await foldersWith(roomId)).not.toEqual([])
    const id = await idOf(room)
    const { locations } = await placesOf(roomId)
    expect(locations.some((location) => location.startsWith('s3://'))).toBe(true)

    await purge(room)

    expect(await listed(room)).toBeUndefined()
    expect(await foldersWith(roomId)).toEqual([])
    expect(await filesWith(marker)).toEqual([])
    expect(await filesOf('region-1/files')).toEqual([])
    for (const location of locations.filter((each) => each.startsWith('s3://')))
      expect(await isInStore(location), location).toBe(false)
    expect(await placesOf(roomId)).toEqual({ locations: [] })
    expect(await tablesWith(roomId)).toEqual(['audit', 'operation_steps', 'operations', 'purged_rooms'])
    expect(await tablesWith('Unforgettable')).toEqual([])
    const certificate = await certificateOf(id)
    const kinds = certificate.removed.map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'object')).toHaveLength(1)
    expect(kinds.filter((kind) => kind === 'region')).toHaveLength(2)
    expect(certificate.room).toMatchObject({ id: roomId, projectRoomName: room, companyName: 'Gone without trace' })
    expect(certificate.purgedBy).toBe('admin@localhost')
    expect(certificate.removed.map(({ location }) => location)).toEqual(expect.arrayContaining(locations))
  })

  it('has to be confirmed with the name, and cannot begin while the room is restored, nor the other way round', async () => {
    const room = await deletedRoom()
    const params = { id: await idOf(room) }
    const wrong = network.admin.call('purgeDeletedRoom', { params, body: { typedName: 'another' } })
    await expect(wrong).rejects.toMatchObject({ problem: { status: 400, errors: [{ field: 'typedName' }] } })
    await network.planFault('room.purge:find-traces:after:hold')
    const { operationId } = (await network.admin.call('purgeDeletedRoom', { params, body: { typedName: room } })).body
    await until('the purge is held', () => network.faultHappened())
    expect(await listed(room)).toMatchObject({ state: 'PURGING', operationId })
    const restoring = network.admin.call('restoreDeletedRoom', { params, body: {} })
    await expect(restoring).rejects.toMatchObject({ code: 'room-busy', problem: { status: 409 } })
    await network.admin.call('cancelOperation', { params: { id: operationId } })
    await network.settle()
    expect(await listed(room)).toMatchObject({ state: 'KEPT', operationId: null })

    await network.planFault('room.restore-deleted:send-backup:after:hold')
    const restore = (await network.admin.call('restoreDeletedRoom', { params, body: {} })).body
    await until('the restore is held', () => network.faultHappened())
    const purging = network.admin.call('purgeDeletedRoom', { params, body: { typedName: room } })
    await expect(purging).rejects.toMatchObject({ code: 'room-busy', problem: { status: 409 } })
    expect(await listed(room)).toMatchObject({ state: 'RESTORING', operationId: restore.operationId })
    await network.admin.call('cancelOperation', { params: { id: restore.operationId } })
    await network.settle()
    expect(await listed(room)).toMatchObject({ state: 'KEPT', operationId: null })
  })

  it('that has begun and failed cannot be followed by a restore; begun anew it certifies all that was removed', async () => {
    const room = await deletedRoom()
    const params = { id: await idOf(room) }
    await network.planFault('room.purge:remove-backups:after:fail')
    await purge(room)
    expect(await listed(room)).toMatchObject({ state: 'PURGE_FAILED', backup: null })
    const restoring = network.admin.call('restoreDeletedRoom', { params, body: {} })
    await expect(restoring).rejects.toMatchObject({ code: 'purge-begun', problem: { status: 409 } })
    await purge(room)
    const { removed } = await certificateOf(params.id)
    expect(removed.filter(({ kind }) => kind === 'backup')).toMatchObject([
      { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
  })

  it('waits for a region that is away, and certifies nothing meanwhile', async () => {
    const room = await deletedRoom()
    const params = { id: await idOf(room) }
    const { name, dataDir, port, stop } = network.regions[1] as Network['regions'][number]
    await stop()
    const { operationId } = (await network.admin.call('purgeDeletedRoom', { params, body: { typedName: room } })).body
    await until('the region is missed', async () => {
      const steps = await network.database.rows<{ why: string }>(
        'select failing_reasons::text as why from operation_steps where operation_id = $1 and failing_since is not null',
        [operationId],
      )
      return steps.length > 0
    })
    expect(await listed(room)).toMatchObject({ state: 'PURGING', backup: { kind: 'classic' } })
    await expect(certificateOf(params.id)).rejects.toMatchObject({
      code: 'certificate-unknown',
      problem: { status: 404 },
    })
    network.regions[1] = await startRegion({ name, dataDir, port })
    await network.settle()
    expect((await certificateOf(params.id)).room.projectRoomName).toBe(room)
  })
})

describe('a certificate', () => {
  // shows: deleted-certificate
  it('is vouched for by the audit trail; an altered one is told apart', async () => {
    const room = await deletedRoom()
    const id = await idOf(room)
    await purge(room)
    const certificate = await certificateOf(id)
    expect(verify(JSON.stringify(certificate, null, 2))).toMatchObject({
      status: 0,
      output: expect.stringContaining('genuine'),
    })
    const reordered = Object.fromEntries(Object.entries(certificate).toReversed())
    expect(verify(JSON.stringify(reordered))).toMatchObject({ status: 0 })
    const { audit, removed } = certificate
    const alterations = {
      'somebody else': { ...certificate, purgedBy: 'somebody@example.com' },
      'a thing less': { ...certificate, removed: removed.slice(1) },
      'one more member': { ...certificate, note: 'x' },
      'another digest': { ...certificate, audit: { ...audit, sha256: '0'.repeat(64) } },
      'another entry': { ...certificate, audit: { ...audit, entryId: audit.entryId - 1 } },
      'another seal': { ...certificate, audit: { ...audit, seal: { ...audit.seal, hash: '0'.repeat(64) } } },
    }
    for (const [what, altered] of Object.entries(alterations)) {
      const { status, output } = verify(JSON.stringify(altered))
      expect([what, status]).toEqual([what, 1])
      expect(output).toContain('certificate was altered')
    }
    expect(verify('no JSON')).toMatchObject({ status: 1, output: expect.stringContaining('not a certificate') })
  })

  it('of a room that was not purged is refused', async () => {
    await expect(certificateOf(crypto.randomUUID())).rejects.toMatchObject({
      code: 'certificate-unknown',
      problem: { status: 404 },
    })
  })
})

const marker = 'the-marker-of-this-room-5f1c'

function verify(text: string): { status: number | null; output: string } {
  const file = join(network.dir, 'certificate.json')
  writeFileSync(file, text)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['apps/server/src/app/verify-audit.ts', '--certificate', file],
    {
      cwd: repository,
      env: { PATH: process.env.PATH ?? '', DATABASE_URL: network.database.url, DATA_DIR: join(network.dir, 'server') },
      encoding: 'utf8',
    },
  )
  return { status, output: stdout + stderr }
}

async function remove(roomName: string): Promise<void> {
  await network.admin.call('deleteRoom', { body: { roomName } })
  await network.settle()
}

async function deletedRoom(): Promise<string> {
  const room = await network.newRoom()
  await remove(room)
  return room
}

async function listed(room: string) {
  const { data } = (await network.admin.call('deletedRooms', { query: { search: room } })).body
  return data.find(({ projectRoomName }) => projectRoomName === room)
}

const idOf = async (room: string) => (await listed(room))?.id ?? ''

async function purge(room: string): Promise<void> {
  await network.admin.call('purgeDeletedRoom', { params: { id: await idOf(room) }, body: { typedName: room } })
  await network.settle()
}

const certificateOf = async (id: string) => (await network.admin.call('purgeCertificate', { params: { id } })).body

/** Where the console says that backups of the room lie. */
async function placesOf(roomId: string): Promise<{ locations: string[] }> {
  const rows = await network.database.rows<{ location: string }>(
    `select location from room_backups where room_id = $1
      union all select store_key from database_backups where room_id = $1`,
    [roomId],
  )
  return { locations: rows.map(({ location }) => location) }
}

async function isInStore(location: string): Promise<boolean> {
  const answer = await fetch(`${store.endpoint}/${location.slice('s3://'.length)}`)
  return answer.ok
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(join(network.dir, folder), { recursive: true, withFileTypes: true })
  return entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
}

/** The files of the network, except PostgreSQL's, whose path or raw content has the text. */
async function foldersWith(text: string): Promise<string[]> {
  const files = (await filesOf('')).filter((path) => !path.includes('postgres'))
  return files.filter((path) => path.includes(text))
}

async function filesWith(text: string): Promise<string[]> {
  const found: string[] = []
  for (const path of (await filesOf('')).filter((each) => !each.includes('postgres')))
    if ((await readFile(path).catch(() => Buffer.alloc(0))).includes(text)) found.push(path)
  return found
}

/** The tables with a row that has all of these texts. */
async function tablesWith(...texts: string[]): Promise<string[]> {
  const tables = await network.database.rows<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const has = texts.map((_, index) => `position($${index + 1} in t::text) > 0`).join(' and ')
    const rows = await network.database.rows(`select 1 from "${name}" t where ${has} limit 1`, texts)
    if (rows.length > 0) found.push(name)
  }
  return found
}
