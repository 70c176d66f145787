/**
 * While the servers are upgraded one by one, a client repeats a call that a server of the other release has answered,
 * with the same Idempotency-Key. Both releases recognize the call by the stored hash.
 */
import { administrator, bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'

const customer = {
  expirationDate: '2030-01-31T00:00:00.000Z',
  customerFirstName: 'Ada',
  customerLastName: 'Byron',
  customerEmail: 'owner@example.com',
  companyName: 'Example',
  salesmanEmail: 'sales@example.com',
  licenses: { YABD: 1 },
}
const room = { tenantName: 'repeated', product: 0, edition: 0, region: 1, sapNumber: '4711', ...customer }
const edit = { tenantName: 'repeated', version: 1, sapNumberLast: '4712', ...customer }
const ofCreation = '516dcb96b2998a5a93a429554e7eb1610e0584a1c17bb941a7a16140b00c8c61'

let network: Network
let operationId: string
beforeAll(async () => {
  network = await bootNetwork({ regions: 1 })
  const created = await send('create', room, 'first')
  ;({ operationId } = (await created.json()) as { operationId: string })
  await network.settle()
})
afterAll(() => network?.stop())

it('a server of the release before knows the calls that this one has answered', async () => {
  const stored = await network.database.rows(
    `select encode(body_hash, 'hex') as hash, operation_id from idempotency_keys where key = 'first'`,
  )
  expect(stored).toEqual([{ hash: ofCreation, operation_id: operationId }])
})

it.each([
  ['createRoom', 'create', room, ofCreation],
  [
    'importRoom',
    'createimport',
    { projectRoom: room, tmpFileName: 'upload' },
    'b9d8a4ba7c47a1a872266353df764cb22272f11db5c32463a64f8a1274ebbd18',
  ],
  [
    'restoreRoom',
    'createrestore',
    { projectRoom: room, tmpFileName: 'upload' },
    '1561754ecc7a3418f06d1e13980a6732e7ab35b3f47be4e06cde76960d26b623',
  ],
])(
  '%s is answered with the operation that a server of the release before has started',
  async (route, path, body, hash) => {
    await storeKey(route, hash)
    const answer = await send(path, body, 'repeated')
    expect([answer.status, await answer.json()]).toEqual([202, { operationId }])
  },
)

it('editRoom is answered with the room that a server of the release before has changed', async () => {
  await storeKey('editRoom', 'da66941c07dd3fa21a4d9c0fbdc6a8c159deeb1885fcc9712469fe7565189039')
  const answer = await send('edit', edit, 'repeated')
  expect([answer.status, await answer.json()]).toMatchObject([200, { tenantName: 'repeated', companyName: 'Example' }])
})

/** Stores the key as that release did. It may name any operation, because the operation is not started again. */
async function storeKey(route: string, hash: string): Promise<void> {
  await network.database.rows(
    `insert into idempotency_keys (operator_id, route, key, body_hash, operation_id)
     select id, $1, 'repeated', decode($2, 'hex'), $3 from operators where email = $4`,
    [route, hash, operationId, administrator.email],
  )
}

function send(path: string, body: unknown, key: string): Promise<Response> {
  return fetch(`${network.server.address}/api/operator/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${network.admin.token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  })
}
