/** Configurations of live migrations, and the rooms that can be picked for one. */
import { type BodyGiven, type QueryGiven, type Routes, routes } from '@roomkeeper/contract'
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callWhileUncommitted } from '../calls-at-once.ts'
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
beforeAll(async () => {
  network = await bootNetwork({ regions: 3 })
})
afterAll(() => network?.stop())
beforeEach(async () => {
  await network.database.rows('delete from live_migrations')
})

type Draft = BodyGiven<Routes['saveLiveMigration']>
const save = (draft: Partial<Draft> = {}) => saveMigration(network, draft)
const get = (path: string) =>
  fetch(network.server.address + path, { headers: { authorization: `Bearer ${network.admin.token}` } })

describe('a configuration', () => {
  // shows: C-liveMigrations, C-saveLiveMigration
  it('starts STOPPED, is listed by id, and is audited with the names of its regions', async () => {
    const first = await save({ sourceRegion: 2, targetRegion: 3, routing: true, parallel: true })
    const second = await save()
    expect(first).toEqual({
      id: first.id,
      sourceRegion: 2,
      targetRegion: 3,
      state: 'STOPPED',
      routing: true,
      parallel: true,
      startDate: null,
      currentMigratedProjectRoom: null,
      isWarningEnabled: false,
      version: 1,
    })
    expect(second).toMatchObject({ routing: false, parallel: false })
    const { body: all } = await network.admin.call('liveMigrations', {})
    expect(all).toEqual([first, second])
    expect((await network.admin.call('liveMigration', { params: { id: second.id } })).body).toEqual(second)
    expect(await newestAudit(network)).toMatchObject({ action: 'live-migration.create', detail: 'region-1 → region-2' })
  })

  // shows: C-saveLiveMigration
  it('is changed, and the audit says what from what to what', async () => {
    const { id } = await save()
    const changed = await save({ id, targetRegion: 3, routing: true })
    expect(changed).toMatchObject({ id, sourceRegion: 1, targetRegion: 3, routing: true, state: 'STOPPED' })
    expect(await newestAudit(network)).toMatchObject({
      action: 'live-migration.change',
      changes: [
        { field: 'targetRegion', from: 'region-2', to: 'region-3' },
        { field: 'routing', from: false, to: true },
      ],
    })
  })

  // shows: C-saveLiveMigration
  it('is there once for two regions, and is not changed on the basis of an older version', async () => {
    const refused = (body: Draft) => problemOf(network, routes.saveLiveMigration, body)
    const first = await save()
    const second = await save({ targetRegion: 3 })
    for (const id of [undefined, second.id])
      expect(await refused({ id, sourceRegion: 1, targetRegion: 2 })).toMatchObject({
        status: 409,
        detail: 'There is already a live migration configuration from region-1 to region-2.',
      })
    expect(await save({ id: first.id, version: 1, parallel: true })).toMatchObject({ parallel: true, version: 2 })
    const stale = await refused({ id: first.id, sourceRegion: 1, targetRegion: 2, version: 1, routing: true })
    expect(stale).toMatchObject({ status: 409, type: 'urn:roomkeeper:migration-stale' })
    // A run changes the state, not the configuration.
    await setMigration(network, first.id, `state = 'COMPLETED'`)
    expect((await save({ id: first.id, version: 2, routing: true })).version).toBe(3)
  })

  it('is changed by two at once, one after the other, and the audit says so', async () => {
    const { id } = await save()
    const [first, second] = await callWhileUncommitted(
      network.database,
      () => save({ id, sourceRegion: 2, targetRegion: 3 }),
      () => save({ id, sourceRegion: 1, targetRegion: 3 }),
    )
    expect(first).toMatchObject({ status: 'fulfilled' })
    expect(second).toMatchObject({ status: 'fulfilled', value: { id, sourceRegion: 1, targetRegion: 3 } })
    expect(await newestAudit(network)).toMatchObject({
      action: 'live-migration.change',
      changes: [{ field: 'sourceRegion', from: 'region-2', to: 'region-1' }],
    })
  })

  // shows: migration-two-regions
  it('needs two regions that exist', async () => {
    await expect(save({ targetRegion: 1 })).rejects.toSatisfy(isRefusal('invalid-input', 'targetRegion'))
    await expect(save({ targetRegion: 77 })).rejects.toSatisfy(isRefusal('invalid-input', 'targetRegion'))
    await expect(save({ sourceRegion: 78 })).rejects.toSatisfy(isRefusal('invalid-input', 'sourceRegion'))
    const empty = network.admin.call('saveLiveMigration', { body: { sourceRegion: 1 } as Draft })
    await expect(empty).rejects.toMatchObject({
      problem: { detail: 'Could not save live migration configuration. Please fill all fields to save it.' },
    })
    await expect(save({ id: 4_000 })).rejects.toSatisfy(isRefusal('migration-unknown'))
  })

  // shows: migration-unfinished
  it('is neither changed nor deleted while it runs, or may still be touching rooms', async () => {
    const { id } = await save()
    const attempts = [() => save({ id }), () => network.admin.call('deleteLiveMigration', { body: { id } })]
    await setMigration(network, id, `state = 'RUNNING'`)
    for (const attempt of attempts) await expect(attempt()).rejects.toSatisfy(isRefusal('migration-running'))
    await setMigration(network, id, `state = 'STOPPED', warning = true`)
    for (const attempt of attempts) await expect(attempt()).rejects.toSatisfy(isRefusal('migration-warning'))
  })

  it('is neither changed nor deleted after Stop and Reset all until no room of it is unfinished, of earlier runs either', async () => {
    const { id } = await save()
    const first = await insertOpenRun(network, id)
    const reset = { id, sourceRegion: 1, targetRegion: 2, routing: false, parallel: false, all: true }
    expect((await network.admin.call('resetLiveMigrationPriority', { body: reset })).body.isWarningEnabled).toBe(false)
    const attempts = [
      () => save({ id, targetRegion: 3 }),
      () => network.admin.call('deleteLiveMigration', { body: { id } }),
    ]
    const refusesAll = async () => {
      for (const attempt of attempts)
        await expect(attempt()).rejects.toMatchObject({
          problem: { status: 409, detail: 'Project rooms of this live migration are still on their way.' },
        })
    }
    await refusesAll()
    await setMigration(network, id, 'run_id = null')
    await network.database.rows(`update operations set state = 'done', ended_at = now() where id = $1`, [first.run])
    await refusesAll()
    await network.database.rows(`update operations set state = 'done', ended_at = now() where id = $1`, [first.move])
    expect(await save({ id, targetRegion: 3 })).toMatchObject({ targetRegion: 3 })
  })

  // shows: C-deleteLiveMigration, C-liveMigration
  it('is deleted, and then unknown', async () => {
    const { id } = await save()
    await network.admin.call('deleteLiveMigration', { body: { id } })
    expect(await newestAudit(network)).toMatchObject({ action: 'live-migration.delete', detail: 'region-1 → region-2' })
    await expect(network.admin.call('liveMigration', { params: { id } })).rejects.toSatisfy(
      isRefusal('migration-unknown'),
    )
    const again = network.admin.call('deleteLiveMigration', { body: { id } })
    await expect(again).rejects.toSatisfy(isRefusal('migration-unknown'))
    expect(await problemOf(network, routes.deleteLiveMigration, {})).toMatchObject({
      status: 400,
      detail: 'Please select one live migration config',
    })
  })

  // shows: C-liveMigrations, migrations-export
  it('is exported with the others as a file, indented by 4, named by the time', async () => {
    await save()
    const answer = await get('/api/operator/livemigration?download=1')
    const { body: all } = await network.admin.call('liveMigrations', {})
    expect(await answer.text()).toBe(JSON.stringify(all, null, 4))
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="livemigration_config_\d{4}-\d\d-\d\dT[\d:.]+Z\.txt"$/,
    )
    expect((await get('/api/operator/livemigration')).headers.get('content-disposition')).toBeNull()
  })
})

describe('the warning', () => {
  // shows: C-liveMigrations, move-warning
  it('is cleared by a refresh when nothing of the run is open any more, and not before', async () => {
    const { id } = await save()
    const run = await insertOpenRun(network, id)
    const warning = async () => (await network.admin.call('liveMigrations', {})).body[0]?.isWarningEnabled
    expect(await warning()).toBe(true)
    await network.database.rows(`update operations set state = 'done', ended_at = now() where id = $1`, [run.run])
    expect(await warning()).toBe(true)
    await network.database.rows(`update operations set state = 'failed', ended_at = now() where id = $1`, [run.move])
    expect(await warning()).toBe(false)
  })
})

describe('the target of a configuration', () => {
  it('is marked as such among the regions and on its rooms', async () => {
    const room = await network.newRoom({ region: 3 })
    const marked = async () => {
      const { body: regions } = await network.admin.call('regions', {})
      const { body: one } = await network.admin.call('room', { query: { projectRoom: room } })
      const { body: list } = await network.admin.call('listRooms', {
        query: { search_keys: ['tenantName'], search_values: [room] },
      })
      expect(list.data[0]?.regionIsMigrationTarget).toBe(one.regionIsMigrationTarget)
      return { regions: regions.map((each) => each.isMigrationTarget), room: one.regionIsMigrationTarget }
    }
    expect(await marked()).toEqual({ regions: [false, false, false], room: false })
    await save({ targetRegion: 3 })
    expect(await marked()).toEqual({ regions: [false, false, true], room: true })
  })
})

describe('the rooms to pick', () => {
  // shows: C-migrationRooms, states-picker
  it('are those of the source in stored state DEFAULT or SUSPENDED, even when it is disabled', async () => {
    const { id } = await save({ sourceRegion: 2, targetRegion: 1 })
    const states = ['DEFAULT', 'SUSPENDED', 'ERROR', 'IN_PROGRESS', 'MARKED_FOR_DELETION'] as const
    await giveRooms(
      network,
      states.map((state, index) => ({ name: `pick${index}`, regionId: 2, state, priority: index })),
    )
    await giveRooms(network, [{ name: 'elsewhere', regionId: 1 }])
    const picked = async () => (await pick(id)).data.map((each) => [each.projectRoomName, each.projectRoomState])
    const expected = [
      ['pick0', 'DEFAULT'],
      ['pick1', 'SUSPENDED'],
    ]
    expect(await picked()).toEqual(expected)
    await network.database.rows(`update regions set state = 'disabled' where id = 2`)
    expect(await picked()).toEqual(expected)
    await network.database.rows(`update regions set state = 'enabled' where id = 2`)
    expect((await pick(id, { order_by: 'priority', order_dir: 'desc' })).data.map((each) => each.priority)).toEqual([
      1, 0,
    ])
  })

  // shows: page-size-picker
  it('come eight to a page, found by name, customer or e-mail', async () => {
    const { id } = await save({ sourceRegion: 3, targetRegion: 1 })
    await giveRooms(
      network,
      Array.from({ length: 11 }, (_, index) => ({
        name: `seek${String(index).padStart(2, '0')}`,
        regionId: 3,
        customerLastName: index === 4 ? 'Ødegård' : 'Smith',
        customerEmail: index === 5 ? 'find.me@example.com' : 'anna@example.com',
      })),
    )
    const first = await pick(id, {}, 'seek')
    expect(first).toMatchObject({ totalElements: 11, totalPages: 2 })
    expect(first.data.map((each) => each.projectRoomName)).toEqual(
      Array.from({ length: 8 }, (_, index) => `seek0${index}`),
    )
    expect((await pick(id, { page: 1 }, 'SEEK')).data).toHaveLength(3)
    expect((await pick(id, {}, 'ødegå')).data.map((each) => each.projectRoomName)).toEqual(['seek04'])
    expect((await pick(id, {}, 'find.me@')).data.map((each) => each.projectRoomName)).toEqual(['seek05'])
    expect((await pick(id, {}, 'nobody')).totalElements).toBe(0)
    await expect(pick(id + 1)).rejects.toSatisfy(isRefusal('migration-unknown'))
  })
})

async function pick(id: number, query: QueryGiven<Routes['migrationRooms']> = {}, search = '') {
  return (await network.admin.call('migrationRooms', { query, body: { liveMigrationData: { id }, search } })).body
}
