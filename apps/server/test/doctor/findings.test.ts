/** Every kind of disagreement made behind the console's back is found, and every repair settles it. */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { createClient } from '@roomkeeper/contract'
import { bootNetwork, type Network, repository, uniqueRoomName, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeDocuments } from '../life/room-life.ts'
import { moveAll, newMigration } from '../migrations/moves.ts'
import {
  copyBehindTheConsole,
  deleteBehindTheConsole,
  findingsAbout,
  kindsOf,
  makeBehindTheConsole,
  previewOf,
  regionAt,
  repair,
  roomIdOf,
  runDoctor,
} from './run-doctor.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
})
afterAll(() => network?.stop())

const done = { state: 'done', error: null }

async function stateOf(name: string) {
  const [row] = await network.database.rows<{ state: string; region_id: number; error_message: string | null }>(
    'select state, region_id, error_message from rooms where name = $1',
    [name],
  )
  return row
}

async function onlyFinding(room: string, kind: string) {
  const found = await findingsAbout(network, room)
  expect(kindsOf(found)).toEqual([kind])
  return found[0] as (typeof found)[number]
}

describe('a room that', () => {
  // shows: C-doctorFindings, C-runDoctor, doctor-unknown-room
  it('only the region knows is found, and can be adopted as it is', async () => {
    const name = uniqueRoomName()
    await makeBehindTheConsole(regionAt(network, 1), name, randomUUID())
    const finding = await onlyFinding(name, 'room-unknown')
    expect(finding).toMatchObject({ severity: 'warning', regionName: 'region-2', repairs: ['adopt'] })
    const { reason, changes } = await previewOf(network, finding, 'adopt')
    expect({ reason, region: changes.find(({ field }) => field === 'region')?.to }).toEqual({
      reason: null,
      region: 'region-2',
    })
    expect(await stateOf(name)).toBeUndefined()
    expect(await repair(network, finding, 'adopt')).toEqual(done)
    const { body } = await network.admin.call('room', { query: { projectRoom: name } })
    expect(body).toMatchObject({
      projectRoomState: 'DEFAULT',
      customerEmail: 'owner@example.com',
      licenses: { YABD: 1 },
    })
    expect(await findingsAbout(network, name)).toEqual([])
  })

  // shows: token-audit
  it('only the region knows is adopted with an API token: the audit trail names it, and its owner is not made the sales contact', async () => {
    const name = uniqueRoomName()
    await makeBehindTheConsole(regionAt(network, 1), name, randomUUID())
    const { id } = await onlyFinding(name, 'room-unknown')
    const wanted = { name: 'Nightly repair', role: 'CLOUD_ADMINISTRATOR' } as const
    const { token } = (await network.admin.call('createToken', { body: wanted })).body
    const program = createClient({ base: network.server.address, token: () => token })
    await program.call('repairFinding', { params: { id }, body: { repair: 'adopt' } })
    await network.settle()
    const actor = 'admin@localhost (token Nightly repair)'
    const { body: audit } = await network.admin.call('audit', { query: { room: name } })
    expect(audit.data.map((entry) => [entry.action, entry.actor])).toEqual([['room.adopt', actor]])
    const { body: room } = await network.admin.call('room', { query: { projectRoom: name } })
    expect(room).toMatchObject({ salesmanEmail: '', sapNumber: '' })
  })

  // shows: C-repairFinding, doctor-missing-room
  it('only the console knows is found, and can be marked as missing', async () => {
    const name = await network.newRoom()
    await deleteBehindTheConsole(regionAt(network, 0), name, await roomIdOf(network, name))
    const finding = await onlyFinding(name, 'room-missing')
    expect(finding.text).toBe(`The region region-1 does not have the project room ${name}.`)
    expect(await repair(network, finding, 'mark-missing')).toEqual(done)
    expect(await stateOf(name)).toMatchObject({ state: 'ERROR', error_message: finding.text })
    expect(await findingsAbout(network, name)).toEqual([])
  })

  it('is in another region than the console says is found there, and can be taken from there', async () => {
    const name = await network.newRoom()
    const id = await roomIdOf(network, name)
    await deleteBehindTheConsole(regionAt(network, 0), name, id)
    await makeBehindTheConsole(regionAt(network, 1), name, id)
    const finding = await onlyFinding(name, 'room-elsewhere')
    expect((await previewOf(network, finding, 'adopt')).changes).toEqual([
      { field: 'region', from: 'region-1', to: 'region-2' },
    ])
    expect(await repair(network, finding, 'adopt')).toEqual(done)
    expect(await stateOf(name)).toMatchObject({ state: 'DEFAULT', region_id: 2 })
    expect(await findingsAbout(network, name)).toEqual([])
  })

  // shows: doctor-two-regions
  it('is in two regions is found; the copy that is not in use can be removed, unless the other one is locked', async () => {
    const name = await network.newRoom()
    const id = await roomIdOf(network, name)
    const home = regionAt(network, 0)
    await copyBehindTheConsole(home, regionAt(network, 1), { name, roomId: id })
    const finding = await onlyFinding(name, 'room-twice')
    expect(finding).toMatchObject({ severity: 'error', regionName: 'region-2', facts: { home: 'region-1' } })
    await home.client.lockRoom(name, { roomId: id, holder: 'somebody' })
    expect(await previewOf(network, finding, 'remove-copy')).toMatchObject({ reason: expect.stringMatching('locked') })
    expect(await repair(network, finding, 'remove-copy')).toMatchObject({ state: 'failed' })
    expect(await regionAt(network, 1).client.room(name)).not.toBeNull()
    await home.client.unlockRoom(name, { roomId: id, holder: 'somebody' })
    expect(await repair(network, finding, 'remove-copy')).toEqual(done)
    expect(await regionAt(network, 1).client.room(name)).toBeNull()
    expect(await home.client.room(name)).toMatchObject({ roomId: id, locked: false })
    expect(await findingsAbout(network, name)).toEqual([])
  })

  it('is in two regions, and holds something else in the second one, is kept in both', async () => {
    const name = await network.newRoom()
    const id = await roomIdOf(network, name)
    await makeBehindTheConsole(regionAt(network, 1), name, id)
    await writeDocuments(network, name, { a: { text: 'only here' } })
    const finding = await onlyFinding(name, 'room-twice')
    expect(await repair(network, finding, 'remove-copy')).toEqual({
      state: 'failed',
      error: expect.stringMatching('does not hold the same'),
    })
    expect(await regionAt(network, 1).client.room(name)).toMatchObject({ roomId: id, locked: false })
    await deleteBehindTheConsole(regionAt(network, 1), name, id)
  })

  it('has the name of another one is found, and nothing touches the other one', async () => {
    const name = await network.newRoom()
    const other = randomUUID()
    await deleteBehindTheConsole(regionAt(network, 0), name, await roomIdOf(network, name))
    await makeBehindTheConsole(regionAt(network, 0), name, other)
    const finding = await onlyFinding(name, 'room-id-differs')
    expect(await repair(network, finding, 'mark-missing')).toEqual(done)
    expect(await stateOf(name)).toMatchObject({ state: 'ERROR' })
    expect(await regionAt(network, 0).client.room(name)).toMatchObject({ roomId: other })
    // A stranger of that name is still there, and reported as such.
    expect(kindsOf(await findingsAbout(network, name))).toEqual([])
  })

  // shows: doctor-product
  it('has another product is found, and nothing is offered', async () => {
    const name = await network.newRoom()
    await network.database.rows(`update rooms set edition = 'advanced' where name = $1`, [name])
    expect(await onlyFinding(name, 'product-differs')).toMatchObject({
      facts: { expected: 'ARIS advanced', found: 'ARIS basic' },
      repairs: [],
    })
    await network.database.rows(`update rooms set edition = 'basic' where name = $1`, [name])
    expect(await findingsAbout(network, name)).toEqual([])
  })

  // shows: doctor-state
  it.each(['active', 'suspended'] as const)('should be %s and is not is found, and told again', async (expected) => {
    const name = expected === 'active' ? await network.newRoom() : await network.newSuspendedRoom()
    const { client } = regionAt(network, 0)
    const roomId = await roomIdOf(network, name)
    if (expected === 'active') await client.suspendRoom(name, roomId)
    else await client.resumeRoom(name, roomId)
    const finding = await onlyFinding(name, 'state-differs')
    expect((await previewOf(network, finding, 'send-again')).changes).toMatchObject([{ field: 'state', to: expected }])
    expect(await repair(network, finding, 'send-again')).toEqual(done)
    expect((await client.room(name))?.state).toBe(expected)
    expect(await findingsAbout(network, name)).toEqual([])
  })

  // shows: doctor-differs, region-patch
  it('has other licences, contacts and another expiry is found, and told again', async () => {
    const name = await network.newRoom()
    const { client } = regionAt(network, 0)
    const roomId = await roomIdOf(network, name)
    const before = (await client.room(name))?.settings
    if (before === undefined) throw new Error('The region does not tell its settings.')
    await client.changeRoom(name, {
      roomId,
      expirationDate: '2099-01-01',
      licences: before.licences.map((each) => ({ ...each, licenseAmount: 99 })),
      contacts: { ...before.contacts, companyName: 'Another, Inc.' },
    })
    const finding = await onlyFinding(name, 'settings-differ')
    expect(finding.facts.fields).toBe('licences, expirationDate, contacts')
    expect((await previewOf(network, finding, 'send-again')).changes).toContainEqual({
      field: 'expirationDate',
      from: '2099-01-01',
      to: null,
    })
    expect(await repair(network, finding, 'send-again')).toEqual(done)
    expect((await client.room(name))?.settings).toEqual(before)
    expect(await findingsAbout(network, name)).toEqual([])
  })

  // shows: doctor-lock
  it('is locked for nobody is found, and can be unlocked', async () => {
    const name = await network.newRoom()
    const { client } = regionAt(network, 0)
    await client.lockRoom(name, { roomId: await roomIdOf(network, name), holder: `migration ${randomUUID()}` })
    const finding = await onlyFinding(name, 'lock-orphaned')
    expect(await repair(network, finding, 'release')).toEqual(done)
    expect((await client.room(name))?.locked).toBe(false)
    expect(await findingsAbout(network, name)).toEqual([])
  })

  it('waits for an operation that is gone is found, and can be released', async () => {
    const name = await network.newRoom()
    await network.database.rows(`update rooms set state = 'IN_PROGRESS' where name = $1`, [name])
    const finding = await onlyFinding(name, 'room-stuck')
    expect(await repair(network, finding, 'release')).toEqual(done)
    expect(await stateOf(name)).toMatchObject({ state: 'ERROR', error_message: 'An operation was interrupted.' })
    expect(await findingsAbout(network, name)).toEqual([])
  })
})

describe('a room that was moved within a day', () => {
  it('and has lost a document since is found, as long as nobody has changed it', async () => {
    const [name, open] = [uniqueRoomName(), uniqueRoomName()]
    await network.newRoom({ tenantName: open })
    await network.newSuspendedRoom({ tenantName: name })
    await moveAll(network, { migrationId: await newMigration(network), rooms: [name, open] })
    const ofMoves = async () => (await runDoctor(network)).filter(({ kind }) => kind === 'moved-differs')
    expect(await ofMoves()).toEqual([])
    const [said] = await network.database.rows<{ text: string }>(
      `select text from operation_log where text like '%moved within a day%' order by at desc limit 1`,
    )
    expect(said?.text).toContain('1 of 2 project rooms')
    const region = regionAt(network, 1)
    const id = await roomIdOf(network, name)
    await region.client.changeRoom(name, { roomId: id, expirationDate: '2099-01-01' })
    const [found] = await ofMoves()
    expect(found).toMatchObject({ projectRoomName: name, regionName: 'region-2', severity: 'error' })
    await network.database.rows(
      `update operations set ended_at = ended_at - interval '2 days' where kind = 'room.migrate'`,
    )
    expect((await ofMoves()).map((each) => each.id)).toEqual([found?.id])
    await network.admin.call('deleteRoom', { body: { roomName: name } })
    await network.settle()
    expect(await ofMoves()).toEqual([])
  })
})

describe('a redirection', () => {
  // shows: doctor-routes
  it('of a room that does not exist is found, and can be ended', async () => {
    const name = uniqueRoomName()
    const region = regionAt(network, 1)
    await region.client.putRoute(name, regionAt(network, 0).url)
    const finding = await onlyFinding(name, 'redirect-without-room')
    expect(await repair(network, finding, 'end-redirect')).toEqual(done)
    expect((await region.client.routes())?.routes).toEqual([])
    expect(await findingsAbout(network, name)).toEqual([])
  })

  // shows: doctor-routes
  it('that leads elsewhere than to the room is found, and can lead there again', async () => {
    const name = await network.newRoom()
    const region = regionAt(network, 1)
    await region.client.putRoute(name, 'https://elsewhere.example')
    const finding = await onlyFinding(name, 'redirect-misleads')
    expect((await previewOf(network, finding, 'send-again')).reason).toMatch('can only be ended')
    await network.database.rows(
      'insert into redirects (room_id, room_name, region_id, target_region_id) values ($1, $2, 2, 1)',
      [await roomIdOf(network, name), name],
    )
    expect(await repair(network, finding, 'send-again')).toEqual(done)
    expect((await region.client.routes())?.routes).toEqual([{ name, targetUrl: regionAt(network, 0).url }])
    expect(await findingsAbout(network, name)).toEqual([])
  })

  it('away from the region where the room is can only be ended', async () => {
    const name = await network.newRoom()
    const { client } = regionAt(network, 0)
    await client.putRoute(name, regionAt(network, 1).url)
    const finding = await onlyFinding(name, 'redirect-misleads')
    expect(await previewOf(network, finding, 'send-again')).toMatchObject({ reason: expect.any(String), changes: [] })
    expect(await repair(network, finding, 'end-redirect')).toEqual(done)
    expect(await findingsAbout(network, name)).toEqual([])
  })
})

describe('a backup', () => {
  async function newBackup() {
    const name = await network.newSuspendedRoom()
    await network.admin.call('backupRoom', { query: { projectRoomName: name, isD2O: false } })
    await network.settle()
    const [row] = await network.database.rows<{ location: string }>(
      'select location from room_backups where room_name = $1',
      [name],
    )
    return { name, file: join(network.dir, 'server', 'backups', row?.location ?? '') }
  }

  // shows: doctor-backup-missing
  it('whose file is gone is found, and can be marked as missing', async () => {
    const { name, file } = await newBackup()
    await rm(file)
    const finding = await onlyFinding(name, 'backup-missing')
    expect(await repair(network, finding, 'mark-missing')).toEqual(done)
    expect((await network.admin.call('roomBackups', { query: { projectRoom: name } })).body).toEqual([])
    expect(await findingsAbout(network, name)).toEqual([])
  })

  it.each([
    ['in a folder that is not there', async () => undefined],
    ['in a folder whose disk is not mounted', async (folder: string) => void (await mkdir(folder))],
    [
      'in a folder of another console',
      async (folder: string) => {
        await mkdir(folder)
        await writeFile(join(folder, 'roomkeeper-store-id'), randomUUID())
      },
    ],
  ])('%s is not said to be gone, and cannot be deleted; nothing is written there', async (_, takePlace) => {
    const { name, file } = await newBackup()
    const folder = join(network.dir, 'server', 'backups')
    const list = async () => (await network.admin.call('roomBackups', { query: { projectRoom: name } })).body
    const params = { id: (await list())[0]?.id ?? '' }
    const problem = { status: 503, detail: expect.stringContaining('not the store of this console') }
    await rename(file, `${file}-elsewhere`)
    const missing = await onlyFinding(name, 'backup-missing')
    await rename(folder, `${folder}-elsewhere`)
    await takePlace(folder)
    const inIt = await readdir(folder).catch(() => null)
    try {
      const found = await runDoctor(network)
      expect(found.find(({ kind }) => kind === 'store-unreachable')?.text).toContain('not the store of this console')
      expect((await previewOf(network, missing, 'mark-missing')).reason).toContain('not the store of this console')
      await expect(network.admin.call('deleteRoomBackup', { params })).rejects.toMatchObject({ problem })
      await expect(network.upload('uploadImport', { name: 'a.zip', content: Buffer.from('PK') })).rejects.toMatchObject(
        { problem },
      )
      await network.admin.call('backupRoom', { query: { projectRoomName: name, isD2O: false } })
      const tried = `select 1 from operation_log join operations o on o.id = operation_id
        where o.room_name = $1 and step_id = 'store-backup' and text like '%not the store of this console%'`
      await until('the backup is tried', async () => (await network.database.rows(tried, [name])).length > 1)
      expect(await list()).toHaveLength(1)
      expect(await readdir(folder).catch(() => null)).toEqual(inIt)
    } finally {
      await rm(folder, { recursive: true, force: true })
      await rename(`${folder}-elsewhere`, folder)
      await rename(`${file}-elsewhere`, file)
    }
    await network.settle()
    expect(await list()).toHaveLength(2)
    expect(await findingsAbout(network, name)).toEqual([])
    await network.admin.call('deleteRoomBackup', { params })
    expect(await list()).toHaveLength(1)
  })

  it('lies in another place only when npm run store:use has found all files there', async () => {
    const { name, file } = await newBackup()
    const folder = join(network.dir, 'server', 'backups')
    const copy = join(network.dir, 'moved')
    const use = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['apps/server/src/use-store.ts', ...args], {
        cwd: repository,
        env: { PATH: process.env.PATH ?? '', ...network.settings, BACKUP_STORE: copy },
        encoding: 'utf8',
        timeout: 30_000,
      })
      return { status, said: stdout + stderr }
    }
    const more = ['cut', 'other', 'gone'].map((each) => `${relative(folder, file)}.${each}`)
    await network.database.rows(
      `insert into room_backups (id, room_id, room_name, kind, location, size, sha256)
       select gen_random_uuid(), room_id, room_name, kind, new, size, sha256 from room_backups, unnest($2::text[]) as new
        where room_name = $1`,
      [name, more],
    )
    expect(use()).toMatchObject({ status: 2, said: expect.stringContaining('stop every process') })
    await network.server.stop()
    // As a minute later.
    await network.database.rows(`update workers set heartbeat_at = now() - interval '2 minutes'`)
    await cp(folder, copy, { recursive: true })
    const content = await readFile(file)
    await writeFile(join(copy, more[0] ?? ''), content.subarray(1))
    await writeFile(join(copy, more[1] ?? ''), Buffer.alloc(content.length))
    const { status, said } = use()
    expect(status).toBe(1)
    expect(said).toContain(`${more[0]} has ${content.length - 1} bytes instead of ${content.length}.`)
    expect(said).toContain(`${more[1]} has another content.`)
    expect(said).toContain(`${more[2]} is missing.`)
    for (const each of more) await writeFile(join(copy, each), content)
    const used = use()
    // The server still has the former place.
    await network.restartServer()
    const found = await runDoctor(network)
    await network.server.stop()
    await rm(folder, { recursive: true })
    await rename(copy, folder)
    await network.restartServer()
    expect(used).toMatchObject({
      status: 0,
      said: expect.stringMatching(
        /^\d+ files of the store are here, whole\. This is the store of this console now\.\n$/,
      ),
    })
    expect(found.map(({ kind }) => kind)).toContain('store-unreachable')
    expect(await findingsAbout(network, name)).toEqual([])
  })

  // shows: doctor-backup-digest
  it('whose file was cut off is found, until it is whole again', async () => {
    const { name, file } = await newBackup()
    const content = await readFile(file)
    await truncate(file, 10)
    expect(await onlyFinding(name, 'backup-altered')).toMatchObject({
      facts: { what: `10 instead of ${content.length} bytes` },
      repairs: [],
    })
    await writeFile(file, content)
    expect(await findingsAbout(network, name)).toEqual([])
  })

  // shows: doctor-backup-digest
  it('whose file has the same size and another content is found, until it is whole again', async () => {
    const { name, file } = await newBackup()
    const content = await readFile(file)
    const altered = Buffer.from(content)
    altered.writeUInt8(altered.readUInt8(content.length >> 1) ^ 1, content.length >> 1)
    await writeFile(file, altered)
    const finding = await onlyFinding(name, 'backup-altered')
    expect(finding.facts.what).toBe('another SHA-256')
    expect(await onlyFinding(name, 'backup-altered')).toMatchObject({ id: finding.id, since: finding.since })
    await writeFile(file, content)
    expect(await findingsAbout(network, name)).toEqual([])
  })
})

describe('counts that', () => {
  // shows: doctor-counts
  it('were changed by hand are found, and counted anew', async () => {
    await network.newRoom()
    await network.database.rows('update regions set room_count = room_count + 3 where id = 1')
    await network.database.rows('update room_totals set designers = coalesce(designers, 0) + 5, rooms = rooms + 1')
    await network.database.rows('delete from room_months')
    await network.database.rows('update customer_totals set rooms = rooms + 1')
    const found = (await runDoctor(network)).filter(({ kind }) => kind === 'count-differs')
    expect(found.map(({ facts }) => facts.what).sort()).toEqual([
      'Project rooms and licences by customer',
      'Project rooms by month',
      'Project rooms of the region region-1',
      'Totals of project rooms and licences',
    ])
    expect(await repair(network, found[0] as (typeof found)[number], 'recount')).toEqual(done)
    expect((await runDoctor(network)).filter(({ kind }) => kind === 'count-differs')).toEqual([])
  })

  it('are no counts but the last backups of rooms are found, and looked up anew', async () => {
    const name = await network.newRoom()
    await network.database.rows('update rooms set last_backup_at = now() where name = $1', [name])
    const found = (await runDoctor(network)).filter(({ kind }) => kind === 'count-differs')
    expect(found.map(({ facts }) => facts.what)).toEqual(['Project rooms with the right last backup'])
    expect(await repair(network, found[0] as (typeof found)[number], 'recount')).toEqual(done)
    expect((await runDoctor(network)).filter(({ kind }) => kind === 'count-differs')).toEqual([])
    const { body } = await network.admin.call('room', { query: { projectRoom: name } })
    expect(body.lastBackupAt).toBeNull()
  })

  it('hold a reservation for nobody are found, and the capacity is free again', async () => {
    const name = await network.newRoom()
    await network.database.rows(
      'insert into capacity_reservations (room_id, region_id, operation_id) values ($1, 2, gen_random_uuid())',
      [await roomIdOf(network, name)],
    )
    const [finding] = (await runDoctor(network)).filter(({ kind }) => kind === 'reservation-left-over')
    expect(finding?.facts).toMatchObject({ room: name, region: 'region-2' })
    if (finding !== undefined) expect(await repair(network, finding, 'release')).toEqual(done)
    expect(await runDoctor(network)).toEqual([])
  })
})
