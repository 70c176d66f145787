/** The backup of a move is sent by the source or by the console: by one of them, and only to the target. */
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bringsContent, deliver, interceptCalls } from './intercept-calls.ts'
import { moveAll, newMigration, whereabouts } from './moves.ts'

let network: Network
const ends: (() => void)[] = []
beforeAll(async () => {
  network = await bootNetwork({ regions: [{}, {}] })
})
afterAll(async () => {
  await network?.stop()
  for (const end of ends) end()
})

async function moveRoom(source: number, target: number): Promise<void> {
  const room = await network.newRoom()
  const { copies } = await whereabouts(network, room)
  await moveAll(network, { migrationId: await newMigration(network), rooms: [room] })
  expect((await whereabouts(network, room)).copies[target]).toEqual(copies[source])
}

it('no source is sent to an address that only means the target on the machine of the console', async () => {
  const tickets: string[] = []
  ends.push(
    await interceptCalls(network, 1, ({ path }) => {
      if (path.endsWith('/tickets')) tickets.push(path)
    }),
  )
  // Reaches the same region, but could be any machine.
  const address = `http://0.0.0.0:${network.regions[0]?.port}`
  await network.database.rows('update regions set url = $1 where id = 1', [address])
  await moveRoom(0, 1)
  expect(tickets).toEqual([])
})

it('the console sends the file only when the source no longer does', async () => {
  const senders: string[] = []
  ends.push(
    await interceptCalls(network, 0, async (call) => {
      if (call.method !== 'PUT' || !call.body.includes('sendFile')) return undefined
      await deliver(network, 0, call)
      return { status: 502, text: 'Bad gateway' }
    }),
    await interceptCalls(network, 1, async (call) => {
      if (!bringsContent(call)) return undefined
      const scheme = call.headers.authorization?.split(' ')[0] ?? ''
      senders.push(scheme)
      if (scheme !== 'Ticket') return undefined
      await call.isOver
      senders.push('broken off')
      return 'lost'
    }),
  )
  await moveRoom(0, 1)
  expect(senders).toEqual(['Ticket', 'broken off', 'Bearer'])
})
