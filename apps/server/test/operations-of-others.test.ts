/** Who may see into an operation, cancel it and run it again: whoever may start one of its kind. */
import { bootNetwork, type Network, roomDraft, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork()
})
afterAll(() => network?.stop())

const notAllowed = { problem: { status: 403, type: 'urn:roomkeeper:not-allowed' } }

it('sales neither cancel, retry nor read what only administrators start', async () => {
  const sales = await network.as('CLOUD_SALES')
  const id = await held('doctor.run', async () => (await network.admin.call('runDoctor', {})).body.operationId)
  await expect(sales.call('cancelOperation', { params: { id } })).rejects.toMatchObject(notAllowed)
  await expect(sales.call('operationLog', { query: { processId: id } })).rejects.toMatchObject(notAllowed)
  expect(await stateOf(id)).toBe('running')
  await network.admin.call('cancelOperation', { params: { id } })
  await network.settle()
  await network.database.rows(`update operations set state = 'failed', cancel_requested = false where id = $1`, [id])
  await expect(sales.call('retryOperation', { params: { id } })).rejects.toMatchObject(notAllowed)
  expect(await stateOf(id)).toBe('failed')
})

it('sales cancel a creation, as they may create', async () => {
  const sales = await network.as('CLOUD_SALES')
  const id = await held('room.create', async () => {
    return (await network.admin.call('createRoom', { body: roomDraft() })).body.operationId
  })
  await sales.call('cancelOperation', { params: { id } })
  await network.settle()
  expect(await stateOf(id)).toBe('cancelled')
})

/** Begins an operation that stays at its first step until it is cancelled. */
async function held(kind: string, begin: () => Promise<string>): Promise<string> {
  await network.planFault(`${kind}:0:after:hold`)
  const id = await begin()
  await until('it is held', () => network.faultHappened())
  return id
}

async function stateOf(id: string): Promise<string | undefined> {
  const [row] = await network.database.rows<{ state: string }>('select state from operations where id = $1', [id])
  return row?.state
}
