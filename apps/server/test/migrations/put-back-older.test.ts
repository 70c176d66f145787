/**
 * A region whose disk is put back from a backup made before or during a move still answers with the room, but without
 * what the move has proved. Then nothing is opened, and the complete copy is not removed.
 */
import { cp, rename, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { bootNetwork, type Network, type RunningRegion, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { write } from '../chaos/real-room.ts'
import { writeDocuments } from '../life/room-life.ts'
import { serverKilled } from '../server-killed.ts'
import { endSessions, entriesOf, moveAll, newMigration, startRun, whereabouts } from './moves.ts'

let network: Network
let migrationId: number
let back: number
beforeAll(async () => {
  const env = { REGION_FAULTS: '1' }
  network = await bootNetwork({ regions: [{ env }, { env }, {}], env: { WORKER_LEASE_SECONDS: '3' } })
  migrationId = await newMigration(network)
  back = await newMigration(network, { sourceRegion: 2, targetRegion: 1 })
})
afterAll(() => network?.stop())

const source = 0
const target = 1
const region = (index: number) => network.regions[index] as RunningRegion
const notHeld = 'The project room in region-2 does not hold what was moved there'

describe('a target that was put back as it was before its copy was filled', () => {
  it('is not opened, and the source is kept; when it is whole again, Retry goes on', async () => {
    const { room, before } = await switched()
    await swapDisk(target, 'empty', 'whole')
    await restartBoth(target)
    await expectNotHeld(room)
    // Retry checks again, with the same result.
    await retry(room)
    await expectNotHeld(room)
    await region(target).stop()
    await swapDisk(target, 'whole', 'useless')
    await network.restartRegion(target)
    await retry(room)
    expect(await whereabouts(network, room)).toEqual(inTarget(before))
  })

  it('is not taken for whole by Retry either, when only the folder of the room was put back', async () => {
    const { room, before } = await switched()
    const folder = `${region(target).dataDir}/rooms/${room}`
    await rename(folder, `${network.dir}/whole-room`)
    await restartBoth(target)
    expect(await stateOf(room)).toMatchObject({
      state: 'ERROR',
      error: expect.stringContaining('The region region-2 does not have the project room'),
    })
    await region(target).stop()
    await cp(`${network.dir}/empty/rooms/${room}`, folder, { recursive: true })
    await network.restartRegion(target)
    await retry(room)
    await expectNotHeld(room)
    await region(target).stop()
    await rm(folder, { recursive: true })
    await rename(`${network.dir}/whole-room`, folder)
    await network.restartRegion(target)
    await retry(room)
    expect(await whereabouts(network, room)).toEqual(inTarget(before))
  })

  it('is not opened by the operation that opens it later either', async () => {
    const room = await copiedWithDisk()
    const path = `/region/v1/rooms/${room}/resume`
    await network.setRegionFaults([{ method: 'POST', path, action: 'status', status: 503, times: 100_000 }], target)
    await network.restartServer()
    await until('it is left to be opened', async () => (await operationOf(room))?.kind === 'migration.open-target')
    await region(target).stop()
    await swapDisk(target, 'empty', 'useless')
    await network.restartRegion(target)
    await until('opening has failed', async () => (await operationOf(room))?.state === 'failed')
    await expectNotHeld(room)
    const [leaving] = await network.database.rows<{ id: string }>(
      `select id from operations where room_name = $1 and kind = 'migration.leave-source' and ended_at is null`,
      [room],
    )
    // By now the clean-up of the source pauses long between its tries.
    if (leaving !== undefined) await network.admin.call('cancelOperation', { params: leaving }).catch(() => undefined)
    await network.settle()
    await expectNotHeld(room)
  })

  async function expectNotHeld(room: string): Promise<void> {
    expect(await stateOf(room)).toMatchObject({ state: 'ERROR', region: 2, error: expect.stringContaining(notHeld) })
    expect((await whereabouts(network, room)).copies).toMatchObject([
      { state: 'suspended' },
      { state: 'suspended' },
      null,
    ])
    expect(documentsOf(source, room)).toEqual(['one'])
  }
})

/** A move whose worker was killed; the target's disk was copied while its copy of the room was empty. */
async function copiedWithDisk(): Promise<string> {
  const room = await roomWithContent()
  await network.planFault('room.migrate:restore-copy:before:kill')
  await startRun(network, { migrationId, rooms: [room] })
  await serverKilled(network)
  await copyDisk(target, 'empty')
  return room
}

/** A move whose worker was killed right after the switch; then the target was stopped. */
async function switched() {
  const room = await copiedWithDisk()
  await network.planFault('room.migrate:switch:recorded:kill')
  await network.restartServer()
  await serverKilled(network)
  const [copy] = (await whereabouts(network, room)).copies
  if (copy === null || copy === undefined) throw new Error('The source does not have the room.')
  await region(target).stop()
  const row = { region_id: 2, state: 'DEFAULT', priority: 0 }
  return { room, before: { row, copies: [{ ...copy, state: 'active' as const, locked: false }] } }
}

async function restartBoth(index: number): Promise<void> {
  await network.restartRegion(index)
  await network.restartServer()
  await network.settle()
}

it('a suspended room that was lost after it had moved is not whole with an older folder, when the move is tried again', async () => {
  const room = await roomWithContent()
  await change(room, 'suspendRoom')
  await network.planFault('room.migrate:open-target:recorded:kill')
  await startRun(network, { migrationId, rooms: [room] })
  await serverKilled(network)
  await region(target).stop()
  const folder = `${region(target).dataDir}/rooms/${room}`
  await rename(folder, `${network.dir}/whole-folder`)
  await restartBoth(target)
  expect(await stateOf(room)).toMatchObject({
    state: 'ERROR',
    error: expect.stringContaining('The region region-2 does not have the project room'),
  })
  await region(target).stop()
  await cp(`${network.dir}/whole-folder`, folder, { recursive: true })
  deleteDocument(folder, 'one')
  await network.restartRegion(target)
  await retry(room)
  expect(await stateOf(room)).toMatchObject({ state: 'ERROR', region: 2, error: expect.stringContaining(notHeld) })
  expect(documentsOf(source, room)).toEqual(['one'])
  await region(target).stop()
  await rm(folder, { recursive: true })
  await rename(`${network.dir}/whole-folder`, folder)
  await network.restartRegion(target)
  await retry(room)
  expect(await stateOf(room)).toEqual({ state: 'SUSPENDED', region: 2, error: null })
  expect(documentsOf(target, room)).toEqual(['one'])
  expect(await region(source).client.room(room)).toBeNull()
})

it('a target that was put back with an earlier stay of the room does not count as the room: the source is kept', async () => {
  const room = await roomWithContent()
  await moveAll(network, { migrationId, rooms: [room] })
  await copyDisk(target, 'earlier')
  await moveAll(network, { migrationId: back, rooms: [room] })
  expect(await write(region(source), room, 'two', 'by a user')).toBe('acknowledged')
  await endSessions(network, room)
  const look = { method: 'GET', path: `/region/v1/rooms/${room}` }
  await network.setRegionFaults([{ ...look, action: 'status', status: 503, times: 100_000 }], target)
  await startRun(network, { migrationId, rooms: [room] })
  await until('the room is moved', async () => {
    const { region: where, state } = (await stateOf(room)) ?? {}
    return where === 2 && state === 'DEFAULT'
  })
  await region(target).stop()
  await swapDisk(target, 'earlier', 'whole')
  await network.restartRegion(target)
  await network.settle()
  expect(documentsOf(target, room)).toEqual(['one'])
  expect(documentsOf(source, room)).toEqual(['one', 'two'])
  expect(await stateOf(room)).toMatchObject({ state: 'ERROR', region: 2, error: expect.stringContaining(notHeld) })
  // The room is complete again: the alarm ends, and the source is cleaned up.
  await region(target).stop()
  await swapDisk(target, 'whole', 'useless')
  await network.restartRegion(target)
  await retry(room, 'migration.leave-source')
  expect(await stateOf(room)).toEqual({ state: 'DEFAULT', region: 2, error: null })
  expect(documentsOf(target, room)).toEqual(['one', 'two'])
  expect(await region(source).client.room(room)).toBeNull()
})

it('nor does one from which the room has gone on before its source was left', async () => {
  const third = await newMigration(network, { sourceRegion: 2, targetRegion: 3 })
  const room = await roomWithContent()
  await moveAll(network, { migrationId, rooms: [room] })
  await copyDisk(target, 'earlier')
  await moveAll(network, { migrationId: back, rooms: [room] })
  expect(await write(region(source), room, 'two', 'by a user')).toBe('acknowledged')
  await endSessions(network, room)
  const look = { method: 'GET', path: `/region/v1/rooms/${room}` }
  await network.setRegionFaults([{ ...look, action: 'status', status: 503, times: 100_000 }], target)
  await startRun(network, { migrationId, rooms: [room] })
  const isIn = (wanted: number) => async () => {
    const { region: where, state } = (await stateOf(room)) ?? {}
    return where === wanted && state === 'DEFAULT'
  }
  await until('the room is moved', isIn(2))
  await region(source).stop()
  await region(target).stop()
  await swapDisk(target, 'earlier', 'useless')
  await network.restartRegion(target)
  await startRun(network, { migrationId: third, rooms: [room] })
  await until('the room has gone on', isIn(3))
  await network.restartRegion(source)
  await network.settle()
  expect(documentsOf(source, room)).toEqual(['one', 'two'])
  expect(await leavingOf(room, 1)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('region-2 does not know what was moved to it'),
  })
  // After a month its region would have removed the record anyway, so its absence says nothing about the disk.
  await network.database.rows(
    `update operations set created_at = created_at - interval '30 days' where room_name = $1 and kind = $2`,
    [room, 'migration.leave-source'],
  )
  await network.admin.call('retryOperation', { params: { id: (await leavingOf(room, 1))?.id ?? '' } })
  await network.settle()
  expect(documentsOf(source, room)).toEqual(['one', 'two'])
  expect(await leavingOf(room, 1)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('so long ago that region-2 keeps no record of it any more'),
  })
})

describe('a room that was closed after it had moved, while its source was still to be left', () => {
  it.each([
    ['it was moved while it was open', 'DEFAULT'],
    ['an operator had opened it', 'SUSPENDED'],
  ] as const)('is whole again after Retry when its folder was missing, also if used since: %s', async (_, before) => {
    const room = await movedAndUsed(before)
    await region(target).stop()
    const folder = `${region(target).dataDir}/rooms/${room}`
    await rename(folder, `${network.dir}/missing`)
    await network.restartRegion(target)
    await sourceIsBack()
    expect(await stateOf(room)).toMatchObject({
      state: 'ERROR',
      error: expect.stringContaining('The region region-2 does not have the project room'),
    })
    await region(target).stop()
    await rename(`${network.dir}/missing`, folder)
    await network.restartRegion(target)
    await retry(room, 'migration.leave-source')
    expect(await stateOf(room)).toEqual({ state: 'SUSPENDED', region: 2, error: null })
    await expectLeft(room)
  })

  it('is lost in whatever words its error is told, and is not any more once the source is left', async () => {
    const room = await movedAndUsed('DEFAULT')
    await region(target).stop()
    const folder = `${region(target).dataDir}/rooms/${room}`
    await rename(folder, `${network.dir}/missing`)
    await network.restartRegion(target)
    await sourceIsBack()
    await network.database.rows(`update rooms set error_message = 'Nobody knows where.' where name = $1`, [room])
    await region(target).stop()
    await rename(`${network.dir}/missing`, folder)
    await network.restartRegion(target)
    await retry(room, 'migration.leave-source')
    expect(await stateOf(room)).toMatchObject({ region: 2, error: null })
    await expectLeft(room)
  })

  it('has its source left also while it is an error for another reason', async () => {
    const room = await movedAndUsed('DEFAULT')
    const error = 'The backup failed, and not everything could be put back.'
    await network.database.rows(
      `update rooms set state = 'ERROR', error_message = $2, error_code = null where name = $1`,
      [room, error],
    )
    await sourceIsBack()
    expect(await stateOf(room)).toEqual({ state: 'ERROR', region: 2, error })
    await expectLeft(room)
  })

  /** The source is stopped before it is cleaned up. */
  async function movedAndUsed(before: 'DEFAULT' | 'SUSPENDED'): Promise<string> {
    const room = await roomWithContent()
    if (before === 'SUSPENDED') await change(room, 'suspendRoom')
    const look = { method: 'GET', path: `/region/v1/rooms/${room}` }
    await network.setRegionFaults([{ ...look, action: 'status', status: 503, times: 100_000 }], target)
    await startRun(network, { migrationId, rooms: [room] })
    await until('the room is moved', async () => {
      const { region: where, state } = (await stateOf(room)) ?? {}
      return where === 2 && state === before
    })
    await region(source).stop()
    await network.setRegionFaults([], target)
    if (before === 'SUSPENDED') await change(room, 'resumeRoom')
    expect(await write(region(target), room, 'two', 'by a user')).toBe('acknowledged')
    const { client } = region(target)
    for (const { id } of await client.sessions(room)) await client.endSession(room, id)
    await change(room, 'suspendRoom')
    return room
  }

  async function sourceIsBack(): Promise<void> {
    await network.restartRegion(source)
    await network.settle()
  }

  async function expectLeft(room: string): Promise<void> {
    expect(documentsOf(target, room)).toEqual(['one', 'two'])
    expect(await region(source).client.room(room)).toBeNull()
  }
})

it('a source that was put back as it was before the move does not outweigh the copy, which may be newer: it is kept', async () => {
  const room = await roomWithContent()
  await copyDisk(source, 'older')
  expect(await write(region(source), room, 'two', 'by a user')).toBe('acknowledged')
  await endSessions(network, room)
  await network.planFault('room.migrate:switch:before:kill')
  await startRun(network, { migrationId, rooms: [room] })
  await serverKilled(network)
  await region(source).stop()
  await swapDisk(source, 'older', 'useless')
  await network.restartRegion(source)
  await network.restartServer()
  await network.settle()
  expect(documentsOf(source, room)).toEqual(['one'])
  expect(documentsOf(target, room)).toEqual(['one', 'two'])
  expect(await stateOf(room)).toMatchObject({
    state: 'ERROR',
    region: 1,
    error: expect.stringContaining('The copy in region-2 may hold what region-1 does not'),
  })
  // It may be in use, so the lock of its check does not stay until it ends by itself.
  expect(await region(target).client.room(room)).toMatchObject({ state: 'suspended', locked: false })
  expect((await entriesOf(network, migrationId)).at(-1)).toMatchObject({ room_name: room, outcome: 'failed' })
})

async function roomWithContent(): Promise<string> {
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: { from: 'a user' } })
  await endSessions(network, room)
  return room
}

async function change(room: string, how: 'suspendRoom' | 'resumeRoom'): Promise<void> {
  await network.admin.call(how, { body: { roomName: room, userNotification: false } })
  const wanted = how === 'suspendRoom' ? 'SUSPENDED' : 'DEFAULT'
  await until(`the room is ${wanted}`, async () => (await stateOf(room))?.state === wanted)
}

async function copyDisk(index: number, name: string): Promise<void> {
  await region(index).stop()
  await cp(region(index).dataDir, `${network.dir}/${name}`, { recursive: true })
  await network.restartRegion(index)
}

/** Replaces the region's disk with the copy of this name. @param instead the name under which the old disk is kept */
async function swapDisk(index: number, name: string, instead: string): Promise<void> {
  const { dataDir } = region(index)
  await rm(`${network.dir}/${instead}`, { recursive: true, force: true })
  await rename(dataDir, `${network.dir}/${instead}`)
  await cp(`${network.dir}/${name}`, dataDir, { recursive: true })
  await rm(`${network.dir}/${name}`, { recursive: true })
}

type Whereabouts = Awaited<ReturnType<typeof whereabouts>>

function inTarget({ row, copies }: Pick<Whereabouts, 'row' | 'copies'>): Whereabouts {
  return { row, copies: [null, copies[0] ?? null, null], reserved: 0 }
}

/** The room's newest operation. */
async function operationOf(room: string) {
  const [row] = await network.database.rows<{ id: string; kind: string; state: string }>(
    `select id, kind, state from operations where room_id = (select id from rooms where name = $1)
      order by created_at desc limit 1`,
    [room],
  )
  return row
}

async function retry(room: string, kind = 'room.migrate'): Promise<void> {
  const [row] = await network.database.rows<{ id: string }>(
    `select id from operations where room_name = $1 and kind = $2 order by created_at desc limit 1`,
    [room, kind],
  )
  await network.admin.call('retryOperation', { params: { id: row?.id ?? '' } })
  await network.settle()
}

async function leavingOf(room: string, regionId: number) {
  const [row] = await network.database.rows<{ id: string; state: string; error: string }>(
    `select id, state, error from operations
      where kind = 'migration.leave-source' and room_name = $1 and region_id = $2`,
    [room, regionId],
  )
  return row
}

async function stateOf(room: string) {
  const [row] = await network.database.rows<{ state: string; region: number; error: string | null }>(
    'select state, region_id as region, error_message as error from rooms where name = $1',
    [room],
  )
  return row
}

/** Makes the room look as it did before the document was written. */
function deleteDocument(folder: string, id: string): void {
  const file = new DatabaseSync(`${folder}/databases/main.db`)
  file.prepare('delete from documents where id = ?').run(id)
  file.close()
}

function documentsOf(index: number, room: string): string[] {
  const path = `${region(index).dataDir}/rooms/${room}/databases/main.db`
  const file = new DatabaseSync(path, { readOnly: true })
  const rows = file.prepare('select id from documents order by id').all() as { id: string }[]
  file.close()
  return rows.map(({ id }) => id)
}
