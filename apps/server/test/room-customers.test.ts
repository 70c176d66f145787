/** Customers over HTTP: spellings that are merged and separated again, and what is asked of all rooms of a customer. */
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
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

  const { body: trail } = await network.admin.call('audit', { query: { action: 'customer.merge', size: 1 } })
  expect(trail.data[0]).toMatchObject({
    detail: 'Contoso Ltd/UK',
    changes: [{ field: 'isNamed', from: 'Other', to: null }],
  })
})
