/** Edit, suspend and resume answer 202 with the operation if the region takes longer than a call waits. */
import type { ProjectRoom } from '@roomkeeper/contract'
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ env: { REGION_WAIT_SECONDS: '2' } })
})
afterAll(() => network?.stop())
afterEach(() => network.setRegionFaults([]))

const changes = [
  {
    name: 'suspending',
    state: 'DEFAULT',
    start: (room: ProjectRoom) => network.admin.call('suspendRoom', { body: { roomName: room.tenantName } }),
    meanwhile: { projectRoomState: 'IN_PROGRESS' },
    afterwards: { projectRoomState: 'SUSPENDED' },
  },
  {
    name: 'resuming',
    state: 'SUSPENDED',
    start: (room: ProjectRoom) => network.admin.call('resumeRoom', { body: { roomName: room.tenantName } }),
    meanwhile: { projectRoomState: 'IN_PROGRESS' },
    afterwards: { projectRoomState: 'DEFAULT' },
  },
  {
    name: 'editing',
    state: 'DEFAULT',
    start: (room: ProjectRoom) =>
      network.admin.call('editRoom', {
        body: { ...room, companyName: 'Slowly Changed', sapNumberLast: room.tenantName },
      }),
    meanwhile: { projectRoomState: 'DEFAULT', companyName: 'Example, Inc.' },
    afterwards: { projectRoomState: 'DEFAULT', companyName: 'Slowly Changed' },
  },
] as const

// shows: rooms-202
describe.each(changes)('$name a room', ({ state, start, meanwhile, afterwards }) => {
  it('whose region takes longer than the call waits is answered with 202 and goes on', async () => {
    const room = await roomIn(state)
    // The region refuses the call for as long as the fault lasts, and the operation keeps trying.
    const away = { path: `/region/v1/rooms/${room.tenantName}`, action: 'status', status: 503, times: 1000 }
    await network.setRegionFaults([away])
    const { status, body } = await start(room)
    expect({ status, body }).toEqual({ status: 202, body: { operationId: expect.stringMatching(/^[0-9a-f-]{36}$/) } })
    const { operationId } = body as { operationId: string }
    expect(await look(room.tenantName)).toMatchObject({ ...meanwhile, runningOperation: { operationId } })
    await network.setRegionFaults([])
    await network.settle()
    expect(await look(room.tenantName)).toMatchObject({
      ...afterwards,
      runningOperation: null,
      failedOperationId: null,
    })
  })
})

async function roomIn(state: 'DEFAULT' | 'SUSPENDED'): Promise<ProjectRoom> {
  return look(state === 'DEFAULT' ? await network.newRoom() : await network.newSuspendedRoom())
}

async function look(projectRoom: string): Promise<ProjectRoom> {
  return (await network.admin.call('room', { query: { projectRoom } })).body
}
