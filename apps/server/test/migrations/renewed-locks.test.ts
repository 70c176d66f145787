/** A step of a move may take much longer than a lock lasts, which is a minute. */
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeDocuments } from '../life/room-life.ts'
import { interceptCalls, type PassingCall } from './intercept-calls.ts'
import { endSessions, entriesOf, moveAll, newMigration, whereabouts } from './moves.ts'

let network: Network
let seen: (call: PassingCall) => unknown = () => undefined
let end: (() => void) | undefined
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
  end = await interceptCalls(network, 1, (call) => seen(call))
})
afterAll(async () => {
  await network?.stop()
  end?.()
})

it('both copies stay locked for as long as a step works, by locks that are renewed in time', async () => {
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: { from: 'a user' } })
  await endSessions(network, room)
  let renewal: Promise<void> | undefined
  seen = async ({ method, path }) => {
    // The console brings the backup, once the copy is there.
    if (path.endsWith('/tickets')) return { status: 503, text: '' }
    if (method !== 'PUT' || !path.includes('/files/')) return
    // Holds the upload of the backup to the target until both locks are renewed, however often it is sent.
    renewal ??= bothAreRenewed(room)
    await renewal.catch(() => undefined)
  }
  const migrationId = await newMigration(network)
  await moveAll(network, { migrationId, rooms: [room] })
  expect(renewal).toBeDefined()
  await renewal
  // A new try of the step would renew the locks too, but there was none.
  const [entry] = await entriesOf(network, migrationId)
  expect(entry?.log).toContain('both copies hold the same')
  expect(entry?.log).not.toContain('Trying again')
  const { row, copies } = await whereabouts(network, room)
  expect(row).toMatchObject({ region_id: 2, state: 'DEFAULT' })
  expect(copies).toEqual([null, expect.objectContaining({ state: 'active', locked: false })])
})

async function bothAreRenewed(room: string): Promise<void> {
  const before = await endsOfLocks(room)
  expect(before).toEqual([expect.any(String), expect.any(String)])
  await until('both locks last longer than when the step began', async () =>
    (await endsOfLocks(room)).every((end, index) => (end ?? '') > (before[index] ?? '')),
  )
}

async function endsOfLocks(room: string) {
  const copies = await Promise.all(network.regions.map(({ client }) => client.room(room)))
  return copies.map((copy) => copy?.lock?.expiresAt)
}
