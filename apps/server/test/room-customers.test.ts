/** Over HTTP: customers, whose spellings are merged and separated again; labels and notes of rooms. */
import type { RoomListQuery } from '@roomkeeper/contract'
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { colourOfLabel } from '@roomkeeper/rules'
import { afterAll, beforeAll, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork()
})
afterAll(() => network?.stop())

const refusedWith = (code: string) => ({ problem: { type: `urn:roomkeeper:${code}` } })
const customer = async (key: string) => (await network.admin.call('customer', { params: { key } })).body
const merge = (name: string, isNamed: string | null) =>
  network.admin.call('mergeCustomers', { body: { name, isNamed } })
const roomsOf = async (key: string) => {
  const query = {
    filter_keys: ['customer'],
    filter_values: [key],
    filter_conditions: ['EQUALS'],
    order_dir: 'asc' as const,
  }
  return (await network.admin.call('listRooms', { query })).body.data.map(({ tenantName }) => tenantName)
}

// shows: customers-merged, customers-filter, C-customer, C-mergeCustomers
it('merges spellings, for the list of rooms and all that follows its filters, and takes that back', async () => {
  const room = (companyName: string, customerEmail: string) => network.newRoom({ companyName, customerEmail })
  const first = await room('Contoso', 'anna@contoso.example')
  const second = await room('contoso', 'ANNA@contoso.example')
  const third = await room('Contoso Ltd/UK', 'bob@contoso.example')
  const other = await room('Other', 'eve@other.example')
  expect(await customer('CONTOSO')).toMatchObject({ key: 'contoso', rooms: 2, aliases: [] })
  expect(await roomsOf('contoso')).toEqual([first, second].sort())

  const { body: merged } = await merge('Contoso Ltd/UK', 'Contoso')
  expect(merged).toMatchObject({ rooms: 3, aliases: [{ name: 'Contoso Ltd/UK', rooms: 1 }] })
  expect(await customer('contoso ltd/uk')).toEqual(merged)
  const owners = merged.contacts.filter(({ role }) => role === 'owner')
  expect(owners.map(({ email, rooms }) => [email.toLowerCase(), rooms])).toEqual([
    ['anna@contoso.example', 2],
    ['bob@contoso.example', 1],
  ])
  expect(await roomsOf('contoso')).toEqual([first, second, third].sort())
  expect(await roomsOf('Contoso Ltd/UK')).toEqual([first, second, third].sort())
  for (const spelling of ['Contoso', 'contoso  LTD/UK']) {
    const { body } = await network.admin.call('activity', { query: { customer: spelling, kinds: ['room.create'] } })
    expect(body.data.map(({ room }) => room).sort()).toEqual([first, second, third].sort())
  }
  const { body: list } = await network.admin.call('customers', { query: { search: 'ltd' } })
  expect(list.data).toMatchObject([{ key: 'contoso', rooms: 3 }])

  await expect(merge('contoso', 'Contoso Ltd/UK')).rejects.toMatchObject(refusedWith('customer-same'))
  await expect(merge('Contoso', 'Nobody AG')).rejects.toMatchObject(refusedWith('customer-unknown'))
  await expect(merge('Other', null)).rejects.toMatchObject(refusedWith('customer-not-merged'))
  // What was merged with it before goes with it.
  expect((await merge('Contoso', 'Other')).body).toMatchObject({ key: 'other', rooms: 4 })
  expect(await roomsOf('other')).toEqual([first, second, third, other].sort())
  expect((await merge('Contoso', null)).body).toMatchObject({ key: 'contoso', rooms: 2 })
  expect((await merge('Contoso Ltd/UK', null)).body).toMatchObject({ key: 'contoso ltd/uk', rooms: 1 })
  expect(await roomsOf('other')).toEqual([other])

  // Colleagues see it at once.
  const merges = await network.database.rows(`select from events where payload = '{"type": "customers"}'`)
  expect(merges).toHaveLength(4)
  const { body: trail } = await network.admin.call('audit', { query: { action: 'customer.merge', size: 1 } })
  expect(trail.data[0]).toMatchObject({
    detail: 'Contoso Ltd/UK',
    changes: [{ field: 'isNamed', from: 'Other', to: null }],
  })
})

const roomNamed = async (projectRoom: string) => (await network.admin.call('room', { query: { projectRoom } })).body
const label = (projectRoom: string, labels: string[]) =>
  network.admin.call('labelRoom', { body: { projectRoom, labels } })
const newestEntry = async (action: string) =>
  (await network.admin.call('audit', { query: { action, size: 1 } })).body.data[0]

// shows: labels-room, labels-listed, labels-found, C-labels, C-labelRoom
it('rooms have labels, by which they are listed, searched, filtered and exported', async () => {
  const [one, two, three] = [await network.newRoom(), await network.newRoom(), await network.newRoom()]
  const { body: labelled } = await label(one, [' VIP ', 'vip', 'Größe XL'])
  expect(labelled.labels).toEqual(['VIP', 'Größe XL'])
  await label(two, ['vip'])
  await label(three, ['Vip'])
  await label(three, ['VIP', 'Pilot'])
  expect(await newestEntry('room.label')).toMatchObject({
    room: three,
    changes: [{ field: 'labels', from: ['Vip'], to: ['VIP', 'Pilot'] }],
  })
  const { body: labels } = await (await network.as('CLOUD_SUPPORT')).call('labels', {})
  expect(labels.map((each) => [each.label, each.count])).toEqual([
    ['VIP', 3],
    ['Größe XL', 1],
    ['Pilot', 1],
  ])
  expect(labels[0]?.colour).toBe(colourOfLabel('vip'))

  const found = async (query: Partial<RoomListQuery>) => {
    const { data } = (await network.admin.call('listRooms', { query: { ...query, order_dir: 'asc' } })).body
    return data.map(({ tenantName }) => tenantName)
  }
  const filtered = (condition: string, value: string) =>
    found({ filter_keys: ['labels'], filter_conditions: [condition], filter_values: [value] })
  expect(await filtered('EQUALS', 'grösse xl||GRÖßE XL||pilot')).toEqual([one, three])
  expect(await filtered('CONTAINS', 'ILO')).toEqual([three])
  expect(await filtered('NOT_EQUALS', 'vip')).not.toContain(two)
  expect(await filtered('EQUALS', '||none')).not.toContain(two)
  expect(await found({ search: `xl ${one}` })).toEqual([one])
  const answer = await network.admin.open('exportRooms', { query: { search: 'xl' } })
  expect(await answer.text()).toContain('"VIP, Größe XL"')

  await expect(label(one, ['a,b'])).rejects.toThrow('label-invalid')
})

// shows: labels-change
it('labels that are added and removed at once lose none of each other', async () => {
  const projectRoom = await network.newRoom()
  const change = (how: object) => network.admin.call('labelRoom', { body: { projectRoom, ...how } })
  await change({ add: ['Old'] })
  const words = Array.from({ length: 12 }, (_, index) => `Word ${index}`)
  await Promise.all([...words.map((word) => change({ add: [word] })), change({ remove: ['OLD'] })])
  expect((await roomNamed(projectRoom)).labels.toSorted()).toEqual(words.toSorted())

  const wrongAt = async (how: object) => {
    const { problem } = await change(how).then(Promise.reject, (error) => error)
    return [problem.status, problem.errors[0].field, problem.errors[0].code]
  }
  const more = Array.from({ length: 9 }, (_, index) => `More ${index}`)
  expect(await wrongAt({ add: more })).toEqual([400, 'add', 'labels-too-many'])
  expect(await wrongAt({})).toEqual([400, 'labels', 'labels-or-change'])
  expect(await wrongAt({ labels: [], remove: words })).toEqual([400, 'labels', 'labels-or-change'])
  expect((await change({ add: more, remove: words })).body.labels).toEqual(more)
})

// shows: notes-room, notes-roles, notes-stale, C-roomNotes, C-addRoomNote, C-changeRoomNote, C-deleteRoomNote
it('all operators write notes; an author or an administrator changes and removes them; pinned ones come with the room', async () => {
  const projectRoom = await network.newRoom()
  const [support, sales] = [await network.as('CLOUD_SUPPORT'), await network.as('CLOUD_SALES')]
  const written = { text: 'Do not suspend before 12.12.\nTicket 4711', pinned: true }
  const { body: note } = await support.call('addRoomNote', { body: { projectRoom, ...written } })
  expect(note).toMatchObject({ ...written, isOwn: true, changedAt: null })
  await network.admin.call('addRoomNote', { body: { projectRoom, text: 'Later' } })
  const { id, text, author, createdAt } = note
  expect((await roomNamed(projectRoom)).pinnedNotes).toEqual([{ id, text, author, createdAt }])
  const { body: seen } = await sales.call('roomNotes', { query: { projectRoom } })
  expect(seen.map((each) => [each.text, each.isOwn])).toEqual([
    [text, false],
    ['Later', false],
  ])
  const query = { filter_keys: ['hasPinnedNote'], filter_conditions: ['EQUALS'], filter_values: ['true'] }
  expect((await sales.call('listRooms', { query })).body.data.map(({ tenantName }) => tenantName)).toEqual([
    projectRoom,
  ])

  await expect(sales.call('deleteRoomNote', { params: { id } })).rejects.toMatchObject(refusedWith('note-of-another'))
  const change = { params: { id }, body: { text: 'Ticket 4712' } }
  await expect(sales.call('changeRoomNote', change)).rejects.toMatchObject(refusedWith('note-of-another'))
  expect((await support.call('changeRoomNote', change)).body).toMatchObject({ text: 'Ticket 4712', pinned: true })
  // Who has read the former text does not overwrite the new one.
  const late = { params: { id }, body: { text: 'Ticket 4713', changedAt: note.changedAt } }
  await expect(support.call('changeRoomNote', late)).rejects.toMatchObject(refusedWith('note-stale'))
  const { body: changed } = await network.admin.call('changeRoomNote', { params: { id }, body: { pinned: false } })
  expect(changed).toMatchObject({ author, changedBy: 'admin@localhost', pinned: false, isOwn: false })
  const again = { params: { id }, body: { ...changed } }
  expect((await network.admin.call('changeRoomNote', again)).body).toEqual(changed)
  expect(await newestEntry('room.note-change')).toMatchObject({
    room: projectRoom,
    changes: [{ field: 'pinned', from: true, to: false }],
  })
  await network.admin.call('deleteRoomNote', { params: { id } })
  await expect(support.call('changeRoomNote', change)).rejects.toMatchObject(refusedWith('note-unknown'))
  // What was written stands nowhere else.
  expect(await network.database.rows(`select from audit where to_jsonb(audit)::text ~ 'Ticket 471'`)).toEqual([])

  const long = { projectRoom, text: 'x'.repeat(501) }
  const headers = { 'idempotency-key': 'once' }
  const twice = await Promise.all([1, 2].map(() => sales.call('addRoomNote', { body: long, headers })))
  expect(new Set(twice.map(({ body }) => body.id)).size).toBe(1)
  const params = { id: twice[0]?.body.id ?? '' }
  const tooLong = { problem: { errors: [{ field: 'pinned', code: 'pinned-note-long' }] } }
  for (const refused of [
    sales.call('addRoomNote', { body: { ...long, pinned: true } }),
    sales.call('changeRoomNote', { params, body: { pinned: true } }),
  ])
    await expect(refused).rejects.toMatchObject(tooLong)
  await sales.call('deleteRoomNote', { params })
  const gone = sales.call('addRoomNote', { body: long, headers })
  await expect(gone).rejects.toMatchObject(refusedWith('note-unknown'))

  const more = { projectRoom, text: 'x', pinned: true }
  const added = await Promise.allSettled(Array.from({ length: 5 }, () => sales.call('addRoomNote', { body: more })))
  expect(added.filter(({ status }) => status === 'rejected')).toMatchObject(
    Array(2).fill({ reason: refusedWith('too-many-pinned-notes') }),
  )
})
