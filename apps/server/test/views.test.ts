/** Views of the list of rooms: whose they are, who sees and changes them, and what is refused. */
import type { Problem } from '@roomkeeper/contract'
import { bootNetwork, type Network, operatorDraft } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 0 })
})
afterAll(() => network?.stop())
beforeEach(() => network.database.rows('delete from views'))

const columns = {
  hidden: ['edition'],
  shown: ['salesman'],
  widths: [{ column: 'tenantName', width: 320 }],
  order: ['tenantName', 'product'],
}
const draft = { name: 'Soon over', query: 'expires=30&sort=expirationDate', columns }
const refusedWith = (code: string, params = {}) => ({ problem: { type: `urn:roomkeeper:${code}`, params } })

// shows: view-kept, C-views, C-createView, C-changeView, C-deleteView
it('is kept for the operator who saved it; the others see it once it is shared, and nobody else changes it', async () => {
  const support = await network.as('CLOUD_SUPPORT')
  const sales = await network.as('CLOUD_SALES')
  const { body: made } = await support.call('createView', { body: draft })
  expect(made).toEqual({ ...draft, id: made.id, isShared: false, isOwn: true, owner: expect.any(String) })
  expect((await support.call('views', {})).body).toEqual([made])
  expect((await sales.call('views', {})).body).toEqual([])
  const params = { id: made.id }
  // An operator who does not see it is not told that it exists.
  await expect(sales.call('changeView', { params, body: {} })).rejects.toMatchObject(refusedWith('view-unknown'))
  await expect(network.admin.call('deleteView', { params })).rejects.toMatchObject(refusedWith('view-unknown'))

  const { body: shared } = await support.call('changeView', { params, body: { isShared: true } })
  expect(shared).toEqual({ ...made, isShared: true })
  expect((await sales.call('views', {})).body).toEqual([{ ...shared, isOwn: false }])
  const ofAnother = refusedWith('view-of-another', { owner: made.owner })
  await expect(sales.call('changeView', { params, body: { name: 'Mine' } })).rejects.toMatchObject(ofAnother)
  await expect(sales.call('deleteView', { params })).rejects.toMatchObject(ofAnother)
  await expect(network.admin.call('changeView', { params, body: { name: 'x' } })).rejects.toMatchObject(ofAnother)
  await network.admin.call('deleteView', { params })
  expect((await support.call('views', {})).body).toEqual([])
})

it('has a name that is its own for the operator, regardless of case; another operator may use it', async () => {
  const { body: one } = await network.admin.call('createView', { body: draft })
  const taken = (name: string) => refusedWith('view-name-taken', { name })
  await expect(network.admin.call('createView', { body: { ...draft, name: ' SOON over ' } })).rejects.toMatchObject(
    taken('SOON over'),
  )
  const { body: other } = await network.admin.call('createView', { body: { ...draft, name: 'Other' } })
  const rename = (id: string, name: string) => network.admin.call('changeView', { params: { id }, body: { name } })
  await expect(rename(other.id, one.name)).rejects.toMatchObject(taken(one.name))
  expect((await rename(one.id, 'soon OVER')).body).toMatchObject({ ...one, name: 'soon OVER' })
  const support = await network.as('CLOUD_SUPPORT')
  await support.call('createView', { body: draft })
})

it('refuses what is no view at its field, and more than a hundred of one operator', async () => {
  const send = (body: object) =>
    fetch(`${network.server.address}/api/operator/views`, {
      method: 'POST',
      headers: { authorization: `Bearer ${network.admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const fieldsOf = async (body: object) => {
    const { errors } = (await (await send(body)).json()) as Problem
    return errors?.map(({ field }) => field)
  }
  expect(await fieldsOf({})).toEqual(['name', 'query', 'columns'])
  expect(await fieldsOf({ ...draft, name: ' ' })).toEqual(['name'])
  expect(await fieldsOf({ ...draft, name: 'a\0' })).toEqual(['name'])
  const half = { hidden: ['\ud800'], widths: [{ column: 'x\0', width: 1 }] }
  expect(await fieldsOf({ ...draft, query: '\udfff', columns: half })).toEqual([
    'query',
    'columns.hidden.0',
    'columns.widths.0.column',
  ])
  const long = Array(60).fill('x'.repeat(60))
  expect(await fieldsOf({ ...draft, columns: { hidden: long, shown: long, order: long } })).toEqual(['columns'])
  expect(await fieldsOf({ ...draft, query: 'q='.padEnd(2001, 'x') })).toEqual(['query'])
  expect(await fieldsOf({ ...draft, columns: { widths: [{ column: 'x', width: 0 }] } })).toEqual([
    'columns.widths.0.width',
  ])
  expect(await fieldsOf({ ...draft, columns: { order: Array(61).fill('x') } })).toEqual(['columns.order'])
  const at100 = Array.from({ length: 100 }, (_, n) => ({ ...draft, name: `View ${n}` }))
  const all = await Promise.allSettled([...at100, draft].map((body) => network.admin.call('createView', { body })))
  const refused = all.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject([{ reason: refusedWith('too-many-views', { max: 100 }) }])
})

it('at most 200 are shared, by all operators together', async () => {
  const support = await network.as('CLOUD_SUPPORT')
  await network.as('CLOUD_SALES')
  await network.database.rows(
    `insert into views (operator_id, name, is_shared, query, columns)
     select id, 'Shared ' || n, true, '', '{"hidden":[],"shown":[],"widths":[],"order":[]}'
       from operators, generate_series(1, 199) as n where email = $1`,
    [operatorDraft('CLOUD_SALES').email],
  )
  const { body: own } = await support.call('createView', { body: draft })
  const share = () => support.call('changeView', { params: { id: own.id }, body: { isShared: true } })
  const create = () => network.admin.call('createView', { body: { ...draft, isShared: true } })
  const all = await Promise.allSettled([share(), create()])
  const refused = all.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject([{ reason: refusedWith('too-many-shared-views', { max: 200 }) }])
})

it('leaves an entry of every change, and goes with its operator', async () => {
  const { body: operator } = await network.admin.call('createOperator', {
    body: { email: 'views@example.com', name: 'Vera', role: 'CLOUD_SUPPORT', password: 'long enough' },
  })
  const { body: own } = await network.admin.call('createView', { body: draft })
  await network.admin.call('changeView', { params: { id: own.id }, body: { query: '', name: own.name } })
  await network.admin.call('changeView', { params: { id: own.id }, body: { query: '' } })
  await network.admin.call('deleteView', { params: { id: own.id } })
  const { data } = (await network.admin.call('audit', { query: { action: 'view.', size: 3 } })).body
  expect(data.map(({ action, detail, changes }) => ({ action, detail, changes }))).toEqual([
    { action: 'view.delete', detail: draft.name, changes: expect.any(Array) },
    { action: 'view.change', detail: draft.name, changes: [{ field: 'query', from: null, to: null }] },
    { action: 'view.create', detail: draft.name, changes: expect.any(Array) },
  ])
  await network.database.rows(
    `insert into views (operator_id, name, is_shared, query, columns) values ($1, 'x', true, '', '{"hidden":[],"shown":[],"widths":[],"order":[]}')`,
    [operator.id],
  )
  expect((await network.admin.call('views', {})).body).toMatchObject([{ owner: 'Vera', isOwn: false }])
  await network.admin.call('deleteOperator', { params: { id: operator.id } })
  expect((await network.admin.call('views', {})).body).toEqual([])
})
