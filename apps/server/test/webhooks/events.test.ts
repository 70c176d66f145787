/** What webhooks are told: every change that was made, once, and none that was not. */
import { type WebhookMessage, webhookBody, webhookEvents } from '@roomkeeper/contract'
import { bootNetwork, type Network, startWebhookReceiver, until, type WebhookReceiver } from '@roomkeeper/dev-env'
import { dayInUtc } from '@roomkeeper/rules'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { scheduleBackups } from '#backup-policies/schedule-backups.ts'
import { recordChange, recordChangeOfRooms } from '#changes/index.ts'
import { type Database, openDatabase, queryRows, type Tx } from '#platform/database.ts'
import { sendDueReminders } from '#rooms/expiry/start-reminders.ts'
import { doAlone } from '../do-alone.ts'
import { saveMigration } from '../migrations/call-support.ts'
import { startRun } from '../migrations/moves.ts'
import { insertRegion, insertRooms } from '../room-rows.ts'
import { serverKilled } from '../server-killed.ts'
import { acceptedBy, allDelivered, hurry, type ToldEvent } from './deliver-now.ts'

let network: Network
let receiver: WebhookReceiver
let hook: { id: string; secret: string }
/** What needs attention follows from the state of all rooms: region-checks.test.ts tells of it. */
const ofRoomsAndRegions = webhookEvents.filter((each) => each !== 'attention.changed')

beforeAll(async () => {
  const env = { WEBHOOK_NETWORKS: '127.0.0.0/8', REGION_HEALTH_SECONDS: '0', ROOM_RECORD_SECONDS: '0' }
  network = await bootNetwork({ regions: 2, env })
  receiver = await startWebhookReceiver()
  const body = { name: 'everything', url: receiver.url, events: ofRoomsAndRegions, isOn: true }
  hook = (await network.admin.call('createWebhook', { body })).body
})
afterAll(async () => {
  await network?.stop()
  await receiver?.stop()
})
beforeEach(() => void receiver?.received.splice(0))

/** Everything that this test has brought about, in order; each as it is described in the contract. */
async function told(): Promise<ToldEvent[]> {
  await network.settle()
  await allDelivered(network, hook.id)
  const events = acceptedBy(receiver, hook.secret)
  for (const event of events)
    expect(
      webhookBody(event.type as WebhookMessage)
        .strict()
        .parse(event),
    ).toEqual(event)
  return events
}

const typesOf = (events: ToldEvent[]) => events.map(({ type }) => type)
const suspend = (room: string) =>
  network.admin.call('suspendRoom', { body: { roomName: room, userNotification: false } })

// shows: webhook-once
it('the life of a room: created, changed, suspended, resumed, deleted, brought back', async () => {
  const name = await network.newRoom({ expirationDate: '2031-05-31' })
  const { body: room } = await network.admin.call('room', { query: { projectRoom: name } })
  const sapNumberLast = `new of ${name}`
  const edited = { ...room, sapNumberLast, companyName: 'Renamed Ltd.', customerLastName: 'Lovelace' }
  await network.admin.call('editRoom', { body: edited as never })
  await network.admin.call('labelRoom', { body: { projectRoom: name, labels: ['VIP'] } })
  await suspend(name)
  await network.admin.call('resumeRoom', { body: { roomName: name, userNotification: false } })
  await network.admin.call('deleteRoom', { body: { roomName: name } })
  await network.settle()
  const { body: deleted } = await network.admin.call('deletedRooms', { query: { search: name } })
  const params = { id: deleted.data[0]?.id ?? '' }
  await network.admin.call('restoreDeletedRoom', { params, body: {} })
  const events = await told()
  expect(typesOf(events)).toEqual([
    'room.created',
    'room.changed',
    'room.changed',
    'room.suspended',
    'room.resumed',
    'room.deleted',
    'room.created',
  ])
  const [created, changed, labelled, suspended] = events
  expect(created?.data).toEqual({
    room: {
      id: expect.any(String),
      name,
      state: 'DEFAULT',
      region: 'region-1',
      product: room.product,
      edition: room.edition,
      expirationDate: '2031-05-31',
      labels: [],
    },
    operation: { id: expect.any(String), kind: 'room.create' },
  })
  expect(changed?.data).toMatchObject({
    operation: { kind: 'room.edit' },
    changes: [
      // Events contain no personal data, so they do not tell the values of such fields.
      { field: 'customerLastName', from: null, to: null },
      { field: 'companyName', from: 'Example, Inc.', to: 'Renamed Ltd.' },
      { field: 'sapNumberLast', from: null, to: sapNumberLast },
    ],
  })
  expect(labelled?.data).toMatchObject({
    room: { labels: ['VIP'] },
    operation: null,
    changes: [{ field: 'labels', from: [], to: ['VIP'] }],
  })
  expect(suspended?.data).toMatchObject({ room: { state: 'SUSPENDED' }, operation: { kind: 'room.suspend' } })
  expect(new Set(events.map(({ data }) => data.room?.id)).size).toBe(1)
})

it('a creation that fails is told as that; the room, when a retry has created it', async () => {
  await network.planFault('room.create:create-room:before:fail')
  const name = await network.newRoom()
  const [failed, ...others] = await told()
  expect(others).toEqual([])
  expect(failed).toMatchObject({
    type: 'operation.failed',
    data: {
      operation: { kind: 'room.create', process: 'Create PR', attempt: 1, parentId: null },
      room: { name, state: 'ERROR' },
      region: 'region-1',
      text: expect.stringMatching(/\w/),
      reasons: [{ code: expect.any(String) }],
    },
  })
  const id = failed?.data.operation?.id ?? ''
  await network.admin.call('retryOperation', { params: { id } })
  expect(typesOf(await told())).toEqual(['operation.failed', 'room.created'])
})

it.each(['before', 'after'])(
  'a worker that dies %s the end of an operation is recorded, tells of it once',
  async (at) => {
    const name = await network.newRoom()
    await network.planFault(`room.suspend:end:${at}:kill`)
    await suspend(name).catch(() => undefined)
    await serverKilled(network)
    // What it was delivering just then would be tried again after a minute.
    await hurry(network, 'claimed')
    await network.restartServer()
    expect(typesOf(await told())).toEqual(['room.created', 'room.suspended'])
  },
)

// shows: webhook-once
it('what is undone and what is rolled back is not told', async () => {
  const name = await network.newRoom()
  await network.planFault('room.suspend:tell-stakeholders:before:fail')
  await suspend(name).catch(() => undefined)

  const database = openDatabase(network.database.url, { maxConnections: 1 })
  const event = {
    orderingKey: 'region 1',
    roomId: null,
    roomName: null,
    data: { region: { id: 1, name: 'region-1' }, downSince: '' },
  }
  const work = database.transaction(async (tx) => {
    await recordChange(tx, { kind: 'region.up', events: async () => [event] })
    throw new Error('changed my mind')
  })
  await expect(work.finally(() => database.close())).rejects.toThrow('changed my mind')
  expect(typesOf(await told())).toEqual(['room.created', 'operation.failed'])
})

it('many events for as many webhooks as there may be are written by statements of at most 5,000 rows', async () => {
  const database = openDatabase(network.database.url, { maxConnections: 1 })
  const data = { region: { id: 1, name: 'region-1' }, downSince: '' }
  const event = { data, orderingKey: 'region 1', roomId: null, roomName: null } as const
  const rowsOfStatements = async (tx: Tx) => {
    await queryRows(
      tx,
      `insert into webhooks (name, url, events, is_on, secret, created_by, changed_by)
       select 'many ' || n, 'https://hooks.example', '{region.up}', true, '', 'ada', 'ada' from generate_series(2, 50) n`,
    )
    await queryRows(tx, 'create temporary table statements (rows integer) on commit drop')
    await queryRows(
      tx,
      `create function note_statement() returns trigger language plpgsql as $$
       begin insert into statements select count(*) from added; return null; end $$`,
    )
    await queryRows(
      tx,
      `create trigger note_statement after insert on webhook_deliveries referencing new table as added
         for each statement execute function note_statement()`,
    )
    await recordChange(tx, { kind: 'region.up', events: async () => Array(101).fill(event) })
    return (await queryRows<{ rows: number }>(tx, 'select rows from statements')).map(({ rows }) => rows)
  }
  let rows: number[] = []
  const undone = new Error('undone')
  const work = database.transaction(async (tx) => {
    rows = await rowsOfStatements(tx)
    throw undone
  })
  await expect(work.finally(() => database.close())).rejects.toBe(undone)
  expect(rows).toEqual([5000, 50])
})

it('a move: the room has another region, and the run has ended', async () => {
  const room = await network.newRoom()
  const { id } = await saveMigration(network)
  await startRun(network, { migrationId: id, rooms: [room] })
  const events = await told()
  // Only the events of one room have an order.
  const [ofRun] = events.filter(({ type }) => type === 'migration.ended')
  const ofRoom = events.filter((event) => event !== ofRun)
  expect(typesOf(ofRoom)).toEqual(['room.created', 'room.changed'])
  expect(ofRoom[1]?.data).toMatchObject({
    room: { region: 'region-2' },
    operation: { kind: 'room.migrate' },
    changes: [{ field: 'region', from: 'region-1', to: 'region-2' }],
  })
  expect(ofRun?.data).toMatchObject({
    migration: { id, source: 'region-1', target: 'region-2' },
    state: 'COMPLETED',
    rooms: { migrated: 1, postponed: 0, failed: 0, waiting: 0, inFlight: 0 },
  })
})

it('a room that expires is told once for each of the days, however many workers look', async () => {
  const in7Days = dayInUtc(new Date(Date.now() + 7 * 86_400_000))
  const name = await network.newRoom({ expirationDate: in7Days })
  const databases = [1, 2].map(() => openDatabase(network.database.url, { maxConnections: 2 }))
  await Promise.all(databases.map((each) => sendReminders(each, [7, 1], new Date())))
  await sendDueReminders(databases[0] as (typeof databases)[0], [7, 1], new Date())
  await Promise.all(databases.map((each) => each.close()))
  const [, ...events] = await told()
  expect(events).toMatchObject([
    {
      type: 'room.expiring',
      data: { room: { name, expirationDate: in7Days }, days: 7, operation: { kind: 'room.remind' } },
    },
  ])
})

it('a room that is being changed holds up no reminder of others, whatever order it is locked in, and is reminded of later', async () => {
  const expirationDate = dayInUtc(new Date(Date.now() + 6 * 86_400_000))
  const names = [await network.newRoom({ expirationDate }), await network.newRoom({ expirationDate })]
  const databases = [1, 2].map(() => openDatabase(network.database.url, { maxConnections: 2 }))
  const remind = () => Promise.all(databases.map((each) => sendReminders(each, [7, 1], new Date())))
  const reminded = async () => (await told()).flatMap(({ type, data }) => (type === 'room.expiring' ? [data.room] : []))
  // Against the order in which many rooms are locked.
  const ids = await network.database.rows<{ id: string; name: string }>(
    'select id, name from rooms where name = any($1) order by id desc',
    [names],
  )
  const [held, other] = ids as [(typeof ids)[0], (typeof ids)[0]]
  const changing = new pg.Client({ connectionString: network.database.url })
  await changing.connect()
  const change = (id: string) => changing.query('update rooms set version = version + 1 where id = $1', [id])
  await changing.query('begin')
  await change(held.id)
  await remind()
  expect(await reminded()).toMatchObject([{ name: other.name }])
  await Promise.all([remind(), change(other.id).then(() => changing.query('commit'))])
  await changing.end()
  await remind()
  expect(await reminded()).toMatchObject([{ name: other.name }, { name: held.name }])
  await Promise.all(databases.map((each) => each.close()))
})

it('of the rooms of a region, more than are read at once, each is told once, and those of others are not', async () => {
  await network.newRoom()
  const database = openDatabase(network.database.url, { maxConnections: 1 })
  const rolledBack = new Error('Nobody is to be sent thousands of events.')
  const telling = database.transaction(async (tx) => {
    const regionId = await insertRegion(tx)
    const rooms = Array.from({ length: 100 }, () => ({ regionId }))
    for (let inserted = 0; inserted < 4100; inserted += rooms.length) await insertRooms(tx, rooms)
    const by = { actor: 'ada', requestId: 'r' }
    await recordChangeOfRooms(tx, { kind: 'room.remove-with-region', ...by, regionId, detail: 'gone' })
    const told = `select ordering_key from webhook_deliveries where type = 'room.deleted' and at > now() order by ordering_key`
    const ids = `select id::text as ordering_key from rooms where region_id = $1 order by ordering_key`
    expect(await queryRows(tx, told)).toEqual(await queryRows(tx, ids, [regionId]))
    throw rolledBack
  })
  await expect(telling.finally(() => database.close())).rejects.toBe(rolledBack)
})

it('a region that is down, and up again, is told once each, whichever process notices', async () => {
  const look = () =>
    Promise.allSettled([1, 2, 3].map(() => network.admin.call('testRegion', { body: { id: 2, password: '' } })))
  await look()
  await network.regions[1]?.stop('SIGKILL')
  await look()
  // As if it had refused the login meanwhile: it was down then, too.
  await network.database.rows(`update regions set health = 'refuses-login' where id = 2`)
  await look()
  await network.restartRegion(1)
  await look()
  const [down, up, ...others] = await told()
  expect(others).toEqual([])
  expect(down).toMatchObject({
    type: 'region.down',
    data: { region: { id: 2, name: 'region-2' }, health: 'unreachable' },
  })
  expect(up).toMatchObject({ type: 'region.up', data: { region: { id: 2 }, downSince: down?.data.downSince } })
})

it('a scheduled backup that is missed or fails is told with its policy', async () => {
  const name = await network.newRoom()
  const other = await network.newRoom()
  const rooms = { regions: [], products: [], editions: [], query: null }
  const keep = { daily: 7, weekly: 4, monthly: 0 }
  const schedule = { every: 'hours', hours: 1 } as const
  const draft = { name: 'Hourly', isOn: true, rooms, kind: 'classic', schedule, keep, verifyEvery: 0 } as const
  const { body: policy } = await network.admin.call('createBackupPolicy', { body: draft })
  await network.database.rows(`update rooms set state = 'IN_PROGRESS' where name = $1`, [name])
  const due = (room: string, tryUntil: string) =>
    network.database.rows(
      `insert into scheduled_backups (policy_id, room_id, region_id, due_at, counts_from, try_until)
       select $1::uuid, id, region_id, now() - interval '1 hour', now(), ${tryUntil} from rooms where name = $2`,
      [policy.id, room],
    )
  await network.planFault('room.backup-scheduled:make-backup:before:fail')
  await due(other, `now() + interval '1 hour'`)
  await due(name, 'now()')
  const database = openDatabase(network.database.url, { maxConnections: 3 })
  let events: ToldEvent[] = []
  // As the workers do every five seconds.
  const look = () =>
    doAlone(database, 'scheduling of backups', () => scheduleBackups({ database, regionConcurrency: 2 }, new Date()))
  await until('both to be told', async () => {
    await look()
    events = await told()
    return events.length === 5
  }).finally(() => database.close())
  const [failure] = events.filter(({ type }) => type === 'operation.failed')
  const ofPolicy = { policy: { id: policy.id, name: 'Hourly' } }
  expect(events.filter(({ type }) => type === 'backup.failed').map(({ data }) => data)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...ofPolicy, outcome: 'missed', room: expect.objectContaining({ name }) }),
      expect.objectContaining({
        ...ofPolicy,
        outcome: 'failed',
        room: expect.objectContaining({ name: other }),
        operationId: failure?.data.operation?.id,
        text: failure?.data.text,
      }),
    ]),
  )
  await network.admin.call('deleteBackupPolicy', { params: { id: policy.id } })
})

/** As the server does it: one process at a time. */
function sendReminders(database: Database, days: readonly number[], now: Date): Promise<void> {
  return doAlone(database, 'reminders of expiry', () => sendDueReminders(database, days, now))
}
