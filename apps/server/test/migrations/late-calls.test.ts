/** Calls of a move that arrive after its copy was removed make no other, and one that was made all the same is removed. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import type { RoomCreation } from '@roomkeeper/region-protocol'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { endSessions, newMigration, startRun, whereabouts } from './moves.ts'

interface SentCall {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

let network: Network
let migrationId: number
/** What has been sent to the target. */
const sent: SentCall[] = []
const recorder = createServer(async (asked, answer) => {
  const { method = '', url: path = '', headers } = asked
  const chunks = await asked.toArray()
  const body = Buffer.concat(chunks)
  sent.push({ method, path, headers, body: body.toString() })
  const passed = request(targetUrl() + path, { method, headers })
  passed.on('response', (said) => {
    answer.writeHead(said.statusCode ?? 502, said.headers)
    said.pipe(answer)
  })
  passed.on('error', () => answer.destroy())
  passed.end(body)
})

beforeAll(async () => {
  const env = { REGION_FAULTS: '1' }
  network = await bootNetwork({ regions: [{ env }, { env }] })
  migrationId = await newMigration(network)
  recorder.listen(0, '127.0.0.1')
  await once(recorder, 'listening')
  await network.database.rows('update regions set url = $1 where id = 2', [
    `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`,
  ])
})
afterAll(async () => {
  await network?.stop()
  recorder.close()
  recorder.closeAllConnections()
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
