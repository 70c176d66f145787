/** What changes lead to: the catalogue is complete, documented, and the only way to the tables that it fills. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { auditActions, serverEvent, webhookEvents } from '@roomkeeper/contract'
import { expect, it } from 'vitest'
import { queryRows, type Tx } from '#platform/database.ts'
import { insertRegion, insertRooms } from '../../test/room-rows.ts'
import { createTestDatabase } from '../../test/test-database.ts'
import { type Change, type Consequences, changeKinds, recordChange, recordChangeOfRooms } from './index.ts'

const kinds = Object.entries(changeKinds) as [string, Consequences][]
const root = join(import.meta.dirname, '../../../..')

const rowOf = ([kind, { audit, live, webhook, mail }]: (typeof kinds)[number]) =>
  `| \`${kind}\` | ${audit ?? ''} | ${live.join(', ')} | ${webhook ?? ''} | ${mail ?? ''} |`.replaceAll(/ {2,}/g, ' ')

it('is listed in docs/changes.md: each kind with what it leads to', () => {
  const page = readFileSync(join(root, 'docs/changes.md'), 'utf8')
  expect(page.split('\n').filter((line) => line.startsWith('| `'))).toEqual(kinds.map(rowOf))
})

it('leads to everything there is: each action of the audit trail, each live event, each event of webhooks', () => {
  const live = serverEvent.options.map((option) => option.shape.type.value)
  expect(new Set(kinds.map(([, { audit }]) => audit))).toEqual(new Set([...auditActions, null]))
  expect(new Set(kinds.flatMap(([, each]) => each.live))).toEqual(new Set([...live, 'room gone']))
  expect(new Set(kinds.map(([, { webhook }]) => webhook))).toEqual(new Set([...webhookEvents, null]))
})

it('is the only way to them: no other file writes their tables', () => {
  const source = join(root, 'apps/server/src')
  const writes =
    /insert\s+into\s+(audit|events|webhook_deliveries)\b|insertInto\(\s*'(audit|events|webhookDeliveries)'/i
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  )
  const writing = files.filter((file) => writes.test(readFileSync(join(source, file), 'utf8')))
  expect(writing.filter((file) => !file.startsWith('changes/'))).toEqual([])
  expect(writing.length).toBeGreaterThan(0)
})

it('cannot be recorded without what its consequences need', () => {
  const room = { id: '00000000-0000-4000-8000-000000000000', name: 'room' }
  const by = { actor: 'ada@example.com', requestId: null }
  const changes: Change[] = [
    // @ts-expect-error: the webhook is told which operation it was.
    { kind: 'room.created', room },
    // @ts-expect-error: the webhook is told what was changed.
    { kind: 'room.edit', ...by, room, operation: null },
    // @ts-expect-error: the entry says who it was.
    { kind: 'view.create', detail: 'mine' },
    // @ts-expect-error: the consoles are told which policy.
    { kind: 'backup-policy.edit', ...by },
  ]
  expect(changes).toHaveLength(4)
})

const database = await createTestDatabase()
const taken = new Error('taken back')
const inDatabase = (work: (tx: Tx) => Promise<void>) =>
  database
    .transaction(async (tx) => {
      await work(tx)
      throw taken
    })
    .catch((error: unknown) => {
      if (error !== taken) throw error
    })
const listen = (tx: Tx, ...events: string[]) =>
  queryRows(
    tx,
    `insert into webhooks (name, url, events, is_on, secret, created_by, changed_by)
     values ('hook', 'https://hooks.example', $1, true, '', 'ada', 'ada')`,
    [events],
  )
const entries = 'select action, room_name, operation_id, changes from audit order by id'
const live = 'select payload from events order by id'
const told = "select type, room_name, body::jsonb -> 'data' as data from webhook_deliveries order by n"

async function newRooms(tx: Tx, count: number) {
  const regionId = await insertRegion(tx)
  await insertRooms(
    tx,
    Array.from({ length: count }, () => ({ regionId })),
  )
  const rooms = await queryRows<{ id: string; name: string }>(
    tx,
    'select id, name from rooms where region_id = $1 order by id',
    [regionId],
  )
  return { regionId, rooms }
}

it('leaves an entry, an event for consoles, and one for webhooks without what is about people', () =>
  inDatabase(async (tx) => {
    await listen(tx, 'room.changed')
    const { rooms } = await newRooms(tx, 1)
    const room = rooms[0] as (typeof rooms)[0]
    const operation = { id: '00000000-0000-4000-8000-000000000001', kind: 'room.edit' }
    const changes = [
      { field: 'companyName', from: 'Ä', to: 'B' },
      { field: 'customerLastName', from: 'Hopper', to: 'Lovelace' },
    ]
    await recordChange(tx, { kind: 'room.edit', actor: 'ada', requestId: 'r', room, operation, changes })
    const action = 'room.edit'
    expect(await queryRows(tx, entries)).toEqual([{ action, roomName: room.name, operationId: operation.id, changes }])
    expect(await queryRows(tx, live)).toEqual([{ payload: { type: 'room', room: room.name, gone: false } }])
    const withoutPeople = [changes[0], { field: 'customerLastName', from: null, to: null }]
    expect(await queryRows(tx, told)).toMatchObject([
      { type: 'room.changed', roomName: room.name, data: { room: { id: room.id }, operation, changes: withoutPeople } },
    ])
  }))

it('of nothing that was changed, an edit has its entry and tells no webhook', () =>
  inDatabase(async (tx) => {
    await listen(tx, 'room.changed')
    const { rooms } = await newRooms(tx, 1)
    const room = rooms[0] as (typeof rooms)[0]
    await recordChange(tx, { kind: 'room.edit', actor: 'ada', room, operation: null, changes: [] })
    expect(await queryRows(tx, entries)).toHaveLength(1)
    expect(await queryRows(tx, told)).toEqual([])
  }))

it('asks for what an event says only where a webhook listens', () =>
  inDatabase(async (tx) => {
    await listen(tx, 'region.down')
    const events = () => Promise.reject(new Error('was asked'))
    await recordChange(tx, { kind: 'region.up', events })
    await expect(recordChange(tx, { kind: 'region.down', events })).rejects.toThrow('was asked')
  }))

it('of all rooms of a region: an entry and an event for each, and the number', () =>
  inDatabase(async (tx) => {
    await listen(tx, 'room.deleted')
    const { regionId, rooms } = await newRooms(tx, 3)
    await newRooms(tx, 1)
    const by = { actor: 'ada', requestId: 'r', detail: 'north' }
    expect(await recordChangeOfRooms(tx, { kind: 'room.remove-with-region', ...by, regionId })).toBe(3)
    const names = rooms.map(({ name }) => name).toSorted()
    const namesIn = async (statement: string) =>
      (await queryRows<{ roomName: string }>(tx, statement)).map(({ roomName }) => roomName).toSorted()
    expect(await namesIn(entries)).toEqual(names)
    expect(await namesIn(told)).toEqual(names)
    expect(await queryRows(tx, live)).toEqual([])
  }))
