/** The console's rooms and those of all regions side by side, by name; a page of each is in memory, never more. */
import type { RoomInfo } from '@roomkeeper/region-protocol'
import type { ConsoleRoom } from './console-rooms.ts'
import type { RegionWalk } from './region-walk.ts'

export interface Copy {
  region: RegionWalk
  info: RoomInfo
}

/** All that has one name. */
export interface Namesakes {
  name: string
  room: ConsoleRoom | null
  copies: Copy[]
}

interface Source<T> {
  stream: AsyncIterator<T>
  /** Null: at its end. */
  head: T | null
}

export async function* mergeRooms(
  ours: AsyncIterable<ConsoleRoom>,
  theirs: readonly { region: RegionWalk; rooms: AsyncIterable<RoomInfo> }[],
): AsyncGenerator<Namesakes> {
  const own = sourceOf(ours)
  const others = theirs.map(({ region, rooms }) => ({ region, ...sourceOf(rooms) }))
  await Promise.all([advance(own), ...others.map((each) => advance(each))])
  for (;;) {
    let name: string | null = null
    for (const { head } of [own, ...others]) if (head !== null && (name === null || head.name < name)) name = head.name
    if (name === null) return
    const room = own.head?.name === name ? own.head : null
    const holders = others.filter(({ head }) => head?.name === name)
    const copies = holders.flatMap(({ region, head }) => (head === null ? [] : [{ region, info: head }]))
    yield { name, room, copies }
    if (room !== null) await advance(own)
    await Promise.all(holders.map((each) => advance(each)))
  }
}

function sourceOf<T>(items: AsyncIterable<T>): Source<T> {
  return { stream: items[Symbol.asyncIterator](), head: null }
}

async function advance<T>(source: Source<T>): Promise<void> {
  const next = await source.stream.next()
  source.head = next.done === true ? null : next.value
}
