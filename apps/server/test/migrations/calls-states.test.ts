/** The operators' calls about runs and moved rooms: stop, priority, progress, state entries, logs, export. */
import { randomUUID } from 'node:crypto'
import { routes } from '@roomkeeper/contract'
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  giveRooms,
  insertOpenRun,
  isRefusal,
  newestAudit,
  problemOf,
  saveMigration,
  setMigration,
} from './call-support.ts'

let network: Network
let id: number
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
})
afterAll(() => network?.stop())
beforeEach(async () => {
  await network.database.rows('delete from live_migrations')
  id = (await saveMigration(network)).id
})

describe('stopping', () => {
  // shows: C-stopLiveMigration
  it('takes a migration that runs, and warns until a refresh finds nothing under way', async () => {
    const { run, move } = await insertOpenRun(network, id)
    await setMigration(network, id, `state = 'RUNNING', warning = false`)
    const { body: stopped } = await network.admin.call('stopLiveMigration', { body: { id } })
    expect(stopped).toMatchObject({ state: 'STOPPED', isWarningEnabled: true, currentMigratedProjectRoom: 'moving' })
    expect(await newestAudit(network)).toMatchObject({ action: 'live-migration.stop', detail: 'region-1 → region-2' })
    const again = network.admin.call('stopLiveMigration', { body: { id } })
    await expect(again).rejects.toMatchObject({
      problem: { status: 409, detail: 'Live migration can only be stopped if it running' },
    })
    await network.database.rows(`update operations set state = 'done', ended_at = now() where id in ($1, $2)`, [
      run,
      move,
    ])
    const { body: all } = await network.admin.call('liveMigrations', {})
    expect(all).toMatchObject([{ id, isWarningEnabled: false }])
  })

  it('of an unknown migration is a 404', async () => {
    const unknown = network.admin.call('stopLiveMigration', { body: { id: id + 1 } })
    await expect(unknown).rejects.toSatisfy(isRefusal('migration-unknown'))
  })
})

describe('resetting the priority', () => {
  // shows: C-resetLiveMigrationPriority, move-reset
  it('sets the rooms of the state entries to 0, and no others', async () => {
    await giveRooms(network, [
      { name: 'waited', regionId: 1, priority: 3 },
      { name: 'other', regionId: 1, priority: 4 },
    ])
    await insertEntries([{ name: 'waited', outcome: 'postponed' }])
    await setMigration(network, id, 'warning = true')
    const { body } = await network.admin.call('resetLiveMigrationPriority', { body: { id, all: false } })
    expect(body).toMatchObject({ id, isWarningEnabled: true })
    expect(await prioritiesOf('waited', 'other')).toEqual([0, 4])
    expect(await newestAudit(network)).toMatchObject({
      action: 'live-migration.reset-priority',
      changes: [{ field: 'projectRoomsWithPriority', from: 1, to: 0 }],
    })
  })

  it('with all clears the warning too, so that the migration can be started again', async () => {
    await setMigration(network, id, `state = 'STOPPED', warning = true`)
    const { body } = await network.admin.call('resetLiveMigrationPriority', { body: { id, all: true } })
    expect(body).toMatchObject({ isWarningEnabled: false, state: 'STOPPED' })
  })

  // shows: migration-reset-running
  it('is refused with the reason while the migration runs', async () => {
    await setMigration(network, id, `state = 'RUNNING'`)
    const running = network.admin.call('resetLiveMigrationPriority', { body: { id, all: true } })
    await expect(running).rejects.toMatchObject({ problem: { status: 400, detail: 'Live migration is still running' } })
  })
})

describe('the progress', () => {
  const progress = async () => (await network.admin.call('liveMigrationProgress', { params: { id } })).body

  it('is null before the first run, and of an unknown migration a 404', async () => {
    expect(await progress()).toBeNull()
    const unknown = network.admin.call('liveMigrationProgress', { params: { id: id + 1 } })
    await expect(unknown).rejects.toSatisfy(isRefusal('migration-unknown'))
  })

  // shows: C-liveMigrationProgress
  it('counts rooms and bytes, and tells rate and time left from the last minutes', async () => {
    const { run } = await insertOpenRun(network, id, 'flying')
    await setMigration(network, id, `state = 'RUNNING', started_at = now() - interval '10 minutes'`)
    await insertRoomsOfRun(run, 'done', 20, `bytes = 3000000, bytes_at = now(), ended_at = now()`)
    await insertRoomsOfRun(run, 'done', 1, `bytes = 9, bytes_at = now() - interval '5 minutes'`)
    await insertRoomsOfRun(run, 'skipped', 2, `reason = 'One active session.', ended_at = now()`)
    await insertRoomsOfRun(run, 'failed', 1, `reason = 'The region is full.', ended_at = now()`)
    await insertRoomsOfRun(run, 'waiting', 120, `reason = null`)
    const found = await progress()
    expect(found).toMatchObject({
      operationId: run,
      state: 'RUNNING',
      startedBy: 'test',
      endedAt: null,
      total: 145,
      done: 21,
      inFlight: 1,
      waiting: 120,
      postponed: 2,
      failed: 1,
      bytesMoved: 60_000_009,
    })
    expect(found?.bytesPerSecond).toBeCloseTo(1_000_000, -2)
    // 23 rooms ended within ten minutes; 120 are waiting, and one in flight counts as half.
    expect(found?.secondsLeft).toBeGreaterThanOrEqual(3140)
    expect(found?.secondsLeft).toBeLessThan(3150)
    expect(found?.rooms).toHaveLength(100)
    expect(found?.rooms.slice(0, 4).map((each) => each.state)).toEqual(['running', 'failed', 'postponed', 'postponed'])
    expect(found?.rooms[0]?.projectRoomName).toBe('flying')
    expect(found?.rooms[1]?.reason).toBe('The region is full.')
    expect(found?.rooms[4]?.state).toBe('waiting')
  })

  it('of a run that is over has no time left, and its average rate', async () => {
    const { run } = await insertOpenRun(network, id)
    await network.database.rows('delete from operation_items')
    await insertRoomsOfRun(run, 'done', 2, `bytes = 500, bytes_at = now(), ended_at = now()`)
    await setMigration(network, id, `state = 'COMPLETED', started_at = now() - interval '100 seconds'`)
    await network.database.rows(`update operations set state = 'done', ended_at = now() where id = $1`, [run])
    const found = await progress()
    expect(found).toMatchObject({ state: 'COMPLETED', total: 2, done: 2, secondsLeft: null })
    expect(found?.bytesPerSecond).toBeCloseTo(10, 0)
  })

  it('of 20,000 rooms that change side by side counts each once', async () => {
    const { run } = await insertOpenRun(network, id)
    await insertRoomsOfRun(run, 'waiting', 20_000, 'reason = null')
    const change = (state: string, part: number) =>
      network.database.rows(
        `update operation_items set state = $1, bytes = 10 where parent_id = $2 and position % 40 = $3`,
        [state, run, part],
      )
    await Promise.all(
      Array.from({ length: 40 }, async (_, part) => {
        await change('running', part)
        await change(part < 30 ? 'done' : 'failed', part)
      }),
    )
    await network.database.rows('delete from operation_items where parent_id = $1 and position = 7', [run])
    const [truth] = await network.database.rows<Record<string, number>>(
      `select count(*) filter (where state = 'done')::int as done, count(*) filter (where state = 'failed')::int as failed,
          count(*)::int as total, sum(bytes)::int as "bytesMoved" from operation_items where parent_id = $1`,
      [run],
    )
    expect(await progress()).toMatchObject({ ...truth, waiting: 0, inFlight: 0 })
  })
})

describe('the state entries', () => {
  const states = async () => (await network.admin.call('migrationStates', { body: { id } })).body

  // shows: C-migrationStates, migrations-states
  it('say of each room whether it was migrated, postponed or failed, newest first', async () => {
    await insertEntries([
      { name: 'aaa', outcome: 'migrated' },
      { name: 'bbb', outcome: 'postponed' },
      { name: 'ccc', outcome: 'failed' },
    ])
    expect((await states()).map(({ id: _, liveMigrationDate: __, isCopyRemoved: ___, ...each }) => each)).toEqual([
      { projectRoomName: 'ccc', state: false, isLiveMigrationError: true },
      { projectRoomName: 'bbb', state: false, isLiveMigrationError: false },
      { projectRoomName: 'aaa', state: true, isLiveMigrationError: false },
    ])
  })

  // shows: C-deleteMigrationStates
  it('are deleted by id; those of another configuration stay', async () => {
    const [first, second] = await insertEntries([
      { name: 'aaa', outcome: 'failed' },
      { name: 'bbb', outcome: 'failed' },
    ])
    const other = await saveMigration(network, { sourceRegion: 2, targetRegion: 1 })
    const remove = (ids: (number | undefined)[], liveMigrationDataID: number) =>
      network.admin.call('deleteMigrationStates', { body: { states: ids.map(Number), liveMigrationDataID } })
    await expect(remove([first, second], other.id)).rejects.toSatisfy(isRefusal('migration-state-unknown'))
    await remove([first], id)
    expect((await states()).map((each) => each.id)).toEqual([second])
    expect(await newestAudit(network)).toMatchObject({ action: 'live-migration.delete-states' })
    const nothing = { states: [], liveMigrationDataID: id }
    expect(await problemOf(network, routes.deleteMigrationStates, nothing)).toMatchObject({
      status: 400,
      detail: 'Please select a live migration state',
    })
  })

  // shows: C-migrationStateLogs
  it('keep the log and the error of their room', async () => {
    const [entry] = await insertEntries([{ name: 'aaa', outcome: 'failed', log: 'one\ntwo', error: 'It broke.' }])
    const logs = (stateId: number) => network.admin.call('migrationStateLogs', { query: { stateId } })
    expect((await logs(Number(entry))).body).toEqual({
      logInfo: 'one\ntwo',
      errorInfo: 'It broke.',
      errorReasons: [],
      lines: [],
    })
    // As long as the operation is kept, each line comes with its codes.
    const operation = '00000000-0000-4000-8000-0000000000aa'
    const reasons = [{ code: 'log-copies-equal', params: {} }]
    const { rows } = network.database
    await rows(
      `insert into operations (id, kind, version, state, input, room_name, started_by)
       values ($1, 'room.migrate', 1, 'failed', '{}', 'aaa', 'a')`,
      [operation],
    )
    await rows(`insert into operation_log (operation_id, n, level, text, reasons) values ($1, 1, 'info', 'same', $2)`, [
      operation,
      JSON.stringify(reasons),
    ])
    await rows('update live_migration_states set operation_id = $1 where id = $2', [operation, entry])
    const { lines } = (await logs(Number(entry))).body
    expect(lines).toMatchObject([{ n: 1, level: 'info', text: 'same', reasons }])
    await rows('delete from operations where id = $1', [operation])
    await expect(logs(Number(entry) + 1)).rejects.toSatisfy(isRefusal('migration-state-unknown'))
  })

  // shows: C-exportMigrationLogs
  it('are exported as CSV with their logs, without formulas, under a name with the time', async () => {
    await insertEntries([
      { name: 'aaa', outcome: 'migrated', log: 'first line\nsecond, "quoted"' },
      { name: 'bbb', outcome: 'failed', log: '=cmd()', error: '@sum' },
    ])
    const answer = await network.admin.open('exportMigrationLogs', { query: { id } })
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="livemigration_logs_\d{4}-\d\d-\d\dT[\d:.]+Z\.csv"$/,
    )
    const [head, failed, ...rest] = (await answer.text()).split('\r\n')
    expect(head).toBe('Project room,State,Date,Source region,Target region,Operation,Log,Error')
    expect(failed).toMatch(
      /^"bbb","Postponed \(failed\)","\d{4}-\d\d-\d\dT[\d:]{8}Z","region-1","region-2",,"'=cmd\(\)","'@sum"$/,
    )
    expect(rest.join('\r\n')).toMatch(/^"aaa","Migrated",.*,"first line\nsecond, ""quoted""",""\r\n$/)
    const unknown = network.admin.open('exportMigrationLogs', { query: { id: id + 1 } })
    await expect(unknown).rejects.toSatisfy(isRefusal('migration-unknown'))
  })
})

interface EntryGiven {
  name: string
  outcome: 'migrated' | 'postponed' | 'failed'
  log?: string
  error?: string
}

/** @returns the ids */
async function insertEntries(given: EntryGiven[]): Promise<number[]> {
  const ids: number[] = []
  for (const { name, outcome, log = '', error = '' } of given) {
    const [row] = await network.database.rows<{ id: number }>(
      `insert into live_migration_states
         (migration_id, room_id, room_name, outcome, log, error, source_region_id, target_region_id)
       select $1, coalesce((select id from rooms where name = $2), $3), $2, $4, $5, $6, 1, 2 returning id`,
      [id, name, randomUUID(), outcome, log, error],
    )
    ids.push(row?.id ?? -1)
  }
  return ids
}

/** Appends rooms to those that the run already has. */
async function insertRoomsOfRun(run: string, state: string, count: number, set: string): Promise<void> {
  await network.database.rows(
    `insert into operation_items (parent_id, position, migration_id, room_id, room_name)
     select $1, last + n, $2, gen_random_uuid(), 'room' || last + n
       from generate_series(1, $3::int) n, (select coalesce(max(position), -1) as last from operation_items
         where parent_id = $1) before`,
    [run, id, count],
  )
  await network.database.rows(
    `update operation_items set state = $2, ${set} where parent_id = $1 and position > (
       select max(position) - $3 from operation_items where parent_id = $1)`,
    [run, state, count],
  )
}

async function prioritiesOf(...names: string[]): Promise<number[]> {
  const rows = await network.database.rows<{ name: string; priority: number }>('select name, priority from rooms')
  return names.map((name) => rows.find((row) => row.name === name)?.priority ?? -1)
}
