/** A call that reaches its region while its operation is being undone must not redo what was undone. */
import { bootNetwork, type Network, roomDraft, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deliver, interceptCalls, type PassingCall } from '../migrations/intercept-calls.ts'

let network: Network
let seen: (call: PassingCall) => unknown = () => undefined
let end: (() => void) | undefined
beforeAll(async () => {
  network = await bootNetwork()
  end = await interceptCalls(network, 0, (call) => seen(call))
})
afterAll(async () => {
  await network?.stop()
  end?.()
})

it('a room whose creation was cancelled is not made by a creation that comes right after its removal', async () => {
  const body = roomDraft()
  let late: PassingCall | undefined
  let isRemoved = false
  let delivered: Promise<string | undefined> | undefined
  seen = async (call) => {
    if (call.method === 'PUT' && call.path.endsWith(`/rooms/${body.tenantName}`)) {
      late = call
      return 'lost'
    }
    // Any call after the removal: by then, the region has executed the removal.
    if (isRemoved && late !== undefined && delivered === undefined) {
      delivered = deliver(network, 0, late)
      await delivered
    }
    if (call.path.includes('/jobs/') && call.body.includes('"deleteRoom"')) isRemoved = true
    return undefined
  }
  const { operationId } = (await network.admin.call('createRoom', { body })).body
  await until('the creation is on its way', async () => late !== undefined)
  await network.admin.call('cancelOperation', { params: { id: operationId } })
  await network.settle()
  await until('the creation has come after all', async () => delivered !== undefined)
  expect(await delivered).toBe('urn:roomkeeper-region:overtaken')
  expect(await network.regions[0]?.client.room(body.tenantName)).toBeNull()
})
