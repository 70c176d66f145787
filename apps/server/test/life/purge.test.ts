/** The purge of a deleted room leaves nothing but a certificate, which the audit trail vouches for. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { webhookEvents } from '@roomkeeper/contract'
import { bootNetwork, type Network, repository, startRegion, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { creation } from '../doctor/creation.ts'
import { findingsAbout, previewOf } from '../doctor/run-doctor.ts'
import { type LyingStore, startLyingStore } from '../lying-store.ts'
import { withoutOptionalJobs } from './region-without-optional-jobs.ts'
import { wholeRoom, writeDocuments } from './room-life.ts'

let network: Network
let store: LyingStore
beforeAll(async () => {
  store = await startLyingStore()
  store.sends = 'what was put'
  network = await bootNetwork({
    regions: 2,
    env: {
      KEEP_DELETED_DAYS: '7',
      WEBHOOK_NETWORKS: '127.0.0.0/8',
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
  // shows: deleted-purge, notes-survive, C-purgeDeletedRoom
  it('leaves no byte of the room: not in stores, not in regions, not in the database', async () => {
    // Nothing listens there, so everything that is told of the room waits.
    const told = { name: 'away', url: 'http://127.0.0.1:9/', events: [...webhookEvents], isOn: true }
    const { body: hook } = await network.admin.call('createWebhook', { body: told })
    const room = await network.newSuspendedRoom({
      companyName: 'Gone without trace',
      customerFirstName: 'Unforgettable',
    })
    await network.admin.call('addRoomNote', { body: { projectRoom: room, text: 'Unforgettable' } })
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
    await network.planFault('room.purge:recheck:before:fail')
    await purge(room)
    expect(await tablesWith(roomId)).toEqual(expect.arrayContaining(['room_notes', 'webhook_deliveries']))
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
    // Among them was that the purge had failed before.
    expect(await network.database.rows('select type from webhook_deliveries where room_id = $1', [roomId])).toEqual([])
    await network.admin.call('deleteWebhook', { params: { id: hook.id } })
    expect(await tablesWith('Unforgettable')).toEqual([])
    const certificate = await certificateOf(id)
    const kinds = certificate.removed.map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'object')).toHaveLength(1)
    expect(kinds.filter((kind) => kind === 'region')).toHaveLength(2)
    expect(certificate.room).toMatchObject({ id: roomId, projectRoomName: room, companyName: 'Gone without trace' })
    expect(certificate.purgedBy).toBe('admin@localhost')
    expect(certificate.removed.map(({ location }) => location)).toEqual(expect.arrayContaining(locations))
  })

  it('leaves in lists of bulks and live migrations how it ended for the room, without what was said', async () => {
    const room = await network.newSuspendedRoom()
    const bulk = { action: 'suspend' as const, selection: { rooms: [room] }, expectedTotal: 1 }
    const { operationId } = (
      await network.admin.call('startBulk', { body: { ...bulk, parameters: { userNotification: false } } })
    ).body
    await network.settle()
    const items = async () =>
      (await network.admin.call('bulkItems', { params: { id: operationId } })).body.data as unknown[]
    expect(await items()).toMatchObject([{ projectRoomName: room, state: 'SKIPPED', reason: expect.any(String) }])
    const [entry] = await network.database.rows<{ id: number }>(
      `with migration as (insert into live_migrations (source_region_id, target_region_id) values (1, 2) returning id)
       insert into live_migration_states (migration_id, room_id, room_name, outcome, error, error_reasons)
       select migration.id, rooms.id, rooms.name, 'failed', 'Olga Owner', '[]' from migration, rooms where rooms.name = $1
       returning id`,
      [room],
    )
    await remove(room)
    await purge(room)
    expect(await items()).toMatchObject([{ projectRoomName: room, state: 'SKIPPED', reason: null, reasons: [] }])
    const logs = await network.admin.call('migrationStateLogs', { query: { stateId: entry?.id ?? 0 } })
    expect(logs.body).toMatchObject({ errorInfo: '', errorReasons: [] })
    await network.database.rows('delete from live_migrations')
  })

  it('finds what operations that failed have left in the object store and sent to regions', async () => {
    const room = await network.newSuspendedRoom()
    await network.planFault('room.backup-d2o:record-backup:before:fail')
    await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: true } })
    await network.settle()
    const [{ key = '' } = {}] = await network.database.rows<{ key: string }>(
      `select input->>'key' as key from operations where kind = 'room.backup-d2o' and room_name = $1 and state = 'failed'`,
      [room],
    )
    const location = `s3://bucket/d2o/${key}`
    // As if the region had written it, and then neither it nor the store could be asked.
    await fetch(`${store.endpoint}/${location.slice('s3://'.length)}`, { method: 'PUT', body: 'left' })
    expect(await isInStore(location)).toBe(true)
    // As if a restore had been cancelled while its file was on its way.
    const upload = crypto.randomUUID()
    await network.database.rows(
      `update operations set input = input || jsonb_build_object('upload', $2::text) where kind = 'room.backup-d2o' and room_name = $1`,
      [room, upload],
    )
    await putOnRegion(upload, 'half of an upload')
    await remove(room)
    const id = await idOf(room)
    const backupId = (await listed(room))?.backup?.id ?? ''
    const sent = `restore-${await cancelledRestoreOf(backupId)}`
    expect(await foldersWith(sent)).not.toEqual([])
    // The record of the restore alone tells of which room its backup was.
    await network.database.rows('delete from room_backups where id = $1', [backupId])
    await purge(room)
    expect((await certificateOf(id)).removed.map((thing) => thing.location)).toContain(location)
    expect(await isInStore(location)).toBe(false)
    expect(await foldersWith(upload)).toEqual([])
    expect(await foldersWith(sent)).toEqual([])
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
    const [another] = await network.database.rows<{ id: string }>(
      `insert into room_backups (id, room_id, room_name, kind, location, size, sha256)
       select gen_random_uuid(), room_id, name, 'classic', 'rooms/' || room_id || '/another.zip', 1, ''
         from deleted_rooms where id = $1 returning id`,
      [params.id],
    )
    const testing = network.admin.call('verifyRoomBackup', { params: { id: another?.id ?? '' } })
    await expect(testing).rejects.toMatchObject({ code: 'purge-begun', problem: { status: 409 } })
    await network.database.rows('delete from room_backups where id = $1', [another?.id])
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

describe('before anything is removed, a purge', () => {
  it('fails for a region that cannot purge, and the room can still come back', async () => {
    const room = await deletedRoom()
    const forget = await withoutOptionalJobs(network, 1)
    await purge(room)
    const why = expect.stringContaining('does not offer to remove all of a project room')
    expect(await newestPurge(room)).toMatchObject({ state: 'failed', error: why })
    expect(await listed(room)).toMatchObject({ state: 'KEPT', backup: { kind: 'classic' } })
    forget()
    await network.database.rows('update regions set url = $1 where id = 2', [network.regions[1]?.url])
    await purge(room)
    expect(await listed(room)).toBeUndefined()
  })

  it('is refused while a backup is restored in a test, which a restore need not wait for', async () => {
    const room = await deletedRoom()
    const { id = '', backup } = (await listed(room)) ?? {}
    await network.planFault('backup.verify:send-backup:after:hold')
    const verifying = (await network.admin.call('verifyRoomBackup', { params: { id: backup?.id ?? '' } })).body
    await until('the test is held', () => network.faultHappened())
    const purging = network.admin.call('purgeDeletedRoom', { params: { id }, body: { typedName: room } })
    await expect(purging).rejects.toMatchObject({ code: 'room-busy', problem: { status: 409 } })
    const restoring = (await network.admin.call('restoreDeletedRoom', { params: { id }, body: {} })).body
    await network.admin.call('cancelOperation', { params: { id: verifying.operationId } })
    await network.settle()
    expect(await stateOf(restoring.operationId)).toBe('done')
  })
})

describe('a purge while a backup is downloaded', () => {
  it('is refused, its retry too, and one that has begun waits', async () => {
    const room = await deletedRoom()
    const { id = '', backup } = (await listed(room)) ?? {}
    const reading = () =>
      network.database.rows(
        `insert into backup_uses (id, backup_id, kind, used_by, held_until)
         values (gen_random_uuid(), $1, 'download', 'somebody', now() + interval '30 seconds')`,
        [backup?.id],
      )
    await reading()
    const begin = () => network.admin.call('purgeDeletedRoom', { params: { id }, body: { typedName: room } })
    const problem = { status: 409, detail: expect.stringContaining('somebody is downloading the backup.') }
    await expect(begin()).rejects.toMatchObject({ code: 'backup-in-use', problem })
    await network.database.rows('delete from backup_uses')
    await network.planFault('room.purge:remove-backups:before:fail')
    const { operationId } = (await begin()).body
    await network.settle()
    await reading()
    const retry = () => network.admin.call('retryOperation', { params: { id: operationId } })
    await expect(retry()).rejects.toMatchObject({ code: 'backup-in-use', problem })
    await network.database.rows('delete from backup_uses')
    await network.planFault('room.purge:remove-backups:before:hold')
    await retry()
    await until('it is held', () => network.faultHappened())
    await reading()
    await network.server.stop()
    await network.restartServer()
    const waits = `select 1 from operation_log where operation_id = $1 and text like '%is downloading the backup%'`
    await until('it waits', async () => (await network.database.rows(waits, [operationId])).length > 0)
    await network.database.rows('delete from backup_uses')
    await network.settle()
    expect(await listed(room)).toBeUndefined()
  })
})

it('a restore from the object store that is retried looks at its backup anew: a removed one is refused', async () => {
  const room = await network.newSuspendedRoom()
  await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: true } })
  await network.settle()
  const [backup] = (await network.admin.call('roomBackups', { query: { projectRoom: room } })).body
  const { id = '', location: backupLocationPath = '' } = backup ?? {}
  await network.planFault('room.restore-d2o:check-room:before:fail')
  const body = { isD2O: true, backupLocationPath, projectRoomName: room, region: 'us-east-1' } as const
  const { operationId } = (await network.admin.call('restoreRoomFromObjectStore', { body })).body
  await network.settle()
  const retry = () => network.admin.call('retryOperation', { params: { id: operationId } })
  await network.database.rows(
    `insert into backup_uses (id, backup_id, kind, used_by, held_until)
     values (gen_random_uuid(), $1, 'removal', 'x', now() + interval '30 seconds')`,
    [id],
  )
  await expect(retry()).rejects.toMatchObject({ code: 'backup-unknown' })
  await network.database.rows('delete from backup_uses')
  await network.admin.call('deleteRoomBackup', { params: { id } })
  await expect(retry()).rejects.toMatchObject({ code: 'backup-unknown' })
})

describe('a purge that has begun and failed', () => {
  it('is not forgotten when the days are over, and finds what was left of tests and of processes that died', async () => {
    const room = await deletedRoom()
    const { id = '', backup } = (await listed(room)) ?? {}
    const [{ roomId = '' } = {}] = await network.database.rows<{ roomId: string }>(
      'select room_id as "roomId" from deleted_rooms where id = $1',
      [id],
    )
    const verifying = (await network.admin.call('verifyRoomBackup', { params: { id: backup?.id ?? '' } })).body
    await network.settle()
    await network.planFault('room.purge:remove-backups:after:fail')
    await purge(room)
    // As if the region had been away when the test wanted to remove its file.
    const sent = `verify-${verifying.operationId}-1`
    await putOnRegion(sent, 'half of a backup')
    const arriving = join(network.dir, 'server', 'backups', '.arriving')
    await writeFile(join(arriving, `rooms+${roomId}+x.zip+y`), 'half of a backup')
    await network.database.rows(`update deleted_rooms set kept_until = now() - interval '1 day' where id = $1`, [id])
    await network.server.stop()
    // It cleans up as it starts.
    await network.restartServer()
    await network.settle()
    expect(await listed(room)).toMatchObject({ state: 'PURGE_FAILED' })
    await purge(room)
    expect((await certificateOf(id)).removed.filter(({ kind }) => kind === 'backup')).toHaveLength(1)
    expect(await readdir(arriving)).toEqual([])
    expect(await foldersWith(sent)).toEqual([])
  })

  it('goes on in the name of who has it retried', async () => {
    const room = await deletedRoom()
    const id = await idOf(room)
    await network.planFault('room.purge:remove-backups:after:fail')
    await purge(room)
    const another = await network.as('CLOUD_OPERATOR')
    await another.call('retryOperation', { params: { id: (await newestPurge(room))?.id ?? '' } })
    await network.settle()
    expect((await certificateOf(id)).purgedBy).not.toBe('admin@localhost')
  })

  it('keeps the room from being adopted, and removes it where it came back; nobody purges a room that exists', async () => {
    const room = await deletedRoom()
    const { id = '' } = (await listed(room)) ?? {}
    const [{ roomId = '' } = {}] = await network.database.rows<{ roomId: string }>(
      'select room_id as "roomId" from deleted_rooms where id = $1',
      [id],
    )
    await network.planFault('room.purge:remove-backups:after:fail')
    await purge(room)
    await network.regions[0]?.client.createRoom(room, creation(roomId))
    const [finding] = await findingsAbout(network, room)
    if (finding === undefined) throw new Error('The room was not found.')
    const { reason } = await previewOf(network, finding, 'adopt')
    expect(reason).toContain('its purge has begun')
    const failed = await newestPurge(room)
    const retry = () => network.admin.call('retryOperation', { params: { id: failed?.id ?? '' } })
    // As if it had been adopted all the same.
    const of = (room: string | null) =>
      network.database.rows(
        `update operations set input = jsonb_set(input, '{roomId}', to_jsonb($2::text)) where id = $1`,
        [failed?.id, room],
      )
    await of(String((await wholeRoom(network, await network.newRoom())).row?.id))
    await expect(retry()).rejects.toMatchObject({ code: 'room-busy' })
    await of(roomId)
    await retry()
    await network.settle()
    expect(await network.regions[0]?.client.room(room)).toBeNull()
    expect((await certificateOf(id)).room.projectRoomName).toBe(room)
    // Once more: the doctor knows of the certificate.
    await network.regions[0]?.client.createRoom(room, creation(roomId))
    expect(await findingsAbout(network, room)).toMatchObject([{ facts: { purged: expect.any(String) } }])
  })
})

describe('a certificate', () => {
  // shows: deleted-certificate, C-purgeCertificate, C-purgedRooms
  it('is vouched for by the audit trail; an altered one is told apart', async () => {
    const room = await deletedRoom()
    const id = await idOf(room)
    await purge(room)
    const certificate = await certificateOf(id)
    const [newest] = (await network.admin.call('purgedRooms', {})).body.data
    const { purgedAt, purgedBy } = certificate
    expect(newest).toEqual({ id, projectRoomName: room, companyName: certificate.room.companyName, purgedAt, purgedBy })
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
    // Outside of what the digest is of, and where the text says two things.
    const within = JSON.stringify({ ...certificate, audit: { ...audit, confirmedBy: 'somebody' } })
    expect(verify(within)).toMatchObject({ status: 1, output: expect.stringContaining('not a certificate') })
    const twice = JSON.stringify(certificate).replace('{', '{"purgedBy": "somebody \\" else",')
    expect(verify(twice)).toMatchObject({ status: 1, output: expect.stringContaining('has a member twice') })
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

async function putOnRegion(id: string, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  await network.regions[0]?.client.putFile(id, {
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    async *open(first: number) {
      yield bytes.subarray(first)
    },
  })
}

/** Into another room, cancelled when the backup had been sent. @returns the operation's id */
async function cancelledRestoreOf(backupId: string): Promise<string> {
  const tenantName = await network.newSuspendedRoom()
  await network.planFault('room.restore:send-backup:after:hold')
  const body = { projectRoom: { tenantName }, backupId, confirmOtherRoom: true }
  const { operationId } = (await network.admin.call('restoreRoom', { body })).body
  await until('the backup was sent', () => network.faultHappened())
  await network.admin.call('cancelOperation', { params: { id: operationId } })
  await network.settle()
  return operationId
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

async function newestPurge(room: string) {
  const [row] = await network.database.rows<{ id: string; state: string; error: string | null }>(
    `select id, state, error from operations where kind = 'room.purge' and room_name = $1 order by created_at desc limit 1`,
    [room],
  )
  return row
}

async function stateOf(id: string) {
  const [row] = await network.database.rows<{ state: string }>('select state from operations where id = $1', [id])
  return row?.state
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
