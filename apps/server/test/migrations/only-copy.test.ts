/**
 * No move removes what may be the only copy of a room: a copy is removed only after the room itself was seen in another
 * region. In every other case a person decides. No room waits for an unreachable region.
 */
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { bootNetwork, type Network, type RunningRegion, until } from '@roomkeeper/dev-env'
import type { RoomCreation } from '@roomkeeper/region-protocol'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { write } from '../chaos/real-room.ts'
import { writeDocuments } from '../life/room-life.ts'
import { endSessions, entriesOf, migrationState, newMigration, startRun, whereabouts } from './moves.ts'

let network: Network
let migrationId: number
let back: number
beforeAll(async () => {
  const env = { REGION_FAULTS: '1' }
  network = await bootNetwork({ regions: [{ env }, { env }] })
  migrationId = await newMigration(network)
  back = await newMigration(network, { sourceRegion: 2, targetRegion: 1 })
})
afterAll(() => network?.stop())
afterEach(async () => {
  await network.setRegionFaults([], 0)
  await network.setRegionFaults([], 1)
})

const region = (index: number) => network.regions[index] as RunningRegion
const source = 0
const target = 1
const jobs = { method: 'PUT', path: '/region/v1/jobs/' }
const away = { action: 'status', status: 503, times: 100_000 }
const gone = { action: 'status', status: 404, times: 100_000 }

async function roomWithContent(): Promise<string> {
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: { from: 'a user' } })
  await endSessions(network, room)
  return room
}

interface Found {
  id: string
  kind: string
  state: string
  step: string | null
  error: string | null
}

/** The room's newest operation of this kind. */
async function operationOf(room: string, kind = 'room.migrate'): Promise<Found | undefined> {
  const [row] = await network.database.rows<Found>(
    `select id, kind, state, step_id as step, error from operations where room_name = $1 and kind = $2 order by created_at desc limit 1`,
    [room, kind],
  )
  return row
}

const isAt = (room: string, step: string) =>
  until(`the move of ${room} is at "${step}"`, async () => (await operationOf(room))?.step === step)

async function retry(room: string, kind?: string): Promise<void> {
  await network.admin.call('retryOperation', { params: { id: (await operationOf(room, kind))?.id ?? '' } })
}

async function stateOf(room: string) {
  const { body } = await network.admin.call('room', { query: { projectRoom: room } })
  const [row] = await network.database.rows<{ error: string | null }>(
    'select error_message as error from rooms where name = $1',
    [room],
  )
  return { state: body.projectRoomState, region: body.region, error: row?.error ?? null }
}

async function logOf(room: string, kind: string): Promise<string[]> {
  const lines = await network.database.rows<{ text: string }>(
    `select l.text from operation_log l join operations o on o.id = l.operation_id where o.room_name = $1 and o.kind = $2`,
    [room, kind],
  )
  return lines.map(({ text }) => text)
}

/** Deletes the room from a region as if it had never been there. */
async function loseRoom(index: number, name: string): Promise<void> {
  const { client } = region(index)
  const info = await client.room(name)
  const holder = info?.lock?.holder
  const job = {
    type: 'deleteRoom',
    room: name,
    roomId: info?.roomId ?? '',
    ...(holder === undefined ? {} : { holder }),
  } as const
  await client.runJob(`lose-${randomUUID()}`, job)
}

describe('a move that is undone', () => {
  it('keeps the copy in the target when the source does not have the room any more, and says what was found', async () => {
    const room = await roomWithContent()
    await network.setRegionFaults([{ ...jobs, ...away }], target)
    await startRun(network, { migrationId, rooms: [room] })
    await isAt(room, 'restore-copy')
    await loseRoom(source, room)
    await network.setRegionFaults([], target)
    await network.settle()
    expect(await operationOf(room)).toMatchObject({ state: 'failed' })
    expect((await whereabouts(network, room)).copies[1]).not.toBeNull()
    const { state, region: where, error } = await stateOf(room)
    expect({ state, where }).toEqual({ state: 'ERROR', where: 1 })
    expect(error).toContain('region-1 does not have the project room, and the copy in region-2 may not be whole.')
    expect(error).toContain('Nothing was removed.')
    expect((await entriesOf(network, migrationId)).at(-1)).toMatchObject({ room_name: room, outcome: 'failed' })
    // Retry checks again, with the same result.
    await retry(room)
    await network.settle()
    expect(await stateOf(room)).toMatchObject({ state: 'ERROR', region: 1 })
    expect((await whereabouts(network, room)).copies[1]).not.toBeNull()
  })

  it('keeps a copy that was written to after it had been compared', async () => {
    const room = await roomWithContent()
    await network.planFault('room.migrate:compare-copies:after:hold')
    await startRun(network, { migrationId, rooms: [room] })
    await until('both copies are compared', () => network.faultHappened())
    const file = new DatabaseSync(`${network.dir}/region-2/rooms/${room}/databases/main.db`)
    file.exec(`update documents set body = '{"from":"a user of the copy"}' where id = 'one'`)
    file.close()
    const { id } = (await operationOf(room)) ?? { id: '' }
    await network.admin.call('cancelOperation', { params: { id } })
    await network.settle()
    expect((await whereabouts(network, room)).copies[1]).not.toBeNull()
    expect(await stateOf(room)).toMatchObject({
      state: 'ERROR',
      error: expect.stringContaining('The copy in region-2 has been changed since it was compared'),
    })
    // That does not keep the users of the source out.
    expect((await whereabouts(network, room)).copies[0]).toMatchObject({ state: 'active', locked: false })
    await loseRoom(target, room)
    await retry(room)
    await network.settle()
    expect(await operationOf(room)).toMatchObject({ state: 'cancelled' })
    expect(await stateOf(room)).toEqual({ state: 'DEFAULT', region: 1, error: null })
  })

  it('that was cancelled, and is found in the target by Retry, ends as a move: open there, and nothing is left', async () => {
    const room = await roomWithContent()
    const before = await whereabouts(network, room)
    await network.planFault('room.migrate:compare-copies:after:hold')
    await startRun(network, { migrationId, rooms: [room] })
    await until('both copies are compared', () => network.faultHappened())
    await loseRoom(source, room)
    await network.admin.call('cancelOperation', { params: { id: (await operationOf(room))?.id ?? '' } })
    await network.settle()
    expect(await stateOf(room)).toMatchObject({
      state: 'ERROR',
      region: 1,
      error: expect.stringContaining('region-1 does not have the project room, region-2 has it'),
    })
    await retry(room)
    await network.settle()
    expect(await whereabouts(network, room)).toEqual({
      row: { ...before.row, region_id: 2 },
      copies: [null, before.copies[0]],
      reserved: 0,
    })
    expect((await entriesOf(network, migrationId)).at(-1)).toMatchObject({ room_name: room, outcome: 'migrated' })
  })

  it('waits for a target that is away when the source does not have the room: only it tells what has become of it', async () => {
    const room = await roomWithContent()
    await network.planFault('room.migrate:compare-copies:after:hold')
    await startRun(network, { migrationId, rooms: [room] })
    await until('both copies are compared', () => network.faultHappened())
    await loseRoom(source, room)
    await network.setRegionFaults([{ path: '/region/v1/', ...away }], target)
    await network.admin.call('cancelOperation', { params: { id: (await operationOf(room))?.id ?? '' } })
    await until('it waits for the target, or has ended', async () => {
      const waits = (await logOf(room, 'room.migrate')).some((text) => /undo: create the room.*Trying again/.test(text))
      return waits || ['cancelled', 'failed'].includes((await operationOf(room))?.state ?? '')
    })
    expect(await operationOf(room)).toMatchObject({ state: 'cancelling' })
    await network.setRegionFaults([], target)
    await network.settle()
    expect(await stateOf(room)).toMatchObject({
      state: 'ERROR',
      region: 1,
      error: expect.stringContaining('region-1 does not have the project room, region-2 has it'),
    })
    await retry(room)
    await network.settle()
    expect(await stateOf(room)).toEqual({ state: 'DEFAULT', region: 2, error: null })
  })

  it('that was taken as moved is not run again by another Retry: what users wrote in the target stays', async () => {
    const room = await roomWithContent()
    await network.planFault('room.migrate:compare-copies:after:hold')
    await startRun(network, { migrationId, rooms: [room] })
    await until('both copies are compared', () => network.faultHappened())
    await loseRoom(source, room)
    // The move fails by itself when it continues.
    await network.server.stop('SIGKILL')
    await network.restartServer()
    await network.settle()
    expect(await stateOf(room)).toMatchObject({ state: 'ERROR', region: 1 })
    await retry(room)
    await network.settle()
    expect(await operationOf(room)).toMatchObject({ state: 'failed' })
    expect(await stateOf(room)).toEqual({ state: 'DEFAULT', region: 2, error: null })
    expect(await write(region(target), room, 'late', 'by a user')).toBe('acknowledged')
    await endSessions(network, room)
    // The source has the room again, as from a backup of its disk.
    await copyTo(source, room)
    const retried = await retry(room).then(
      () => 'taken',
      (error: Error) => error.message,
    )
    await network.settle()
    expect(documentsIn(target, room)).toEqual(['late', 'one'])
    expect(await stateOf(room)).toEqual({ state: 'DEFAULT', region: 2, error: null })
    expect(retried).toContain('has moved')
  })

  it('frees the room at once when the target is away, and its copy is removed when that is back', async () => {
    const room = await roomWithContent()
    const before = await whereabouts(network, room)
    await network.setRegionFaults([{ ...jobs, ...away }], target)
    await startRun(network, { migrationId, rooms: [room] })
    await isAt(room, 'restore-copy')
    await region(target).stop('SIGKILL')
    const { id } = (await operationOf(room)) ?? { id: '' }
    await network.admin.call('cancelOperation', { params: { id } })
    await until('the move has ended', async () => (await operationOf(room))?.state === 'cancelled')
    expect(await stateOf(room)).toEqual({ state: 'DEFAULT', region: 1, error: null })
    expect(await region(source).client.room(room)).toMatchObject({ state: 'active', locked: false })
    const monitored = (await network.admin.call('monitoring', { query: { name_search: room, size: 100 } })).body.data
    const ofMove = monitored.filter((entry) => entry.operationId === id)
    expect(ofMove.length).toBeGreaterThan(0)
    expect(ofMove.map((entry) => entry.state)).not.toContain('running')
    expect((await entriesOf(network, migrationId)).at(-1)).toMatchObject({
      room_name: room,
      outcome: 'postponed',
      error: 'The move was cancelled.',
    })
    expect(await operationOf(room, 'migration.leave-target')).toMatchObject({ state: 'running' })
    // Until the copy is removed, no other copy is created there.
    await until('the run has ended', async () => (await migrationState(network, migrationId))?.state !== 'RUNNING')
    await startRun(network, { migrationId, rooms: [room] })
    await until('the next move is postponed', async () =>
      ((await entriesOf(network, migrationId)).at(-1)?.error ?? '').includes('still being removed'),
    )
    await network.restartRegion(target)
    await network.settle()
    expect(await operationOf(room, 'migration.leave-target')).toMatchObject({ state: 'done' })
    const { row } = before
    expect(await whereabouts(network, room)).toEqual({ ...before, row: row && { ...row, priority: row.priority + 2 } })
  })

  it('keeps its copy when the source has lost the room by the time that the target can be asked again', async () => {
    const room = await roomWithContent()
    await network.setRegionFaults([{ ...jobs, ...away }], target)
    await startRun(network, { migrationId, rooms: [room] })
    await isAt(room, 'restore-copy')
    await network.setRegionFaults([{ path: '/region/v1/', ...away }], target)
    await network.admin.call('cancelOperation', { params: { id: (await operationOf(room))?.id ?? '' } })
    await until('its copy is left to an operation that waits for the target', async () =>
      (await logOf(room, 'migration.leave-target')).some((text) => text.includes('Trying again')),
    )
    await loseRoom(source, room)
    await network.setRegionFaults([], target)
    await network.settle()
    expect(await operationOf(room, 'migration.leave-target')).toMatchObject({ state: 'failed' })
    expect((await whereabouts(network, room)).copies).toEqual([null, expect.anything()])
    expect(await stateOf(room)).toMatchObject({
      state: 'ERROR',
      region: 1,
      error: expect.stringContaining('The region region-1 does not have the project room'),
    })
  })

  it.each([
    ['cannot be reached', 503],
    ['is full', 507],
  ])(
    'leaves no copy behind when the target %s, also none that is made only after it was looked for',
    async (_, status) => {
      const room = await roomWithContent()
      const before = await whereabouts(network, room)
      await network.setRegionFaults([{ path: `/region/v1/rooms/${room}`, ...away, status }], target)
      await startRun(network, { migrationId, rooms: [room] })
      await until('the copy is being made', async () => (await operationOf(room))?.step === 'create-copy')
      const { id } = (await operationOf(room)) ?? { id: '' }
      // A move that meets a full disk has already ended by itself.
      await network.admin.call('cancelOperation', { params: { id } }).catch(() => undefined)
      await until('its copy is left to an operation that waits for the target', async () =>
        (await logOf(room, 'migration.leave-target')).some((text) => text.includes('Trying again')),
      )
      await network.setRegionFaults([], target)
      await network.settle()
      const [left] = await network.database.rows<{ state: string; input: { creation: RoomCreation } }>(
        `select state, input from operations where room_name = $1 and kind = 'migration.leave-target'`,
        [room],
      )
      expect(left?.state).toBe('done')
      const [move] = await network.database.rows<{ fence: number }>('select fence from operations where id = $1', [id])
      // The undo has raised the fence by one since.
      const mark = { key: `${id}:1:create`, operation: id, fence: (move?.fence ?? 0) - 1 }
      const late = region(target).client.createRoom(room, left?.input.creation as RoomCreation, mark)
      await expect(late).rejects.toThrow('newer worker')
      expect((await whereabouts(network, room)).copies).toEqual(before.copies)
    },
  )
})

describe('a room that has moved', () => {
  it('keeps its source until the target has answered with it, and does not wait for that', async () => {
    const room = await roomWithContent()
    const before = await whereabouts(network, room)
    await network.setRegionFaults([{ method: 'GET', path: `/region/v1/rooms/${room}`, ...away }], target)
    await startRun(network, { migrationId, rooms: [room] })
    await until('the room is moved', async () => (await operationOf(room))?.state === 'done')
    expect(await stateOf(room)).toMatchObject({ state: 'DEFAULT', region: 2 })
    expect(await region(source).client.room(room)).toMatchObject({ state: 'suspended' })
    await network.setRegionFaults([], target)
    await network.settle()
    expect(await whereabouts(network, room)).toEqual({
      row: { ...before.row, region_id: 2 },
      copies: [null, before.copies[0]],
      reserved: 0,
    })
  })

  it('keeps its source, and is an error, when the target does not know it at the unlocking; a retry looks again', async () => {
    const room = await roomWithContent()
    const before = await whereabouts(network, room)
    await network.setRegionFaults([{ method: 'POST', path: `/region/v1/rooms/${room}/unlock`, ...gone }], target)
    await startRun(network, { migrationId, rooms: [room] })
    await network.settle()
    expect(await operationOf(room)).toMatchObject({ state: 'failed' })
    expect(await stateOf(room)).toMatchObject({
      state: 'ERROR',
      region: 2,
      error: expect.stringContaining('The region region-2 does not have the project room'),
    })
    expect(await region(source).client.room(room)).toMatchObject({ state: 'suspended' })
    expect((await entriesOf(network, migrationId)).at(-1)).toMatchObject({ room_name: room, outcome: 'migrated' })
    await network.setRegionFaults([], target)
    await retry(room)
    await network.settle()
    expect(await whereabouts(network, room)).toEqual({
      row: { ...before.row, region_id: 2 },
      copies: [null, before.copies[0]],
      reserved: 0,
    })
  })

  it('is an error also when the target has lost it while its source waits to be left', async () => {
    const room = await roomWithContent()
    const look = { method: 'GET', path: `/region/v1/rooms/${room}` }
    await network.setRegionFaults([{ ...look, ...away }], target)
    await startRun(network, { migrationId, rooms: [room] })
    await until('the room is moved', async () => (await operationOf(room))?.state === 'done')
    await network.setRegionFaults([{ ...look, ...gone }], target)
    await network.settle()
    expect(await operationOf(room, 'migration.leave-source')).toMatchObject({ state: 'failed' })
    expect(await stateOf(room)).toMatchObject({ state: 'ERROR', region: 2 })
    expect(await region(source).client.room(room)).toMatchObject({ state: 'suspended' })
    await network.setRegionFaults([], target)
    await retry(room, 'migration.leave-source')
    await network.settle()
    expect(await stateOf(room)).toEqual({ state: 'DEFAULT', region: 2, error: null })
    expect(await region(source).client.room(room)).toBeNull()
  })
})

it('a copy whose removal has failed is not removed by Retry any more once the room has moved there: users go on', async () => {
  const room = await roomWithContent()
  await network.setRegionFaults([{ ...jobs, ...away }], target)
  await startRun(network, { migrationId, rooms: [room] })
  await isAt(room, 'restore-copy')
  await network.admin.call('cancelOperation', { params: { id: (await operationOf(room))?.id ?? '' } })
  await until('the move has ended', async () => (await operationOf(room))?.state === 'cancelled')
  await network.planFault('migration.leave-target:remove-copy:after:fail')
  await network.setRegionFaults([], target)
  await network.settle()
  expect(await operationOf(room, 'migration.leave-target')).toMatchObject({ state: 'failed' })
  await startRun(network, { migrationId, rooms: [room] })
  await network.settle()
  expect(await stateOf(room)).toMatchObject({ state: 'DEFAULT', region: 2 })
  await expect(retry(room, 'migration.leave-target')).rejects.toThrow('in use there')
  await network.settle()
  expect(await region(target).client.room(room)).toMatchObject({ state: 'active', locked: false })
  expect(await write(region(target), room, 'late', 'by a user')).toBe('acknowledged')
})

describe('leaving the source', () => {
  /** A room in the target whose source could not be cleaned up: the operation for it has failed. */
  async function leftBehind(): Promise<string> {
    const room = await roomWithContent()
    const look = { method: 'GET', path: `/region/v1/rooms/${room}` }
    await network.setRegionFaults([{ ...look, ...away }], target)
    await startRun(network, { migrationId, rooms: [room] })
    await until('the room is moved', async () => (await operationOf(room))?.state === 'done')
    const { id } = (await operationOf(room, 'migration.leave-source')) ?? { id: '' }
    await network.planFault('migration.leave-source:remove-source:after:fail')
    await network.setRegionFaults([], target)
    await until(
      'leaving has failed',
      async () => (await operationOf(room, 'migration.leave-source'))?.state === 'failed',
    )
    expect(id).not.toBe('')
    await network.settle()
    return room
  }

  it('is not retried while the room is about to move back there', async () => {
    const room = await leftBehind()
    await endSessions(network, room)
    const blocking = new pg.Client({ connectionString: network.database.url })
    await blocking.connect()
    await blocking.query('begin')
    // The move back has checked everything and is about to reserve capacity.
    await blocking.query('lock table capacity_reservations in share mode')
    await startRun(network, { migrationId: back, rooms: [room] })
    const isBlocked = async (relation: string) =>
      (await network.database.rows('select 1 from pg_locks where not granted and relation = $1::regclass', [relation]))
        .length > 0
    await until('the move back waits', () => isBlocked('capacity_reservations'))
    const retried = retry(room, 'migration.leave-source').then(
      () => 'taken',
      (error: Error) => error.message,
    )
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%from regions where id%for update%'`
    await until('the retry has ended, or waits for the move', async () => {
      if ((await network.database.rows(waiting)).length > 0) return true
      return (await operationOf(room, 'migration.leave-source'))?.state !== 'failed'
    })
    await blocking.query('commit')
    await blocking.end()
    expect(await retried).toContain('may be in use there again')
    await network.settle()
    expect(await stateOf(room)).toMatchObject({ state: 'DEFAULT', region: 1 })
    expect((await whereabouts(network, room)).copies[0]).toMatchObject({ state: 'active', locked: false })
  })

  it('that is cancelled makes the source refuse a removal that is still on its way', async () => {
    const room = await roomWithContent()
    await network.setRegionFaults([{ method: 'GET', path: `/region/v1/rooms/${room}`, ...away }], target)
    await startRun(network, { migrationId, rooms: [room] })
    await until('the room is moved', async () => (await operationOf(room))?.state === 'done')
    const [leaving] = await network.database.rows<{
      id: string
      fence: number
      input: { holder: string; roomId: string }
    }>(`select id, fence, input from operations where room_name = $1 and kind = 'migration.leave-source'`, [room])
    if (leaving === undefined) throw new Error('The source is not left by an operation of its own.')
    const { id, fence, input } = leaving
    // As if an earlier try had removed the copy and its answer had been lost.
    await loseRoom(source, room)
    await network.admin.call('cancelOperation', { params: { id } })
    await until(
      'leaving is cancelled',
      async () => ((await operationOf(room, 'migration.leave-source'))?.state ?? '') === 'cancelled',
    )
    await network.setRegionFaults([], target)
    await startRun(network, { migrationId: back, rooms: [room] })
    await network.settle()
    expect(await stateOf(room)).toMatchObject({ state: 'DEFAULT', region: 1 })
    const late = region(source).client.runJob(
      `${id}-1-remove-from-source-0`,
      { type: 'deleteRoom', room, roomId: input.roomId, holder: input.holder },
      { key: `${id}:1:remove the room from the source`, operation: id, fence },
    )
    await expect(late).rejects.toThrow('newer worker')
    expect(await region(source).client.room(room)).not.toBeNull()
  })
})

it('force delete keeps a copy whose room the other region does not have', async () => {
  const room = await roomWithContent()
  await network.planFault('room.migrate:compare-copies:after:fail')
  await startRun(network, { migrationId, rooms: [room] })
  await network.settle()
  expect((await entriesOf(network, migrationId)).at(-1)).toMatchObject({ room_name: room, outcome: 'failed' })
  await copyTo(target, room)
  await loseRoom(source, room)
  const body = { projectRoomNames: [room], liveMigrationDataID: migrationId }
  const { operationId } = (await network.admin.call('forceDeleteFailedRooms', { body })).body
  await network.settle()
  expect(await region(target).client.room(room)).not.toBeNull()
  const log = (await network.admin.call('operationLog', { query: { processId: operationId } })).body
  expect(log).toMatchObject({ state: 'failed', errorText: `Not removed, because it may be the only copy: ${room}.` })
})

function documentsIn(index: number, room: string): string[] {
  const path = `${network.dir}/region-${index + 1}/rooms/${room}/databases/main.db`
  const file = new DatabaseSync(path, { readOnly: true })
  const rows = file.prepare('select id from documents order by id').all() as { id: string }[]
  file.close()
  return rows.map(({ id }) => id)
}

/** Copies the other region's room here, like a move whose undo could not reach the target. */
async function copyTo(index: number, name: string): Promise<void> {
  const { roomId = '' } = (await region(1 - index).client.room(name)) ?? {}
  await region(index).client.createRoom(name, {
    roomId,
    product: 'ARIS',
    edition: 'basic',
    licences: [],
    subLicences: [],
    subMiningType: 'NONE',
    expirationDate: null,
    contacts: {
      companyName: 'Left',
      customerFirstName: 'A',
      customerLastName: 'B',
      customerContactDetails: null,
      ownerEmail: 'left@example.com',
      delegateEmail: null,
    },
  })
}
