/** Merges the rooms of the console and of all regions by name, with never more than one page of each in memory. */
import type { RoomInfo } from '@roomkeeper/region-protocol'
import { type Db, queryRows } from '#platform/database.ts'
import type { RegionColumns, StoredRoom } from '#rooms/index.ts'
import { consolePageRooms } from '../doctor-parts.ts'
import type { RegionWalk } from './region-walk.ts'

export interface Copy {
  region: RegionWalk
  info: RoomInfo
}

/** A copy that its region cannot read. */
export interface DamagedCopy {
  region: RegionWalk
  reason: string
}

/** All rooms and copies of one name. */
export interface Namesakes {
  name: string
  room: ConsoleRoom | null
  copies: Copy[]
  damaged: DamagedCopy[]
}

interface Source<T> {
  stream: AsyncIterator<T>
  /** Null at the end of the stream. */
  head: T | null
}

export async function* mergeRooms(
  ours: AsyncIterable<ConsoleRoom>,
  reported: readonly { region: RegionWalk; rooms: AsyncIterable<RoomInfo> }[],
  after = '',
): AsyncGenerator<Namesakes> {
  const own = sourceOf(ours)
  const others = reported.map(({ region, rooms }) => ({ region, ...sourceOf(rooms) }))
  const broken = reported.map(({ region }) => ({ region, ...sourceOf(damagedOf(region, after)) }))
  await Promise.all([own, ...others, ...broken].map((each) => advance<unknown>(each)))
  for (;;) {
    let name: string | null = null
    for (const { head } of [own, ...others, ...broken])
      if (head !== null && (name === null || head.name < name)) name = head.name
    if (name === null) return
    const room = own.head?.name === name ? own.head : null
    const holders = others.filter(({ head }) => head?.name === name)
    const copies = holders.flatMap(({ region, head }) => (head === null ? [] : [{ region, info: head }]))
    const unread = broken.filter(({ head }) => head?.name === name)
    const damaged = unread.map(({ region, head }) => ({ region, reason: head?.reason ?? '' }))
    yield { name, room, copies, damaged }
    if (room !== null) await advance(own)
    await Promise.all([...holders, ...unread].map((each) => advance<unknown>(each)))
  }
}

async function* damagedOf(region: RegionWalk, after: string): AsyncGenerator<{ name: string; reason: string }> {
  for (const [name, reason] of region.damaged) if (name > after && region.lost === null) yield { name, reason }
}

function sourceOf<T>(items: AsyncIterable<T>): Source<T> {
  return { stream: items[Symbol.asyncIterator](), head: null }
}

async function advance<T>(source: Source<T>): Promise<void> {
  const next = await source.stream.next()
  source.head = next.done === true ? null : next.value
}

export type ConsoleRoom = RegionColumns &
  Pick<StoredRoom, 'id' | 'name' | 'regionId' | 'state' | 'product' | 'edition'> & {
    /** An operation of the room waits or runs, so its state may change. */
    busy: boolean
  }

export const consoleRoomColumns = `r.id, r.name, r.region_id, r.state, r.product, r.edition, r.licences_information,
  r.sub_licences, r.sub_mining_type, r.expiration_date, r.company_name, r.customer_first_name, r.customer_last_name,
  r.customer_contact_details, r.customer_email, r.additional_email,
  exists (select from operations o where o.room_id = r.id and o.state in ('waiting', 'running', 'cancelling')) as busy`

/**
 * The console's rooms, page by page, in the byte order of their names, which regions use too.
 * @param after the name after which the page starts
 */
export async function* consoleRooms(db: Db, after: string): AsyncGenerator<ConsoleRoom> {
  for (let last = after; ; ) {
    const page = await queryRows<ConsoleRoom>(
      db,
      `select ${consoleRoomColumns} from rooms r where r.name > $1 order by r.name limit $2`,
      [last, consolePageRooms],
    )
    yield* page
    if (page.length < consolePageRooms) return
    last = page.at(-1)?.name ?? last
  }
}
