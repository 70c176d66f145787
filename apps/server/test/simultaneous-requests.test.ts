/** An impatient client repeats a call before the first one has been answered. */
import { bootNetwork, type Network, roomDraft } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork()
})
afterAll(() => network?.stop())

// shows: wire-idempotency-at-once
it('calls with one Idempotency-Key at the same moment are one request, and all get the same operation', async () => {
  const body = roomDraft()
  const headers = { 'idempotency-key': 'sent again and again' }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => network.admin.call('createRoom', { body, headers })),
  )
  expect(new Set(answers.map((answer) => answer.body.operationId)).size).toBe(1)
  await network.settle()
  const operations = await network.database.rows(`select id from operations where room_name = $1`, [body.tenantName])
  expect(operations).toHaveLength(1)
})
