/** Scenarios for what is done with deleted rooms. */
import { expect } from 'vitest'
import type { Scenario } from './every-step-goes-wrong.ts'
import { wholeRoom, writeDocuments } from './room-life.ts'
import { documentsIn, type World } from './world.ts'

export function deletedScenarios(world: World): Record<string, Scenario> {
  const { network } = world
  const listed = async (search: string) => {
    const { data } = (await network().admin.call('deletedRooms', { query: { search } })).body
    return data.find(({ projectRoomName }) => projectRoomName === search)
  }
  const idOf = async (room: string) => (await listed(room))?.id ?? ''
  const prepare = async () => {
    const room = await network().newRoom()
    await writeDocuments(network(), room, { one: { from: 'the deleted one' } })
    await network().admin.call('deleteRoom', { body: { roomName: room } })
    await network().settle()
    return room
  }
  const expectListed = async (room: string, states: string[]) => {
    expect(states).toContain((await listed(room))?.state)
    expect(await wholeRoom(network(), room)).toEqual({ row: null, region: null })
  }
  /** Once it was checked, the room is kept in error. */
  const goesOnWhenRetried = async (room: string) => {
    if ((await wholeRoom(network(), room)).row?.state !== 'ERROR') return false
    const [{ id = '' } = {}] = await network().database.rows<{ id: string }>(
      `select id from operations where kind = 'room.restore-deleted' and room_name = $1 order by created_at desc limit 1`,
      [room],
    )
    await network().admin.call('retryOperation', { params: { id } })
    await network().settle()
    const { row, region } = await wholeRoom(network(), room)
    expect([row?.state, region?.state]).toEqual(['DEFAULT', 'active'])
    return true
  }
  return {
    'room.restore-deleted': {
      prepare,
      start: async (room) => network().admin.call('restoreDeletedRoom', { params: { id: await idOf(room) }, body: {} }),
      async expectDone(room) {
        expect((await wholeRoom(network(), room)).row).toMatchObject({ state: 'DEFAULT' })
        expect(documentsIn(world, room)).toEqual({ one: { from: 'the deleted one' } })
        expect(await listed(room)).toBeUndefined()
      },
      async expectFailed(room) {
        if (await goesOnWhenRetried(room)) {
          await network().admin.call('deleteRoom', { body: { roomName: room } })
          await network().settle()
        }
        await expectListed(room, ['KEPT'])
      },
      expectCancelled: (room) => expectListed(room, ['KEPT']),
      beginsAnew: true,
    },
    'room.purge': {
      prepare,
      async start(room) {
        const body = { typedName: room }
        await network().admin.call('purgeDeletedRoom', { params: { id: await idOf(room) }, body })
      },
      async expectDone(room) {
        expect(await listed(room)).toBeUndefined()
        const { data } = (await network().admin.call('purgedRooms', { query: { search: room } })).body
        const [purged] = data
        const { body } = await network().admin.call('purgeCertificate', { params: { id: purged?.id ?? '' } })
        expect(body.removed.filter(({ kind }) => kind === 'backup')).toHaveLength(1)
      },
      async expectFailed(room) {
        // Its last step has certified the purge and removed the row before it fails.
        const isCertified =
          (await network().admin.call('purgedRooms', { query: { search: room } })).body.totalElements > 0
        if (!isCertified) await expectListed(room, ['KEPT', 'PURGE_FAILED'])
      },
      expectCancelled: (room) => expectListed(room, ['KEPT']),
    },
  }
}
