/** Calls of a move that arrive after its copy was removed make no other, and one that was made all the same is removed. */
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import type { RoomCreation } from '@roomkeeper/region-protocol'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { endSessions, newMigration, startRun, whereabouts } from './moves.ts'
import { type PassingCall, standBetween } from './stand-between.ts'

let network: Network
let migrationId: number
/** What has been sent to the target. */
const sent: PassingCall[] = []
let stopRecording: () => void

beforeAll(async () => {
  const env = { REGION_FAULTS: '1' }
  network = await bootNetwork({ regions: [{ env }, { env }] })
  migrationId = await newMigration(network)
  stopRecording = await standBetween(network, target, (call) => sent.push(call))
})
afterAll(async () => {
  await network?.stop()
  stopRecording?.()
})
afterEach(() => network.setRegionFaults([], target))

const target = 1
const targetUrl = () => network.regions[target]?.url ?? ''

it('after a copy was removed its region refuses every call that could make it, whoever asked with it for what', async () => {
  const room = await newRoom()
  await leaveCopyToAnOperation(room)
  await network.setRegionFaults([], target)
  await network.settle()
  expect((await whereabouts(network, room)).copies[target]).toBeNull()
  const making = sent.filter(({ method, path }) => method === 'PUT' && path === `/region/v1/rooms/${room}`)
  expect(making.length).toBeGreaterThan(0)
  const answers = await Promise.all(
    making.map(async ({ method, path, headers, body }) => {
      const { authorization = '', 'idempotency-key': key, ...rest } = headers
      const mark = {
        'idempotency-key': String(key),
        'roomkeeper-operation': String(rest['roomkeeper-operation']),
        'roomkeeper-fence': String(rest['roomkeeper-fence']),
      }
      const late = { method, body, headers: { authorization, 'content-type': 'application/json', ...mark } }
      return ((await (await fetch(targetUrl() + path, late)).json()) as { type: string }).type
    }),
  )
  expect(new Set(answers)).toEqual(new Set(['urn:roomkeeper-region:overtaken']))
  expect((await whereabouts(network, room)).copies[target]).toBeNull()
})

it('a copy that appears after its removal was done, and before that was recorded, is removed too', async () => {
  const room = await newRoom()
  await leaveCopyToAnOperation(room)
  await network.planFault('migration.leave-target:0:after:kill')
  await network.setRegionFaults([], target)
  await network.server.ended
  expect((await whereabouts(network, room)).copies[target]).toBeNull()
  const [left] = await network.database.rows<{ input: { creation: RoomCreation } }>(
    `select input from operations where room_name = $1 and kind = 'migration.leave-target'`,
    [room],
  )
  await network.regions[target]?.client.createRoom(room, left?.input.creation as RoomCreation)
  await network.restartServer()
  await network.settle()
  expect((await whereabouts(network, room)).copies[target]).toBeNull()
})

async function newRoom(): Promise<string> {
  const room = await network.newRoom()
  await endSessions(network, room)
  return room
}

/** A move whose undo could do nothing in the target. */
async function leaveCopyToAnOperation(room: string): Promise<void> {
  const away = { method: 'PUT', path: '/region/v1/jobs/', action: 'status', status: 503, times: 100_000 }
  await network.setRegionFaults([away], target)
  await startRun(network, { migrationId, rooms: [room] })
  const moves = async () =>
    network.database.rows<{ id: string; step: string; state: string }>(
      `select id, step, state from operations where room_name = $1 and kind = 'room.migrate'`,
      [room],
    )
  await until('the copy is made', async () => (await moves()).at(-1)?.step === 'restore the room in the target')
  await network.admin.call('cancelOperation', { params: { id: (await moves()).at(-1)?.id ?? '' } })
  await until('the move has ended', async () => (await moves()).at(-1)?.state === 'cancelled')
}
