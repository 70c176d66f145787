/** A second copy that was suspended for its removal, and is kept after all, does not stay suspended. */
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { write } from '../chaos/real-room.ts'
import { writeDocuments } from '../life/room-life.ts'
import { interceptCalls, type PassingCall } from '../migrations/intercept-calls.ts'
import { copyBehindTheConsole, findingsAbout, regionAt, repair, roomIdOf } from './run-doctor.ts'

const home = 0
const second = 1

let network: Network
/** Intercepts each call on its way to the second region. */
let seen: (call: PassingCall) => unknown
let end = () => {}
beforeAll(async () => {
  network = await bootNetwork({ regions: 2, env: { WORKER_LEASE_SECONDS: '3' } })
  end = await interceptCalls(network, second, (call) => seen(call))
})
beforeEach(() => {
  seen = () => undefined
})
afterAll(async () => {
  await network?.stop()
  end()
})

describe('a second copy into which users got while it was being removed is kept, and open for them', () => {
  it('when its region fails for a moment', async () => {
    const { room, finding } = await roomTwice()
    const resume = { method: 'POST', path: `/region/v1/rooms/${room}/resume` }
    await network.setRegionFaults([{ ...resume, action: 'status', status: 503 }], second)
    expect(await repair(network, finding, 'remove-copy')).toEqual(isKept)
    expect(await copyOf(room)).toMatchObject({ state: 'active', locked: false })
  })

  it('when the console dies', async () => {
    const { room, finding } = await roomTwice()
    const usersGetIn = seen
    seen = async (call) => {
      await usersGetIn(call)
      if (!isChangeOf(room, 'resume', call)) return
      seen = () => undefined
      await network.server.stop('SIGKILL')
      // The call never arrives.
      await new Promise(() => {})
    }
    const body = { repair: 'remove-copy' } as const
    const begun = await network.admin.call('repairFinding', { params: { id: finding.id }, body })
    await network.server.ended
    expect(await copyOf(room)).toMatchObject({ state: 'suspended' })
    await network.restartServer()
    await network.settle()
    const { operationId } = begun.body as { operationId: string }
    expect(await network.database.rows('select state, error from operations where id = $1', [operationId])).toEqual([
      isKept,
    ])
    expect(await copyOf(room)).toMatchObject({ state: 'active', locked: false })
  })

  const isKept = { state: 'failed', error: expect.stringMatching('does not hold the same') }

  /** A room with a second copy. A user gets in, because the repair's lock ends just before the copy is suspended. */
  async function roomTwice() {
    const room = await network.newRoom()
    await writeDocuments(network, room, { one: { from: 'a user' } })
    const roomId = await roomIdOf(network, room)
    const copy = regionAt(network, second)
    await copyBehindTheConsole(regionAt(network, home), copy, { name: room, roomId })
    const [finding] = await findingsAbout(network, room)
    if (finding === undefined) throw new Error('The second copy was not found.')
    let written: Promise<unknown> | null = null
    seen = async (call) => {
      if (!isChangeOf(room, 'suspend', call)) return
      written ??= (async () => {
        const { lock } = (await copy.client.room(room)) ?? {}
        await copy.client.unlockRoom(room, { roomId, holder: lock?.holder ?? '' })
        if ((await write(copy, room, 'late', 'by a user')) !== 'acknowledged') throw new Error('No user got in.')
      })()
      await written
    }
    return { room, finding }
  }
})

const isChangeOf = (room: string, what: string, { method, path }: PassingCall) =>
  method === 'POST' && path === `/region/v1/rooms/${room}/${what}`

const copyOf = (room: string) => regionAt(network, second).client.room(room)
