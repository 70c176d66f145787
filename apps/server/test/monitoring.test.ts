/** The monitoring of operations, and of steps that have their own entries: pages, sorting, search and logs. */
import { ProblemError, type QueryGiven, type Routes } from '@roomkeeper/contract'
import { bootNetwork, type Network, operatorDraft, roomDraft, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endSessions, moveAll, newMigration } from './migrations/moves.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
})
afterAll(() => network?.stop())

const monitoring = async (query: QueryGiven<Routes['monitoring']> = {}) =>
  (await network.admin.call('monitoring', { query })).body
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

describe('the monitoring', () => {
  // shows: C-monitoring, operations-checks
  it('shows what runs and what ran, with region, process, when it began, state and progress', async () => {
    const body = roomDraft({ region: 2 })
    const path = `/region/v1/rooms/${body.tenantName}`
    await network.setRegionFaults([{ method: 'PUT', path, action: 'delay', milliseconds: 1000 }], 1)
    const before = Date.now()
    const { operationId } = (await network.admin.call('createRoom', { body })).body
    const entryOf = async () => (await monitoring()).data.find(({ id }) => id === operationId)
    const running = await entryOf()
    expect(running).toMatchObject({
      operationId,
      projectRoomName: body.tenantName,
      region: 2,
      processType: 'Create PR',
    })
    expect(['waiting', 'running']).toContain(running?.state)
    await network.settle()
    const done = await entryOf()
    expect(done).toMatchObject({ state: 'done', progress: 1 })
    const check = (await monitoring()).data.find(({ id }) => id === `${operationId}:0`)
    expect(check).toMatchObject({
      operationId,
      projectRoomName: body.tenantName,
      region: 2,
      processType: 'Name already exists',
      state: 'done',
      progress: 1,
    })
    const { lines } = (await network.admin.call('operationLog', { query: { processId: `${operationId}:0` } })).body
    expect(lines.map(({ text }) => text)).toEqual(['check the name on the region: the name is free'])
    expect(Math.abs(Date.parse(done?.executionTime ?? '') - before)).toBeLessThan(5000)
    expect((await network.admin.call('monitoring', {})).body.totalElements).toBeGreaterThan(0)
    await network.admin.call('suspendRoom', { body: { roomName: body.tenantName } })
    expect((await monitoring()).data[0]).toMatchObject({ processType: 'Suspend PR', state: 'done' })
  })

  // shows: monitoring-no-edit
  it('does not show edits, which have no process type', async () => {
    const room = await network.newRoom()
    const { totalElements } = await monitoring()
    const { body } = await network.admin.call('room', { query: { projectRoom: room } })
    await network.admin.call('editRoom', { body: { ...body, sapNumberLast: `new of ${room}` } })
    expect((await monitoring()).totalElements).toBe(totalElements)
  })

  it('keeps the id of a region that is gone', async () => {
    await insertOperations([{ n: 900, name: 'lost', region: 77 }])
    expect((await monitoring({ name_search: 'lost' })).data).toMatchObject([{ id: idOf(900), region: 77 }])
  })
})

describe('steps with a process type', () => {
  const migration = idOf(800)
  beforeAll(async () => {
    await insertOperations([{ n: 800, name: 'mover', region: 1, state: 'running' }])
    const steps = [
      [0, 'done', 'Is tenant locked', 1, '01'],
      [1, 'done', 'Live migration Backup', 1, '02'],
      [2, 'running', 'Live migration Create', 2, '03'],
      [3, 'open', 'Live migration Restore', 2, null],
      [4, 'open', null, null, null],
    ]
    for (const [position, state, process, region, second] of steps) {
      await network.database.rows(
        `insert into operation_steps (operation_id, position, name, step_id, state, process_type, region_id, room_name, started_at)
         values ($1, $2, 'step ' || $2::int, 'step-' || $2::int, $3, $4, $5, 'mover', $6)`,
        [migration, position, state, process, region, second === null ? null : `2026-01-01T00:00:${second}Z`],
      )
    }
    await network.database.rows(`update operations set progress = 0.5 where id = $1`, [migration])
    await network.database.rows(
      `insert into operation_log (operation_id, n, level, text, position)
       values ($1, 1, 'info', 'locked', 0), ($1, 2, 'info', 'backed up', 1), ($1, 3, 'info', 'more', 1), ($1, 4, 'info', 'making', 2)`,
      [migration],
    )
  })
  afterAll(() => network.database.rows(`update operations set state = 'done' where id = $1`, [migration]))

  // shows: operations-checks
  it('have entries of their own from their beginning on', async () => {
    const { data } = await monitoring({ name_search: 'mover', sort_by: 'executionTime', order_by: 'asc' })
    const steps = data.filter(({ id }) => id !== migration)
    expect(steps).toMatchObject([
      {
        id: `${migration}:0`,
        operationId: migration,
        processType: 'Is tenant locked',
        region: 1,
        state: 'done',
        progress: 1,
      },
      {
        id: `${migration}:1`,
        processType: 'Live migration Backup',
        region: 1,
        executionTime: '2026-01-01T00:00:02.000Z',
      },
      { id: `${migration}:2`, processType: 'Live migration Create', region: 2, state: 'running', progress: 0.5 },
    ])
  })

  // shows: C-operationLog
  it('have logs of their own, and the operation has all lines', async () => {
    const log = async (processId: string, after = 0) =>
      (await network.admin.call('operationLog', { query: { processId, after } })).body
    const own = await log(`${migration}:1`)
    expect(own.lines.map(({ n, text }) => [n, text])).toEqual([
      [2, 'backed up'],
      [3, 'more'],
    ])
    expect(own).toMatchObject({ state: 'done', steps: [{ name: 'step 1' }] })
    expect((await log(`${migration}:1`, 2)).lines).toHaveLength(1)
    expect((await log(migration)).lines).toHaveLength(4)
    await expect(log(`${migration}:77`)).rejects.toThrow('There is no such operation.')
  })
})

describe('steps that were undone', () => {
  const entriesOf = async (name: string) => {
    const { data } = await monitoring({ name_search: name, sort_by: 'executionTime', order_by: 'asc' })
    for (const { id, state, isUndone, hasFailed } of data) {
      const { body: log } = await network.admin.call('operationLog', { query: { processId: id } })
      expect([log.state, log.isUndone, log.hasFailed]).toEqual([state, isUndone, hasFailed])
    }
    return data.map(({ processType, state, isUndone, hasFailed }) => [processType, state, isUndone, hasFailed])
  }

  it('tell whether they were done or had failed before; on the wire they stay cancelled', async () => {
    const migrationId = await newMigration(network)
    const room = await network.newRoom()
    await endSessions(network, room)
    await network.setRegionFaults([{ method: 'PUT', path: '/region/v1/jobs/', action: 'status', status: 400 }], 1)
    await moveAll(network, { migrationId, rooms: [room] })
    await network.setRegionFaults([], 1)
    const moved = await entriesOf(room)
    expect(moved.filter(([process]) => /^(Live migration|Is)/.test(String(process)))).toEqual([
      ['Is tenant locked', 'cancelled', true, false],
      ['Is active session', 'cancelled', true, false],
      ['Live migration Backup', 'cancelled', true, false],
      ['Live migration Create', 'cancelled', true, false],
      ['Live migration Restore', 'cancelled', false, true],
    ])
    // A move has no entry of its own: the step says why.
    const restore = (await monitoring({ name_search: room, sort_by: 'executionTime' })).data.find(
      (each) => each.hasFailed,
    )
    expect(restore?.errorText).toBeTruthy()
    const { body: log } = await network.admin.call('operationLog', { query: { processId: restore?.id ?? '' } })
    expect(log.errorText).toBe(restore?.errorText)
  })

  it('are told of a cancelled operation, too', async () => {
    const { tenantName: name, ...rest } = roomDraft({ region: 2 })
    await network.planFault('room.create:create-room:after:hold')
    const { operationId } = (await network.admin.call('createRoom', { body: { tenantName: name, ...rest } })).body
    await until('the creation is held', () => network.faultHappened())
    await network.admin.call('cancelOperation', { params: { id: operationId } })
    await network.settle()
    expect(await entriesOf(name)).toEqual([
      ['Create PR', 'cancelled', false, false],
      ['Name already exists', 'cancelled', true, false],
    ])
  })
})

describe('pages', () => {
  const count = 57
  const processes = ['Create PR', 'Backup PR', 'Restore PR', 'Suspend PR']
  const states = ['done', 'failed', 'cancelled']
  beforeAll(() =>
    insertOperations(
      Array.from({ length: count }, (_, n) => ({
        n,
        name: `page${(n * 7) % 19}`,
        // Every third operation ran on a region that no longer exists.
        region: [1, 2, 77][n % 3] as number,
        process: processes[n % processes.length] as string,
        state: states[n % states.length] as string,
      })),
    ),
  )

  const sorts = ['projectRoomName', 'region', 'processType', 'executionTime', 'state'] as const
  const ways = sorts.flatMap((sort_by) => (['asc', 'desc'] as const).map((order_by) => ({ sort_by, order_by })))
  it.each(ways)('sorted by $sort_by $order_by hold every entry once, in order', async (sort) => {
    const all: Awaited<ReturnType<typeof monitoring>>['data'] = []
    for (let page = 0; page < 6; page += 1) {
      const { data, totalElements, totalPages } = await monitoring({ ...sort, page, name_search: 'PAGE' })
      expect({ totalElements, totalPages }).toEqual({ totalElements: count, totalPages: 6 })
      all.push(...data)
    }
    expect(new Set(all.map(({ id }) => id)).size).toBe(count)
    const keys = all.map((entry) => String(entry[sort.sort_by]))
    expect(keys).toEqual(sort.order_by === 'asc' ? keys.toSorted() : keys.toSorted().reverse())
    expect((await monitoring({ ...sort, page: 6, name_search: 'page' })).data).toEqual([])
  })

  // shows: C-monitoring, monitoring-name-or-type
  it('match a part of the name or one of the processes', async () => {
    const byName = await monitoring({ name_search: 'page18' })
    expect(byName.totalElements).toBe(3)
    const { totalElements: suspended } = await monitoring({ type_filter: ['5'] })
    const either = await monitoring({ name_search: 'page18', type_filter: ['5'], size: 100 })
    const both = byName.data.filter(({ processType }) => processType === 'Suspend PR').length
    expect(either.totalElements).toBe(3 + suspended - both)
    expect(either.data.every((each) => each.processType === 'Suspend PR' || each.projectRoomName === 'page18')).toBe(
      true,
    )
    expect((await monitoring({ name_search: '100%_' })).totalElements).toBe(0)
    // A kind finds its operations beside those that match the name; one that is not known finds nothing.
    const kinds = ['room.suspend', 'room.that-nobody-knows']
    const { data: suspensions } = await monitoring({ kind_filter: kinds, size: 100 })
    expect(suspensions.length).toBeGreaterThan(0)
    expect(suspensions.every(({ kind, processType }) => kind === 'room.suspend' && processType === 'Suspend PR')).toBe(
      true,
    )
    const beside = await monitoring({ kind_filter: kinds, name_search: 'page18' })
    expect(beside.totalElements).toBe(3 + suspensions.length)
    expect((await monitoring({ kind_filter: ['room.that-nobody-knows'] })).totalElements).toBe(0)
  })

  it('are refused for a process type that does not exist', async () => {
    const refused = await monitoring({ type_filter: ['5', '99'] }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ProblemError)
    expect((refused as ProblemError).problem.errors?.[0]?.field).toBe('type_filter')
  })
})

interface Inserted {
  n: number
  name: string
  region: number
  process?: string
  state?: string
}

async function insertOperations(operations: Inserted[]): Promise<void> {
  for (const { n, name, region, process = 'Backup PR', state = 'done' } of operations) {
    await network.database.rows(
      `insert into operations (id, kind, version, process_type, room_name, region_id, input, state, started_by, executed_at)
       values ($1, 'kind that no worker knows', 1, $2, $3, $4, '{}', $5, 'test', now() - $6 * interval '1 minute')`,
      [idOf(n), process, name, region, state, n % 50],
    )
  }
}

describe('what has finished lately', () => {
  // shows: C-finishedOperations
  it('comes with its failures first, which say why; or only what is asked for', async () => {
    const good = await network.newRoom()
    const body = roomDraft({ region: 2 })
    const bad = body.tenantName
    const fault = { method: 'PUT', path: `/region/v1/rooms/${bad}`, action: 'status', status: 400 } as const
    await network.setRegionFaults([fault], 1)
    const { operationId } = (await network.admin.call('createRoom', { body })).body
    await network.settle()
    await network.setRegionFaults([], 1)
    await network.admin.call('suspendRoom', { body: { roomName: good } })
    const finished = async (ids: readonly string[] = []) =>
      (await network.admin.call('finishedOperations', { query: { ids: [...ids] } })).body
    const ends = (await finished()).filter(({ projectRoomName: name }) => name === good || name === bad)
    const told = ends.map((each) => [each.projectRoomName, each.processType, each.state])
    expect(told.slice(0, 2)).toEqual([
      [bad, 'Create PR', 'failed'],
      [good, 'Suspend PR', 'done'],
    ])
    expect(ends[0]?.errorText).toBeTruthy()
    expect((await finished([operationId])).map((each) => each.operationId)).toEqual([operationId])
  })

  it('says why something failed to those who may manage it, and to the operator who started it', async () => {
    const roles = ['CLOUD_SUPPORT', 'CLOUD_SALES', 'CLOUD_OPERATOR'] as const
    const callers = await Promise.all(roles.map((role) => network.as(role)))
    const ids = [901, 902, 903].map(idOf)
    const [moved, created, own] = ids
    await network.database.rows(
      `insert into operations (id, kind, version, state, input, room_name, started_by, ended_at, error, error_reasons)
       select id, kind, 1, 'failed', '{}', 'x', started_by, now(), 'Secret words.', '[{"code":"told","params":{"told":"x"}}]'
         from (values ($1::uuid, 'room.migrate', 'a'), ($2, 'room.create', 'a'), ($3, 'doctor.run', $4))
              as made (id, kind, started_by)`,
      [moved, created, own, operatorDraft('CLOUD_SUPPORT').email],
    )
    const why = await Promise.all(
      callers.map(async ({ call }) => {
        const { body } = await call('finishedOperations', { query: { ids } })
        return ids.filter((id) => {
          const found = body.find(({ operationId }) => operationId === id)
          expect(found?.errorText === null).toBe(found?.errorReasons.length === 0)
          return found?.errorText === 'Secret words.'
        })
      }),
    )
    expect(why).toEqual([[own], [created], ids])
  })
})
