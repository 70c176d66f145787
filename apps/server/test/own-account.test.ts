/** What operators can and cannot achieve with an account of their own. */
import { administrator, bootNetwork, type Network, operatorDraft } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 0, env: { TRUST_PROXY: '1' } })
})
afterAll(() => network?.stop())

it('an administrator neither removes nor demotes their own account, however many others there are', async () => {
  const account = operatorDraft('CLOUD_ADMINISTRATOR')
  const { id } = (await network.admin.call('createOperator', { body: account })).body
  const client = await network.newSession(account)
  const { email, name } = account
  const ownAccount = { problem: { status: 409, type: 'urn:roomkeeper:own-account' } }
  await expect(client.call('deleteOperator', { params: { id } })).rejects.toMatchObject(ownAccount)
  const body = { email, name, role: 'CLOUD_OPERATOR' } as const
  await expect(client.call('changeOperator', { params: { id }, body })).rejects.toMatchObject(ownAccount)
  // Another administrator may delete the account.
  await network.admin.call('deleteOperator', { params: { id } })
})

it('signing in to an account of their own gives nobody more guesses at the others', async () => {
  const address = '203.0.113.50'
  await network.database.rows(
    `insert into failed_sign_ins (email, address) select 'guess' || n || '@example.com', $1 from generate_series(1, 99) n`,
    [address],
  )
  expect(await attempt(administrator.password, administrator.email, address)).toBe(200)
  expect(await attempt('wrong', 'the-hundredth@example.com', address)).toBe(401)
  expect(await attempt('wrong', 'one-too-many@example.com', address)).toBe(429)
})

async function attempt(password: string, email: string, from: string): Promise<number> {
  const answer = await fetch(`${network.server.address}/api/operator/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ email, password }),
  })
  await answer.body?.cancel()
  return answer.status
}
