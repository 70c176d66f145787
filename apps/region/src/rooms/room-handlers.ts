/** The protocol's calls about rooms. */
import type { RoomInfo } from '@roomkeeper/region-protocol'
import type { Handlers } from '#http/handlers.ts'
import type { Region } from '#region.ts'
import { changeRoom, keepConsoleRecord, lockRoom, setRoomState, unlockRoom } from './change-room.ts'
import { createRoom } from './create-room.ts'
import { recordDamage } from './damaged-rooms.ts'
import { findRoom } from './find-room.ts'
import { describeRoom } from './room-info.ts'
import { readLicenceUse } from './room-settings.ts'

export function roomHandlers(region: Region) {
  return {
    rooms: async ({ query: { after, limit } }) => {
      const records = region.index.after(after, limit + 1)
      const page = records.slice(0, limit)
      const rooms = (await Promise.all(page.map(({ name }) => describeIfThere(region, name)))).filter(
        (room) => room !== null,
      )
      return { rooms, next: records.length > limit ? (page.at(-1)?.name ?? null) : null }
    },
    room: ({ params: { name } }) =>
      region.roomMutex.runExclusive(name, async () => describeRoom(region, findRoom(region, name))),
    createRoom: ({ params: { name }, body, fence }) => createRoom(region, name, body, fence),
    changeRoom: ({ params: { name }, body, fence }) => changeRoom(region, name, body, fence),
    consoleRecord: ({ params: { name } }) =>
      region.roomMutex.runExclusive(name, async () => {
        const room = findRoom(region, name)
        // Refused for a damaged room, like every call.
        await describeRoom(region, room)
        return { record: room.consoleRecord ?? null }
      }),
    keepConsoleRecord: ({ params: { name }, body, fence }) => keepConsoleRecord(region, name, body, fence),
    suspendRoom: ({ params: { name }, body, fence }) =>
      setRoomState(region, name, { ...body, state: 'suspended' }, fence),
    resumeRoom: ({ params: { name }, body, fence }) => setRoomState(region, name, { ...body, state: 'active' }, fence),
    lockRoom: ({ params: { name }, body, fence }) => lockRoom(region, name, body, fence),
    unlockRoom: ({ params: { name }, body, fence }) => unlockRoom(region, name, body, fence),
    licences: ({ params: { name } }) =>
      region.roomMutex.runExclusive(name, async () => {
        findRoom(region, name)
        return readLicenceUse(region.handles.open(region.folders.systemDatabase(name)))
      }),
  } satisfies Partial<Handlers>
}

/** Null: the room was deleted meanwhile, or is damaged, which must not keep the other rooms from being listed. */
function describeIfThere(region: Region, name: string): Promise<RoomInfo | null> {
  return region.roomMutex.runExclusive(name, async () => {
    const record = region.index.get(name)
    if (record === undefined) return null
    try {
      return await describeRoom(region, record)
    } catch (error) {
      if (recordDamage(region, name, error)) return null
      throw error
    }
  })
}
