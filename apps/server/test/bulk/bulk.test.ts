/** Bulks over HTTP: preflight, start, progress, rooms, cancel, retry. */
import {
  type BulkPreflight,
  type BulkSelection,
  type Problem,
  ProblemError,
  type RoomExportQuery,
  type Route,
  routes,
} from '@roomkeeper/contract'
import { bootNetwork, type Network, operatorDraft, roomDraft, until } from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
})
afterAll(() => network?.stop())

const suspended = async (name: string) =>
  (await network.admin.call('room', { query: { projectRoom: name } })).body.projectRoomState

describe('a bulk', () => {
  // shows: bulk-preflight, bulk-skipped, bulk-progress, C-preflightBulk, C-startBulk, C-bulk, C-bulkItems, C-bulks
  it('says for which rooms its action is possible, and takes it for those', async () => {
    const [one, two] = [await network.newRoom(), await network.newRoom({ region: 2 })]
    const already = await network.newSuspendedRoom()
    const selection = { rooms: [one, two, already] }
    expect(await preflight({ action: 'suspend', selection })).toMatchObject({
      total: 3,
      possible: 2,
      impossible: [{ reason: 'This project room is suspended.', count: 1, examples: [already] }],
      mails: 2,
    })
    const silently = { action: 'suspend', selection, parameters: { userNotification: false } }
    expect((await preflight(silently)).mails).toBe(0)
    const id = await start({ action: 'suspend', selection, expectedTotal: 3 })
    expect(await ended(id)).toMatchObject({
      action: 'suspend',
      state: 'PARTIALLY_DONE',
      total: 3,
      counts: { DONE: 2, SKIPPED: 1, FAILED: 0, RUNNING: 0, WAITING: 0, CANCELLED: 0 },
      canRetry: false,
      isCancelling: false,
      exampleRoom: expect.stringMatching(`^(${[one, two, already].join('|')})$`),
    })
    expect(await items(id)).toMatchObject([
      { projectRoomName: already, state: 'SKIPPED', reason: 'This project room is suspended.', operationId: null },
      ...[one, two].sort().map((projectRoomName) => ({ projectRoomName, state: 'DONE', reason: null })),
    ])
    expect([await suspended(one), await suspended(two)]).toEqual(['SUSPENDED', 'SUSPENDED'])
    const newest = async (action: 'suspend' | 'resume') =>
      (await network.admin.call('bulks', { query: { size: 1, action } })).body.data
    expect(await newest('suspend')).toEqual([await read(id)])
    expect((await newest('resume')).filter(({ action }) => action !== 'resume')).toEqual([])
  })

  // shows: bulk-selection
  it('takes all that match except the named ones, and none that match later', async () => {
    const companyName = 'Fleet of many'
    const rooms = [await newRoomOf(companyName), await newRoomOf(companyName), await newRoomOf(companyName)]
    const [kept = '', ...taken] = rooms
    const selection = { query: queryOf({ search: 'fleet many' }), except: [kept] }
    expect(await preflight({ action: 'suspend', selection })).toMatchObject({ total: 2, possible: 2, impossible: [] })
    const id = await start({ action: 'suspend', selection, expectedTotal: 2 })
    const later = await newRoomOf(companyName)
    expect(await ended(id)).toMatchObject({ state: 'DONE', total: 2 })
    expect((await items(id)).map(({ projectRoomName }) => projectRoomName)).toEqual(taken.toSorted())
    expect([await suspended(kept), await suspended(later)]).toEqual(['DEFAULT', 'DEFAULT'])
  })

  // shows: bulk-start
  it('is refused when the selection has changed since the preflight', async () => {
    const name = await network.newRoom()
    const refused = refusalOf(
      start({ action: 'suspend', selection: { rooms: [name, 'nosuchroom'] }, expectedTotal: 2 }),
    )
    expect(await refused).toMatchObject({ status: 409, detail: 'The selection has changed: it is now 1 project room' })
    expect(await suspended(name)).toBe('DEFAULT')
  })

  it('is refused when one room has come for each that has gone, and says which', async () => {
    const companyName = 'Swapped fleet'
    const [stays, goes] = [await newRoomOf(companyName), await newRoomOf(companyName)]
    const selection = { query: queryOf({ search: 'swapped' }), except: [] }
    const { total: expectedTotal, selectionDigest } = await preflight({ action: 'delete', selection })
    await network.admin.call('deleteRoom', { body: { roomName: goes } })
    await network.settle()
    const comes = await newRoomOf(companyName)
    const request = { action: 'delete', selection, expectedTotal }
    expect(await refusalOf(start({ ...request, selectionDigest }))).toMatchObject({
      status: 409,
      detail: 'The selection has changed: it is now 2 project rooms',
      added: [comes],
      removed: [goes],
    })
    expect([await suspended(stays), await suspended(comes)]).toEqual(['DEFAULT', 'DEFAULT'])
    const again = await preflight({ action: 'delete', selection })
    expect(await ended(await start({ ...request, selectionDigest: again.selectionDigest }))).toMatchObject({
      state: 'DONE',
    })
  })

  it('of one Idempotency-Key is started once', async () => {
    const name = await network.newRoom()
    const body = { action: 'suspend', selection: { rooms: [name] }, expectedTotal: 1 }
    const once = () => start(body, undefined, { 'idempotency-key': 'suspend once' })
    expect(new Set(await Promise.all([once(), once()])).size).toBe(1)
    await network.settle()
  })

  // shows: C-retryBulk
  it('tries only the failed rooms again', async () => {
    const [good, bad] = [await network.newRoom(), await network.newRoom()]
    await network.setRegionFaults([
      { method: 'POST', path: `/region/v1/rooms/${bad}/suspend`, action: 'status', status: 409, times: 1000 },
    ])
    const id = await start({ action: 'suspend', selection: { rooms: [good, bad] }, expectedTotal: 2 })
    expect(await ended(id)).toMatchObject({ state: 'PARTIALLY_DONE', counts: { DONE: 1, FAILED: 1 }, canRetry: true })
    expect((await items(id))[0]).toMatchObject({ projectRoomName: bad, state: 'FAILED' })
    const operations = () =>
      network.database.rows<{ room_name: string }>(`select room_name from operations where parent_id = $1 order by 1`, [
        id,
      ])
    await network.setRegionFaults([])
    await network.admin.call('retryBulk', { params: { id } })
    expect(await ended(id)).toMatchObject({ state: 'DONE', counts: { DONE: 2, FAILED: 0 }, canRetry: false })
    expect((await operations()).filter((row) => row.room_name === good)).toHaveLength(1)
    expect(await refusalOf(network.admin.call('retryBulk', { params: { id } }))).toMatchObject({ status: 409 })
  })

  it.each(['waiting', 'running'])('that failed with a room that was still %s goes on with it', async (state) => {
    const name = await network.newRoom()
    const path = `/region/v1/rooms/${name}/suspend`
    await network.setRegionFaults([{ method: 'POST', path, action: 'status', status: 409, times: 1000 }])
    const id = await start({ action: 'suspend', selection: { rooms: [name] }, expectedTotal: 1 })
    expect(await ended(id)).toMatchObject({ state: 'FAILED' })
    await network.setRegionFaults([])
    // As after a mistake of ours that has ended the bulk alone.
    await network.database.rows('update operation_items set state = $2 where parent_id = $1', [id, state])
    expect((await network.admin.call('bulk', { params: { id } })).body).toMatchObject({ canRetry: true })
    await network.admin.call('retryBulk', { params: { id } })
    // What was under way has ended, as its operation did; what was not is begun.
    const ends =
      state === 'waiting' ? { state: 'DONE', counts: { DONE: 1 } } : { state: 'FAILED', counts: { FAILED: 1 } }
    expect(await ended(id)).toMatchObject(ends)
  })

  it('that is stopped when all its rooms have begun ends as they do', async () => {
    const name = await network.newRoom()
    await network.setRegionFaults([slowRooms])
    const id = await start({ action: 'suspend', selection: { rooms: [name] }, expectedTotal: 1 })
    await until('it has begun', async () => (await items(id))[0]?.state === 'RUNNING')
    await network.admin.call('cancelBulk', { params: { id } })
    await network.setRegionFaults([])
    const bulk = await ended(id)
    expect([bulk.state, bulk.counts.CANCELLED]).toEqual(bulk.counts.DONE === 1 ? ['DONE', 0] : ['CANCELLED', 1])
  })

  it('of sales that an administrator retries is stopped by administrators only, if it may then do more', async () => {
    const bad = await network.newRoom()
    const path = `/region/v1/rooms/${bad}/suspend`
    await network.setRegionFaults([{ method: 'POST', path, action: 'status', status: 409, times: 1000 }])
    const sales = await network.as('CLOUD_SALES')
    const id = await start({ action: 'suspend', selection: { rooms: [bad] }, expectedTotal: 1 }, sales.token)
    expect(await ended(id)).toMatchObject({ state: 'FAILED', access: 'edit' })
    await network.setRegionFaults([])
    await network.database.rows(`update rooms set state = 'DEFAULT', sales_channel = 'online-shop' where name = $1`, [
      bad,
    ])
    await network.admin.call('retryBulk', { params: { id } })
    expect(await ended(id)).toMatchObject({ state: 'DONE', access: 'admin' })
  })

  it('that is retried acts in the name and with the role of who retries it', async () => {
    const [shop, bad] = [await network.newRoom(), await network.newRoom()]
    const paths = [shop, bad].map((name) => `/region/v1/rooms/${name}/suspend`)
    await network.setRegionFaults(
      paths.map((path) => ({ method: 'POST', path, action: 'status', status: 409, times: 1000 }) as const),
    )
    const id = await start({ action: 'suspend', selection: { rooms: [shop, bad] }, expectedTotal: 2 })
    expect(await ended(id)).toMatchObject({ state: 'FAILED', counts: { FAILED: 2 } })
    await network.setRegionFaults([])
    await network.database.rows(`update rooms set state = 'DEFAULT' where name = any($1)`, [[shop, bad]])
    await network.database.rows(`update rooms set sales_channel = 'online-shop' where name = $1`, [shop])
    const sales = await network.as('CLOUD_SALES')
    await sales.call('retryBulk', { params: { id } })
    expect(await ended(id)).toMatchObject({ counts: { DONE: 1, SKIPPED: 1 } })
    expect(await items(id)).toMatchObject([
      { projectRoomName: shop, state: 'SKIPPED' },
      { projectRoomName: bad, state: 'DONE' },
    ])
    const [operation] = await network.database.rows<{ started_by: string }>(
      `select started_by from operations where parent_id = $1 and room_name = $2 and state = 'done'`,
      [id, bad],
    )
    expect(operation?.started_by).toBe(operatorDraft('CLOUD_SALES').email)
  })

  it('is refused to an operator who has five under way', async () => {
    const rooms = await Promise.all(Array.from({ length: 6 }, () => network.newRoom()))
    await network.setRegionFaults([slowRooms])
    const ids = []
    for (const name of rooms.slice(1))
      ids.push(await start({ action: 'suspend', selection: { rooms: [name] }, expectedTotal: 1 }))
    const sixth = start({ action: 'suspend', selection: { rooms: rooms.slice(0, 1) }, expectedTotal: 1 })
    expect(await refusalOf(sixth)).toMatchObject({ status: 409, type: 'urn:roomkeeper:too-many-bulks' })
    await network.setRegionFaults([])
    await Promise.all(ids.map(ended))
  })

  // shows: bulk-cancel, C-cancelBulk
  it('that is cancelled begins no further room and lets those under way end', async () => {
    const rooms = await Promise.all(Array.from({ length: 12 }, () => network.newRoom()))
    await network.setRegionFaults([slowRooms])
    const id = await start({ action: 'suspend', selection: { rooms }, expectedTotal: 12 })
    await until('some are under way', async () => (await read(id)).counts.RUNNING > 0)
    await network.admin.call('cancelBulk', { params: { id } })
    const bulk = await ended(id)
    await network.setRegionFaults([])
    expect(bulk).toMatchObject({ state: 'CANCELLED', counts: { FAILED: 0, WAITING: 0, RUNNING: 0 } })
    expect(bulk.counts.CANCELLED).toBeGreaterThan(0)
    expect(bulk.counts.DONE + bulk.counts.CANCELLED).toBe(12)
    const states = await Promise.all(rooms.map(suspended))
    expect(states.filter((state) => state === 'SUSPENDED')).toHaveLength(bulk.counts.DONE)
    expect(states.filter((state) => state === 'DEFAULT')).toHaveLength(bulk.counts.CANCELLED)
    expect(await refusalOf(network.admin.call('cancelBulk', { params: { id } }))).toMatchObject({
      detail: 'The bulk has already ended.',
    })
  })

  it('that is cancelled ends what waits in line at once, without waiting for a place', async () => {
    const rooms = await Promise.all(Array.from({ length: 6 }, () => network.newSuspendedRoom()))
    await network.setRegionFaults([{ ...slowJobs, milliseconds: 5000 }])
    const id = await start({ action: 'backup', selection: { rooms }, expectedTotal: 6 })
    const children = async () => {
      const found = await network.database.rows<{ state: string; room_name: string }>(
        'select state, room_name from operations where parent_id = $1',
        [id],
      )
      return Object.groupBy(found, ({ state }) => state)
    }
    await until('some hold a place and others wait for one', async () => {
      const { running = [], waiting = [] } = await children()
      return running.length === 3 && waiting.length > 0
    })
    await network.admin.call('cancelBulk', { params: { id } })
    await until('none waits any more', async () => (await children()).waiting === undefined)
    const { running = [], cancelled = [] } = await children()
    expect(running).toHaveLength(3)
    expect(cancelled.length).toBeGreaterThan(0)
    expect(await suspended(cancelled[0]?.room_name ?? '')).toBe('SUSPENDED')
    await network.setRegionFaults([])
    const bulk = await ended(id)
    expect(bulk).toMatchObject({ state: 'CANCELLED', counts: { DONE: 3, CANCELLED: 3 } })
  })

  it('waits for a region that does not answer, says so, and goes on when it is back', async () => {
    const [near, far] = [await network.newRoom(), await network.newRoom({ region: 2 })]
    await network.regions[1]?.stop()
    await network.database.rows(`update regions set health = 'unreachable' where id = 2`)
    const id = await start({ action: 'suspend', selection: { rooms: [near, far] }, expectedTotal: 2 })
    await until('the other region is done', async () => (await read(id)).counts.DONE === 1)
    expect(await read(id)).toMatchObject({
      state: 'RUNNING',
      waitsFor: ['region-2'],
      counts: { WAITING: 1, RUNNING: 0 },
    })
    await until('its log says why', async () => {
      const { body } = await network.admin.call('operationLog', { query: { processId: id } })
      return body.lines.some(({ text }) => text.includes('the region region-2 does not answer'))
    })
    await network.restartRegion(1)
    expect(await ended(id)).toMatchObject({ state: 'DONE', waitsFor: [], counts: { DONE: 2, FAILED: 0 } })
  })

  it('skips the rooms of a disabled region that does not answer, and ends', async () => {
    const [near, far] = [await network.newRoom(), await network.newRoom({ region: 2 })]
    await network.database.rows(`update regions set health = 'unreachable', state = 'disabled' where id = 2`)
    const id = await start({ action: 'suspend', selection: { rooms: [near, far] }, expectedTotal: 2 })
    expect(await ended(id)).toMatchObject({ state: 'PARTIALLY_DONE', counts: { DONE: 1, SKIPPED: 1 } })
    await network.database.rows(`update regions set health = 'answers', state = 'enabled' where id = 2`)
  })

  // shows: bulk-slot
  it('leaves a place of each region free, and an action of an operator does not wait for it', async () => {
    const rooms = await Promise.all(Array.from({ length: 10 }, () => network.newSuspendedRoom()))
    const own = await network.newSuspendedRoom()
    await network.setRegionFaults([slowJobs])
    const id = await start({ action: 'backup', selection: { rooms }, expectedTotal: 10 })
    await until('it has filled its places', async () => (await read(id)).counts.RUNNING >= 4)
    const asked = await network.admin.call('backupRoom', { query: { projectRoomName: own } })
    await until('it has begun', async () => {
      const [row] = await network.database.rows<{ state: string }>('select state from operations where id = $1', [
        asked.body.operationId,
      ])
      return row?.state !== 'waiting'
    })
    expect((await read(id)).counts.WAITING).toBeGreaterThan(0)
    const [held] = await network.database.rows<{ n: number }>(
      `select count(*)::int as n from operation_slots where background and held and region_id = 1`,
    )
    expect(held?.n).toBeLessThanOrEqual(3)
    await network.setRegionFaults([])
    expect(await ended(id)).toMatchObject({ state: 'DONE' })
  })
})

describe('each action', () => {
  it('extends the expiry of the rooms and nothing else', async () => {
    const name = await network.newRoom()
    const before = (await network.admin.call('room', { query: { projectRoom: name } })).body
    const parameters = { expirationDate: '2999-12-31T00:00:00.000Z' }
    const id = await start({ action: 'extend', parameters, selection: { rooms: [name] }, expectedTotal: 1 })
    expect(await ended(id)).toMatchObject({ state: 'DONE' })
    const { body: after } = await network.admin.call('room', { query: { projectRoom: name } })
    const { expirationDate, expirationDateFromLocalDate, version, ...rest } = after
    expect(expirationDateFromLocalDate).toBe('2999-12-31')
    expect(rest).toEqual(Object.fromEntries(Object.entries(before).filter(([key]) => key in rest)))
    const wrong = start({
      ...{ action: 'extend', selection: { rooms: [name] }, expectedTotal: 1 },
      parameters: { expirationDate: '2001-01-01T00:00:00.000Z' },
    })
    expect(await refusalOf(wrong)).toMatchObject({ status: 400, errors: [{ field: 'parameters.expirationDate' }] })
  })

  it('extends no room that is valid for as long, and none without a last day unless asked', async () => {
    const until = (expirationDate: string | null) => network.newRoom({ expirationDate })
    const [short, long, unlimited] = [await until('2030-01-01'), await until('2040-01-01'), await until(null)]
    const selection = { rooms: [short, long, unlimited] }
    const extend = (unlimitedToo?: boolean) => ({
      ...{ action: 'extend', selection },
      parameters: { expirationDate: '2035-12-31T00:00:00.000Z', unlimitedToo },
    })
    expect(await preflight(extend())).toMatchObject({ total: 3, possible: 2, impossible: [{ examples: [long] }] })
    expect(await preflight(extend(false))).toMatchObject({ possible: 1, impossible: [{ count: 1 }, { count: 1 }] })
    const id = await start({ ...extend(false), expectedTotal: 3 })
    expect(await ended(id)).toMatchObject({ state: 'PARTIALLY_DONE', counts: { DONE: 1, SKIPPED: 2 } })
    const days = await network.database.rows<{ day: string | null }>(
      'select expiration_date::text as day from rooms where name = any($1) order by array_position($1, name)',
      [selection.rooms],
    )
    expect(days.map(({ day }) => day)).toEqual(['2035-12-31', '2040-01-01', null])
  })

  // shows: bulk-actions
  it('resumes, backs up, updates system databases, notifies, moves and deletes', async () => {
    const name = await network.newSuspendedRoom()
    const take = async (action: string, parameters: object = {}) =>
      (await ended(await start({ action, parameters, selection: { rooms: [name] }, expectedTotal: 1 }))).state
    expect(await take('backup')).toBe('DONE')
    expect((await network.admin.call('roomBackups', { query: { projectRoom: name } })).body).toHaveLength(1)
    expect(await take('resume', { userNotification: false })).toBe('DONE')
    expect(await suspended(name)).toBe('DEFAULT')
    expect(await take('updateSystemDatabase')).toBe('DONE')
    expect(await take('notify', { text: 'The region is maintained on Sunday.' })).toBe('DONE')
    expect(await take('move', { targetRegion: 2 })).toBe('DONE')
    expect((await network.admin.call('room', { query: { projectRoom: name } })).body.region).toBe(2)
    expect(await take('move', { targetRegion: 2 })).toBe('FAILED')
    expect(await take('delete')).toBe('DONE')
    expect(await refusalOf(network.admin.call('room', { query: { projectRoom: name } }))).toMatchObject({ status: 404 })
  })

  // shows: bulk-label, bulk-pinned-notes
  it('labels rooms in any state without an operation of their own, and says first which notes are pinned', async () => {
    const [active, suspendedOne] = [await network.newRoom(), await network.newSuspendedRoom()]
    await network.admin.call('labelRoom', { body: { projectRoom: active, labels: ['Old', 'VIP'] } })
    const full = Array.from({ length: 20 }, (_, index) => `label ${index}`)
    const crowded = await network.newRoom()
    await network.admin.call('labelRoom', { body: { projectRoom: crowded, labels: full } })
    for (const [text, pinned] of [['seen', true] as const, ['not seen', false] as const])
      await network.admin.call('addRoomNote', { body: { projectRoom: active, text, pinned } })
    const request = {
      action: 'label',
      parameters: { add: ['vip', 'New'], remove: ['old'] },
      selection: { rooms: [active, suspendedOne, crowded] },
    }
    const { total, possible, withPinnedNotes, pinnedNotes } = await preflight(request)
    expect({ total, possible, withPinnedNotes }).toEqual({ total: 3, possible: 3, withPinnedNotes: 1 })
    expect(pinnedNotes).toMatchObject([{ projectRoomName: active, text: 'seen', author: 'admin@localhost' }])
    const id = await start({ ...request, expectedTotal: 3 })
    expect(await ended(id)).toMatchObject({ state: 'PARTIALLY_DONE', counts: { DONE: 2, SKIPPED: 1 } })
    expect((await items(id))[0]).toMatchObject({ projectRoomName: crowded, reasons: [{ code: 'labels-at-most' }] })
    const labelsOf = async (projectRoom: string) =>
      (await network.admin.call('room', { query: { projectRoom } })).body.labels
    expect([await labelsOf(active), await labelsOf(suspendedOne)]).toEqual([
      ['VIP', 'New'],
      ['vip', 'New'],
    ])
    const nothing = { ...request, parameters: {}, expectedTotal: 3 }
    expect(await refusalOf(start(nothing))).toMatchObject({ errors: [{ code: 'label-missing' }] })
  })

  // shows: bulk-retry, failed-causes, C-failedRooms
  it('retries what failed for one cause once that is gone, and names the rooms where nothing is to be retried', async () => {
    const companyName = 'Stranded fleet'
    const [full, alsoFull, refused] = [
      await failedCreation(companyName, 507),
      await failedCreation(companyName, 507),
      await failedCreation(companyName, 400),
    ]
    const active = await newRoomOf(companyName)
    const ofCause = (cause: string, condition = 'EQUALS') =>
      queryOf({
        search: 'stranded',
        filter_keys: ['failureCause'],
        filter_values: [cause],
        filter_conditions: [condition],
      })
    const namesOf = async (query: RoomExportQuery) => {
      const { body } = await network.admin.call('listRooms', {
        query: { page: 0, size: 10, totals: 'exact', ...query },
      })
      return body.data.map(({ tenantName }) => tenantName)
    }
    expect(await namesOf(ofCause('no-space'))).toEqual([full, alsoFull].toSorted())
    expect(await namesOf(ofCause('no-space', 'NOT_EQUALS'))).toEqual([refused, active].toSorted())
    const counted = (await network.admin.call('roomStatistics', { query: ofCause('no-space') })).body.byRegion
    expect(counted.map(({ rooms }) => rooms)).toEqual([2])
    const exported = await network.admin.open('exportRooms', { query: { ...ofCause('no-space'), csv: 'programs' } })
    expect((await exported.text()).trim().split('\n')).toHaveLength(3)
    expect((await network.admin.call('failedRooms', { query: queryOf({ search: 'stranded' }) })).body).toEqual([
      { cause: 'no-space', rooms: 2 },
      { cause: 'refused', rooms: 1 },
    ])
    const all = { query: queryOf({ search: 'stranded' }), except: [] }
    // As of a room whose operation is not kept any more.
    await network.database.rows(`delete from operations where room_name = $1`, [refused])
    expect(await preflight({ action: 'retry', selection: all })).toMatchObject({
      total: 4,
      possible: 2,
      impossible: expect.arrayContaining([
        expect.objectContaining({ reasons: [{ code: 'nothing-to-retry', params: {} }], examples: [refused] }),
        expect.objectContaining({ reasons: [{ code: 'not-in-error', params: {} }], examples: [active] }),
      ]),
    })
    expect(await preflight({ action: 'retry', selection: all, parameters: { cause: 'refused' } })).toMatchObject({
      possible: 0,
      impossible: expect.arrayContaining([
        expect.objectContaining({ reasons: [{ code: 'failed-otherwise', params: {} }], count: 2 }),
        expect.objectContaining({ reasons: [{ code: 'nothing-to-retry', params: {} }], count: 1 }),
      ]),
    })
    await network.setRegionFaults([])
    const selection = { query: ofCause('no-space'), except: [] }
    const id = await start({ action: 'retry', selection, expectedTotal: 2 })
    expect(await ended(id)).toMatchObject({ state: 'DONE', counts: { DONE: 2 } })
    expect([await suspended(full), await suspended(alsoFull), await suspended(refused)]).toEqual([
      'DEFAULT',
      'DEFAULT',
      'ERROR',
    ])
    const history = await network.admin.call('roomHistory', { query: { projectRoom: full } })
    expect(history.body.data.map(({ action }) => action)).toEqual(['operation.retry', 'room.create'])
    const rest = await start({ action: 'retry', selection: all, expectedTotal: 4 })
    expect(await ended(rest)).toMatchObject({ state: 'FAILED', counts: { SKIPPED: 4 } })
    await network.admin.call('deleteRoom', { body: { roomName: refused } })
    await network.settle()
  })

  // shows: room-as-before
  it('retries in each room in error what the role may retry, and nothing in other rooms or in a disabled region', async () => {
    const [deleted, kept] = [await network.newRoom(), await network.newSuspendedRoom()]
    await network.setRegionFaults([
      { method: 'POST', path: `/region/v1/rooms/${kept}/resume`, action: 'status', status: 400 },
    ])
    await network.planFault('room.delete:delete-room:before:fail')
    await network.admin.call('deleteRoom', { body: { roomName: deleted, withoutBackup: true } })
    await refusalOf(network.admin.call('resumeRoom', { body: { roomName: kept, userNotification: false } }))
    await network.settle()
    const created = await failedCreation('Other fleet', 400)
    const logOf = async (room: string) => {
      const { body } = await network.admin.call('room', { query: { projectRoom: room } })
      const processId = String(body.failedOperationId)
      return { processId, log: (await network.admin.call('operationLog', { query: { processId } })).body }
    }
    const ofKept = (await logOf(kept)).log
    expect(ofKept.errorReasons.map(({ code }) => code)).toEqual(['told-by-named-region', 'room-suspended-as-before'])
    const rooms = [deleted, kept, created]
    const sales = await network.as('CLOUD_SALES')
    const support = await network.as('CLOUD_SUPPORT')
    const request = { action: 'retry', selection: { rooms }, expectedTotal: 3 }
    expect(await refusalOf(start(request, support.token))).toMatchObject({ status: 403 })

    await network.database.rows(`update regions set state = 'disabled' where id = 1`)
    const { processId: id, log } = await logOf(created)
    expect(log.whyNotRetry?.reasons).toMatchObject([{ params: { refusal: 'region-disabled' } }])
    expect(await refusalOf(network.admin.call('retryOperation', { params: { id } }))).toMatchObject({
      type: 'urn:roomkeeper:region-disabled',
    })
    expect(await preflight({ action: 'retry', selection: { rooms: [created] } })).toMatchObject({
      impossible: [{ reasons: [{ code: 'region-disabled' }] }],
    })
    await network.database.rows(`update regions set state = 'enabled' where id = 1`)

    expect((await preflight({ action: 'retry', selection: { rooms } })).retries).toEqual(
      expect.arrayContaining([
        { processType: 3, count: 1 },
        { processType: 0, count: 1 },
      ]),
    )
    await network.setRegionFaults([])
    const outcomes = async (bulk: string) => {
      await ended(bulk)
      const found = await items(bulk)
      return Object.fromEntries(
        found.map(({ projectRoomName, state, reasons }) => [projectRoomName, reasons[0]?.code ?? state]),
      )
    }
    expect(await outcomes(await start(request, sales.token))).toEqual({
      [deleted]: 'role',
      [kept]: 'not-in-error',
      [created]: 'DONE',
    })
    const ofAdmin = await start(request)
    for (const manage of ['cancelBulk', 'retryBulk'] as const)
      expect(await refusalOf(sales.call(manage, { params: { id: ofAdmin } }))).toMatchObject({ status: 403 })
    expect(await outcomes(ofAdmin)).toEqual({
      [deleted]: 'DONE',
      [kept]: 'not-in-error',
      [created]: 'not-in-error',
    })
    expect((await logOf(kept)).log.state).toBe('failed')
  })

  // shows: retry-when-back
  it('retries, once a region has answered for a minute, what failed because it did not: each operation for one request', async () => {
    const refused = await failedCreation('Cut off fleet', 400)
    await network.setRegionFaults([])
    // Here regions are asked only while something waits for them.
    await network.database.rows(
      `update regions set health = 'answers', health_since = now() - interval '1 day' where id = 1`,
    )
    await network.regions[1]?.stop()
    const body = { ...roomDraft({ region: 2 }), companyName: 'Cut off fleet' }
    const { operationId } = (await network.admin.call('createRoom', { body })).body
    const room = async () => (await network.admin.call('room', { query: { projectRoom: body.tenantName } })).body
    await until('the region is missed', async () => ((await room()).runningOperation?.waiting?.tries ?? 0) > 1, 30)
    const waiting = (await room()).runningOperation?.waiting
    expect(waiting).toMatchObject({
      code: 'named-region-unreachable',
      params: { region: 'region-2' },
      endsAsBefore: false,
    })
    expect((Date.parse(waiting?.givesUpAt ?? '') - Date.parse(waiting?.since ?? '')) / 60_000).toBeCloseTo(15, 0)
    await network.database.rows(
      `update operation_steps set failing_since = failing_since - interval '20 minutes' where operation_id = $1`,
      [operationId],
    )
    await until('it has given up', async () => (await room()).projectRoomState === 'ERROR', 60)

    const regionIs = (state: string) => network.database.rows(`update regions set state = '${state}' where id = 2`)
    await regionIs('disabled')
    await network.database.rows(`update regions set health_since = health_since - interval '1 minute' where id = 1`)
    const selection = { rooms: [body.tenantName, refused] }
    const wish = { action: 'retry', selection, parameters: { whenRegionIsBack: true } }
    expect(await preflight(wish)).toMatchObject({
      possible: 1,
      impossible: [{ reasons: [{ code: 'failed-otherwise' }], examples: [refused] }],
    })
    const id = await start({ ...wish, expectedTotal: 2 })
    expect(await preflight({ ...wish, selection: { rooms: [body.tenantName] } })).toMatchObject({
      impossible: [{ reasons: [{ code: 'retry-waits-already', params: { by: 'admin@localhost' } }] }],
    })
    const again = await start({ ...wish, expectedTotal: 2 })
    await network.server.stop()
    await network.restartServer()
    await network.restartRegion(1)
    const answering = `select from regions where id = 2 and health = 'answers'`
    await until('the region answers', async () => (await network.database.rows(answering)).length > 0, 30)
    expect(await read(id)).toMatchObject({
      startedBy: 'admin@localhost',
      waitsFor: ['region-2'],
      counts: { WAITING: 1 },
    })
    expect((await room()).projectRoomState).toBe('ERROR')
    await network.database.rows(`update regions set health_since = health_since - interval '1 minute' where id = 2`)
    expect(await read(id)).toMatchObject({ waitsFor: ['region-2'], counts: { WAITING: 1 } })
    await regionIs('enabled')
    expect(await ended(id)).toMatchObject({ counts: { DONE: 1, SKIPPED: 1 } })
    expect((await room()).projectRoomState).toBe('DEFAULT')
    expect(await ended(again)).toMatchObject({ counts: { DONE: 0, SKIPPED: 2 } })
  })

  it('is for those who may take it for one room', async () => {
    const name = await network.newRoom()
    const sales = await network.as('CLOUD_SALES')
    const body = (action: string) => ({ action, selection: { rooms: [name] }, expectedTotal: 1 })
    expect(await refusalOf(start(body('delete'), sales.token))).toMatchObject({ status: 403 })
    const id = await start(body('suspend'), sales.token)
    expect(await ended(id)).toMatchObject({ state: 'DONE', startedBy: expect.stringContaining('sales') })
    const support = await network.as('CLOUD_SUPPORT')
    expect(await refusalOf(start(body('resume'), support.token))).toMatchObject({ status: 403 })
    expect((await support.call('bulk', { params: { id } })).body.state).toBe('DONE')
    const shop = await network.newRoom({ productType: 'online-shop' })
    const ofShop = await start({ action: 'suspend', selection: { rooms: [shop] }, expectedTotal: 1 })
    expect(await refusalOf(sales.call('cancelBulk', { params: { id: ofShop } }))).toMatchObject({ status: 403 })
    expect([(await ended(ofShop)).access, (await read(id)).access]).toEqual(['admin', 'edit'])
  })
})

// shows: C-createBulkItemsTicket, C-downloadBulkItems
it('its rooms come as CSV', async () => {
  const name = await network.newRoom()
  const id = await start({ action: 'suspend', selection: { rooms: [name] }, expectedTotal: 1 })
  await ended(id)
  const answer = await fetch(`${network.server.address}/api/operator/bulk/${id}/items?download=1`, {
    headers: { authorization: `Bearer ${network.admin.token}` },
  })
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const csv = await answer.text()
  expect(csv).toMatch(new RegExp(`^Project room,State,Reason,Operation\r\n"${name}","DONE","","[0-9a-f-]{36}"\r\n$`))
  const link = (await network.admin.call('createBulkItemsTicket', { body: { id } })).body.url
  expect(await (await fetch(network.server.address + link)).text()).toBe(csv)
  const forExcel = await network.admin.call('createBulkItemsTicket', { body: { id, csv: 'excel-semicolon' } })
  const bytes = Buffer.from(await (await fetch(network.server.address + forExcel.body.url)).arrayBuffer())
  expect(bytes.toString()).toMatch(new RegExp(`^\ufeffProject room;State;Reason;Operation\r\n"${name}";"DONE";"";"`))
})

it('the console, its regions and the records agree after all that', async () => {
  await network.settle()
  expect(await network.doctor()).toEqual([])
})

const slowRooms = { method: 'POST', path: '/region/v1/rooms/', action: 'delay', milliseconds: 1500, times: 1000 }
const slowJobs = { method: 'PUT', path: '/region/v1/jobs/', action: 'delay', milliseconds: 1000, times: 1000 }

type Given = { action: string; selection: BulkSelection; parameters?: object }

/** As another program would send it, without the fields that have a default. @throws ProblemError */
async function post<Answer>(path: string, body: object, token = network.admin.token, headers = {}): Promise<Answer> {
  const answer = await fetch(`${network.server.address}/api/operator/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body),
  })
  const read = (await answer.json()) as Problem
  if (!answer.ok) throw new ProblemError(read)
  return read as unknown as Answer
}

it('a selection may name what is no project room, however it is written', async () => {
  const room = await network.newRoom()
  const none = ['a"b', 'c\\d', '\\', 'null', '', 'e,f', '{}', 'g\th', 'ä\u{1f600}']
  for (const others of [none, none.filter((name) => !/["\\\t]/.test(name))])
    expect(await preflight({ action: 'suspend', selection: { rooms: [...others, room] } })).toMatchObject({ total: 1 })
})

it('a third call at once that names many rooms is refused to its operator alone, whatever it is for', async () => {
  const many = JSON.stringify({
    action: 'suspend',
    selection: { rooms: Array.from({ length: 10_000 }, (_, at) => `many${at}`) },
  })
  const other = await network.as('CLOUD_SALES')
  const send = (path: string, token: string, body: string | ReadableStream, method = 'POST') =>
    fetch(`${network.server.address}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body,
      duplex: 'half',
    } as RequestInit)
  const unfinished = Array.from({ length: 2 }, () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    void writer.write(Buffer.from(many.slice(0, -1)))
    const answer = send(routes.preflightBulk.path, network.admin.token, readable)
    return {
      answer,
      async finish() {
        await writer.write(Buffer.from('}'))
        await writer.close()
      },
    }
  })
  const statusOf = async (token: string, body = many) => (await send(routes.preflightBulk.path, token, body)).status
  await until('both are under way', async () => (await statusOf(network.admin.token)) === 429)
  for (const { path, method } of (Object.values(routes) as Route[]).filter(({ longBody }) => longBody === true)) {
    const refused = await send(path.replace(':id', crypto.randomUUID()), network.admin.token, many, method)
    expect([path, refused.status, ((await refused.json()) as Problem).type]).toEqual([
      path,
      429,
      'urn:roomkeeper:too-many-long-calls',
    ])
  }
  expect(await statusOf(network.admin.token, '{"action":"suspend","selection":{"rooms":["few"]}}')).toBe(200)
  expect(await statusOf(other.token)).toBe(200)
  for (const { finish } of unfinished) await finish()
  expect(await Promise.all(unfinished.map(async ({ answer }) => (await answer).status))).toEqual([200, 200])
  await until('there is room again', async () => (await statusOf(network.admin.token)) === 200)
})

it('a call that names many rooms and is given up before its session was looked up takes no place', async () => {
  const locked = new pg.Client({ connectionString: network.database.url })
  await locked.connect()
  const { token } = network.admin
  await network.database.rows(`update sessions set last_used_at = now() - interval '2 minutes'`)
  await locked.query('begin; select from sessions for update')
  const body = JSON.stringify({
    action: 'suspend',
    selection: { rooms: Array.from({ length: 10_000 }, (_, at) => `many${at}`) },
  })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const send = (signal: AbortSignal | null) =>
    fetch(`${network.server.address}${routes.preflightBulk.path}`, { method: 'POST', headers, body, signal })
  const givenUp = Array.from({ length: 2 }, () => new AbortController())
  const calls = Promise.allSettled(givenUp.map(({ signal }) => send(signal)))
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until('both wait', async () => (await network.database.rows(waiting)).length === 2)
  for (const each of givenUp) each.abort()
  await calls
  // Until the server knows that they are gone.
  await new Promise((resolve) => setTimeout(resolve, 500))
  await locked.query('commit')
  await locked.end()
  await until('no look-up waits', async () => (await network.database.rows(waiting)).length === 0)
  expect((await send(null)).status).toBe(200)
})

const preflight = (body: Given) => post<BulkPreflight>('bulk/preflight', body)

type Started = Given & { expectedTotal: number; selectionDigest?: string | null }

async function start(body: Started, token?: string, headers?: object): Promise<string> {
  return (await post<{ operationId: string }>('bulk', body, token, headers)).operationId
}

async function read(id: string) {
  return (await network.admin.call('bulk', { params: { id } })).body
}

async function ended(id: string) {
  await until('the bulk has ended', async () => (await read(id)).endedAt !== null)
  return read(id)
}

async function items(id: string) {
  return (await network.admin.call('bulkItems', { params: { id } })).body.data
}

function queryOf(query: Partial<RoomExportQuery>): RoomExportQuery {
  const lists = { search_keys: [], search_values: [], filter_keys: [], filter_values: [], filter_conditions: [] }
  return { order_by: 'tenantName', order_dir: 'asc', search: '', ...lists, ...query }
}

function newRoomOf(companyName: string): Promise<string> {
  return network.newRoom({ companyName })
}

/** The region answers every look at its licences with this status, until the next faults are set. */
async function failedCreation(companyName: string, status: number): Promise<string> {
  const body = { ...roomDraft(), companyName }
  const path = `/region/v1/rooms/${body.tenantName}/licences`
  await network.setRegionFaults([{ method: 'GET', path, action: 'status', status }])
  await network.admin.call('createRoom', { body })
  await network.settle()
  return body.tenantName
}

async function refusalOf(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ProblemError)) throw error
  return error.problem
}
