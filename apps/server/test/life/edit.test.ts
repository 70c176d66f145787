/** Editing a room changes it both in the console and on its region, or not at all. */
import { bootNetwork, enterpriseDraft, miningDraft, type Network, type SignedInClient } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverKilled } from '../server-killed.ts'
import { wholeRoom } from './room-life.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork()
})
afterAll(() => network?.stop())

describe('an edit', () => {
  // shows: C-editRoom, C-roomHistory
  it('of each product reaches the region and the history, field by field', async () => {
    const rooms = [
      { room: await network.newRoom(), key: 'YABD' },
      { room: await network.newRoom(miningDraft()), key: 'YPMAA' },
      { room: await network.newRoom(enterpriseDraft()), key: 'ESA' },
    ]
    for (const { room, key } of rooms) {
      const before = await read(room)
      const edited = (await edit(room, { companyName: '  Renamed Ltd. ', [`licenses.${key}`]: 9 })).body
      expect(edited).toMatchObject({
        companyName: 'Renamed Ltd.',
        version: before.version + 1,
        projectRoomState: 'DEFAULT',
      })
      expect(edited).toMatchObject({ licenses: { [key]: 9 } })
      const { region } = await wholeRoom(network, room)
      expect(region?.licences.find((each) => each.licenseKey === key)?.licenseAmount).toBe(9)
      const [entry] = (await network.admin.call('roomHistory', { query: { projectRoom: room } })).body.data
      expect(entry).toMatchObject({ actor: 'admin@localhost', action: 'room.edit', room })
      expect(entry?.operationId).toMatch(/^[0-9a-f-]{36}$/)
      const changes = [...(entry?.changes ?? [])].sort((a, b) => a.field.localeCompare(b.field))
      expect(changes).toEqual([
        { field: 'companyName', from: 'Example, Inc.', to: 'Renamed Ltd.' },
        { field: `licenses.${key}`, from: 1, to: 9 },
        { field: 'sapNumberLast', from: null, to: `new of ${room}` },
      ])
    }
  })

  // shows: C-room, rooms-stale
  it('on a stale version is refused and changes nothing', async () => {
    const room = await network.newRoom()
    await edit(room, { companyName: 'First' })
    const stale = { ...(await read(room)), version: 1 }
    await expect(
      network.admin.call('editRoom', { body: { ...stale, companyName: 'Second' } as never }),
    ).rejects.toMatchObject({ problem: { status: 409, type: 'urn:roomkeeper:version-stale' } })
    expect(await read(room)).toMatchObject({ companyName: 'First' })
  })

  // shows: edit-sap-unique, rooms-sap
  it('with a SAP number that any other room has, as its first or its new one, is refused at that field', async () => {
    const [first, second] = [
      await network.newRoom({ sapNumber: 'sap-1' }),
      await network.newRoom({ sapNumber: 'sap-2' }),
    ]
    await edit(first, { sapNumberLast: 'sap-3' })
    for (const sapNumberLast of ['sap-1', 'sap-3', '  SAP-1 ', 'Sap-3']) {
      await expect(edit(second, { sapNumberLast })).rejects.toMatchObject({
        problem: { status: 409, errors: [{ field: 'sapNumberLast' }] },
      })
    }
    expect((await edit(second, { sapNumberLast: 'sap-2' })).body).toMatchObject({ sapNumberLast: 'sap-2' })
  })

  it('of two rooms at once lets only one have a SAP number, however they write it', async () => {
    const rooms = [await network.newRoom(), await network.newRoom()]
    const spellings = ['wanted by both', 'WANTED by both ']
    const results = await Promise.allSettled(
      rooms.map((room, at) => edit(room, { sapNumberLast: spellings[at] as string })),
    )
    expect(results.map((each) => each.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  // shows: C-editRoom, rooms-edit-region
  it('that the region refuses changes nothing, here or there', async () => {
    const room = await network.newRoom()
    const before = await wholeRoom(network, room)
    await network.setRegionFaults([
      { method: 'PATCH', path: `/region/v1/rooms/${room}`, action: 'status', status: 400 },
    ])
    await expect(edit(room, { companyName: 'Never' })).rejects.toMatchObject({ problem: { status: 502 } })
    await network.setRegionFaults([])
    await network.settle()
    expect(await wholeRoom(network, room)).toEqual(before)
  })

  // shows: catalogue-past-date
  it('keeps an expiration date that has passed, but sets none', async () => {
    const room = await network.newRoom()
    await network.database.rows(`update rooms set expiration_date = '2020-01-31' where name = $1`, [room])
    expect((await edit(room, { companyName: 'Late Ltd.' })).body).toMatchObject({ expirationDate: '2020-01-31' })
    await expect(edit(room, { expirationDate: '2020-02-01' })).rejects.toMatchObject({
      problem: { status: 400, errors: [{ field: 'expirationDate' }] },
    })
  })

  it.each([
    ['licenses.YABD', 0, 'Designer license must be more or equal to 1'],
    ['licenses.YABD', -1, 'Designer license must be more or equal to 1'],
    ['licenses.YABD', 2_147_483_647, 'Must be at most 2147483646.'],
    ['licenses.YABV', 2_147_483_647, 'Must be at most 2147483646.'],
    ['licenses.YABV', -1, 'Must be a whole number of 0 or more.'],
    ['additionalEmail', ' OWNER@example.com', 'The E-mail address of the delegate and owner has to be different.'],
  ] as const)('with a wrong %s is refused in the words of the specification', async (field, value, message) => {
    const room = await network.newRoom()
    await expect(edit(room, { [field]: value })).rejects.toMatchObject({
      problem: { status: 400, errors: [{ field, message }] },
    })
  })

  // shows: state-suspended-edit
  it('is not possible for suspended rooms, Online Shop rooms, or support', async () => {
    const suspended = await network.newSuspendedRoom()
    await expect(edit(suspended, {})).rejects.toMatchObject({
      problem: { status: 409, detail: 'This project room is suspended.' },
    })
    const shop = await network.newRoom({ productType: 'online-shop' })
    await expect(edit(shop, {})).rejects.toMatchObject({ problem: { status: 409 } })
    await expect(edit(await network.newRoom(), {}, await network.as('CLOUD_SUPPORT'))).rejects.toMatchObject({
      problem: { status: 403 },
    })
    await edit(await network.newRoom(), {}, await network.as('CLOUD_SALES'))
  })
})

describe('undoing', () => {
  // shows: C-undoActivity, activity-undo
  it('an edit sets its fields back, here and on the region, as an edit of its own that can be undone too', async () => {
    const room = await network.newRoom()
    await edit(room, { companyName: 'Renamed Ltd.', 'licenses.YABD': 9 })
    const entry = await newest(room)
    const back = [
      { field: 'companyName', from: 'Renamed Ltd.', to: 'Example, Inc.' },
      { field: 'licenses.YABD', from: 9, to: 1 },
    ]
    // A contract number cannot be taken away.
    expect(entry.undo).toEqual({ action: 'edit', changes: back })
    const was = { companyName: 'Example, Inc.', licenses: { YABD: 1 }, sapNumberLast: `new of ${room}` }
    expect((await undo(entry)).body).toMatchObject(was)
    const { region } = await wholeRoom(network, room)
    expect(region?.licences.find((each) => each.licenseKey === 'YABD')?.licenseAmount).toBe(1)
    const undone = await newest(room)
    expect(undone).toMatchObject({ action: 'room.edit', changes: back, detail: `undoes entry ${entry.id}` })
    // What has been undone is not offered again.
    const { data } = (await network.admin.call('activity', { query: { room } })).body
    expect(data.map(({ undo: offered }) => offered !== null)).toEqual([true, false, false])
    expect((await undo(undone)).body).toMatchObject({ companyName: 'Renamed Ltd.', licenses: { YABD: 9 } })
  })

  it('the extension of a room that never got a new SAP contract number sets only the day back', async () => {
    const room = await network.newRoom({ expirationDate: '2098-01-31' })
    const selection = { rooms: [room] }
    await network.admin.call('startBulk', {
      body: {
        action: 'extend',
        selection,
        expectedTotal: 1,
        parameters: { expirationDate: '2099-01-31', unlimitedToo: false },
      },
    })
    await network.settle()
    expect((await undo(await newest(room))).body).toMatchObject({ expirationDate: '2098-01-31', sapNumberLast: null })
  })

  // shows: activity-changed-meanwhile
  it('is refused with the values of now when a field was changed since, and changes nothing', async () => {
    const room = await network.newRoom()
    await edit(room, { companyName: 'First', 'licenses.YABD': 2 })
    const entry = await newest(room)
    await edit(room, { companyName: 'Second' })
    await expect(undo(entry)).rejects.toMatchObject({
      problem: {
        status: 409,
        type: 'urn:roomkeeper:changed-meanwhile',
        now: [{ field: 'companyName', value: 'Second' }],
      },
    })
    expect(await read(room)).toMatchObject({ companyName: 'Second', licenses: { YABD: 2 } })
    // What another room took meanwhile is refused at its field, as in an edit.
    await edit(room, { sapNumberLast: 'freed' })
    const freed = await newest(room)
    await edit(await network.newRoom(), { sapNumberLast: `new of ${room}` })
    await expect(undo(freed)).rejects.toMatchObject({
      problem: { type: 'urn:roomkeeper:sap-number-taken', errors: [{ field: 'sapNumberLast' }] },
    })
  })

  it('a suspension resumes the room, a resumption suspends it, the newest of them only, once for each key', async () => {
    const room = await network.newSuspendedRoom()
    const suspension = await newest(room)
    expect(suspension).toMatchObject({ action: 'room.suspend', undo: { action: 'resume', changes: [] } })
    const headers = { 'idempotency-key': `undo ${room}` }
    for (let time = 0; time < 2; time += 1)
      expect((await undo(suspension, { headers })).body).toMatchObject({ projectRoomState: 'DEFAULT' })
    const resumption = await newest(room)
    expect(resumption).toMatchObject({ action: 'room.resume', detail: `undoes entry ${suspension.id}` })
    expect((await undo(resumption)).body).toMatchObject({ projectRoomState: 'SUSPENDED' })
    await expect(undo(suspension)).rejects.toMatchObject({
      problem: { status: 409, now: [{ field: 'projectRoomState', value: 'SUSPENDED' }] },
    })
  })

  it('is for those who may do it, and for what can be undone', async () => {
    const room = await network.newRoom()
    const created = await newest(room)
    expect(created.undo).toBeNull()
    await expect(undo(created)).rejects.toMatchObject({ problem: { type: 'urn:roomkeeper:not-undoable' } })
    await edit(room, { companyName: 'Renamed' })
    const support = await network.as('CLOUD_SUPPORT')
    expect((await newest(room, support)).undo).toBeNull()
    await expect(undo(await newest(room), {}, support)).rejects.toMatchObject({ problem: { status: 403 } })
    await undo(await newest(room, await network.as('CLOUD_SALES')), {}, await network.as('CLOUD_SALES'))
    expect(await read(room)).toMatchObject({ companyName: 'Example, Inc.' })
  })

  async function newest(room: string, by: SignedInClient = network.admin) {
    const [entry] = (await by.call('roomHistory', { query: { projectRoom: room } })).body.data
    if (entry === undefined) throw new Error('Nothing was done with the room.')
    return entry
  }

  function undo({ id }: { id: number }, more: { headers?: Record<string, string> } = {}, by = network.admin) {
    return by.call('undoActivity', { params: { id }, ...more })
  }
})

it('an edit that was stored without a field leaves that field as it is', async () => {
  const room = await network.newRoom({ salesman: 'Grace Hopper' })
  await network.planFault('room.edit:change-room:before:kill')
  await Promise.all([edit(room, {}).catch(() => undefined), serverKilled(network)])
  // Written out, because stored operations must stay readable.
  const columns = {
    expiration_date: '2099-12-31',
    customer_first_name: 'Ada',
    customer_last_name: 'Lovelace',
    customer_email: 'ada@example.com',
    customer_contact_details: null,
    company_name: 'Analytical Ltd.',
    salesman_email: 'sales@example.com',
    additional_email: null,
    sap_number_last: `stored for ${room}`,
    licences: { YABD: 3, YABV: 0 },
    licences_information: [
      { licenseKey: 'YABV', licenseType: 'NUC', licenseAmount: 0 },
      { licenseKey: 'YABD', licenseType: 'NUC', licenseAmount: 3 },
    ],
    sub_licences: [],
    sub_mining_type: 'NONE',
  }
  const changes = [{ field: 'companyName', from: 'Example, Inc.', to: 'Analytical Ltd.' }]
  const stored = await network.database.rows(
    `update operations set input = $2 where kind = 'room.edit' and room_name = $1 and state = 'running' returning id`,
    [room, JSON.stringify({ columns, changes })],
  )
  expect(stored).toHaveLength(1)
  await network.restartServer()
  await network.settle()
  expect(await read(room)).toMatchObject({
    expirationDate: '2099-12-31',
    customerFirstName: 'Ada',
    customerLastName: 'Lovelace',
    customerEmail: 'ada@example.com',
    companyName: 'Analytical Ltd.',
    salesman: 'Grace Hopper',
    sapNumberLast: `stored for ${room}`,
    licenses: { YABD: 3, YABV: 0 },
    licensesInformation: columns.licences_information,
  })
  const { region } = await wholeRoom(network, room)
  expect(region?.licences.find((each) => each.licenseKey === 'YABD')?.licenseAmount).toBe(3)
  const [entry] = (await network.admin.call('roomHistory', { query: { projectRoom: room } })).body.data
  expect(entry).toMatchObject({ action: 'room.edit', changes })
})

it('an edit whose SAP number another room gets meanwhile fails, and the region has its former values again', async () => {
  const [room, other] = [await network.newRoom(), await network.newRoom()]
  const before = await wholeRoom(network, room)
  await network.planFault('room.edit:change-room:after:kill')
  const edited = edit(room, { companyName: 'Never', sapNumberLast: 'raced' }).catch(() => undefined)
  await Promise.all([edited, serverKilled(network)])
  await network.database.rows(`update rooms set sap_number_last = 'Raced' where name = $1`, [other])
  await network.restartServer()
  await network.settle()
  expect(await wholeRoom(network, room)).toEqual(before)
  const ended = `select state, error_reasons from operations where kind = 'room.edit' and room_name = $1`
  expect(await network.database.rows(ended, [room])).toEqual([
    {
      state: 'failed',
      error_reasons: [
        { code: 'sap-number-taken', params: {} },
        { code: 'room-active-as-before', params: {} },
      ],
    },
  ])
})

async function read(room: string) {
  return (await network.admin.call('room', { query: { projectRoom: room } })).body
}

/** Sends the room as it is, except for these fields. */
async function edit(room: string, changes: Record<string, unknown>, by: SignedInClient = network.admin) {
  const stored = await read(room)
  const licenses: Record<string, number> = { ...stored.licenses }
  const plain: Record<string, unknown> = { sapNumberLast: stored.sapNumberLast ?? `new of ${room}` }
  for (const [field, value] of Object.entries(changes)) {
    if (field.startsWith('licenses.')) licenses[field.slice('licenses.'.length)] = Number(value)
    else plain[field] = value
  }
  const licensesInformation = stored.licensesInformation.map((each) => ({
    ...each,
    licenseAmount: licenses[each.licenseKey] ?? 0,
  }))
  return by.call('editRoom', { body: { ...stored, licenses, licensesInformation, ...plain } as never })
}
