import { type RoomOfEvent, roomFieldsWith, type WebhookData } from '@roomkeeper/contract'
import { queryRows, type Tx } from '#platform/database.ts'
import { enqueueWebhooks, isSubscribed, type OutgoingEvent } from '#platform/webhook-outbox.ts'

type RoomEvent = Extract<OutgoingEvent, { data: { room: RoomOfEvent } }>['type']
type More<Type extends RoomEvent> = Omit<WebhookData<Type>, 'room' | 'operation'>

/** The operation that has made a change. */
export interface CausingOperation {
  id: string
  kind: string
}

/**
 * To be called in the transaction of the change, after it; of a deletion, before it.
 * @param by the operation that has made the change
 * @param more what the data of the event has beside room and operation
 */
export async function enqueueRoomWebhook<Type extends RoomEvent>(
  tx: Tx,
  type: Type,
  roomId: string | null,
  by: CausingOperation | null,
  more: More<Type>,
): Promise<void> {
  if (roomId === null || !(await isSubscribed(tx, type))) return
  const rooms = await queryRows<RoomOfEvent>(tx, `${selectRooms} where r.id = $1 ${locking}`, [roomId])
  await enqueue(tx, type, rooms, by, more)
}

const pieceOfRooms = 2000

/**
 * The same for all rooms of a region, a piece at a time: they may be a million. A cursor sorts them once, whatever the
 * number of pieces.
 */
export async function enqueueWebhooksOfRooms<Type extends RoomEvent>(
  tx: Tx,
  type: Type,
  regionId: number,
  more: More<Type>,
): Promise<void> {
  if (!(await isSubscribed(tx, type))) return
  const ofRegion = `${selectRooms} where r.region_id = $1 order by r.id ${locking}`
  await queryRows(tx, `declare told_rooms no scroll cursor for ${ofRegion}`, [regionId])
  let rooms: RoomOfEvent[]
  do {
    rooms = await queryRows<RoomOfEvent>(tx, `fetch ${pieceOfRooms} from told_rooms`)
    await enqueue(tx, type, rooms, null, more)
  } while (rooms.length === pieceOfRooms)
  await queryRows(tx, 'close told_rooms')
}

const selectRooms = `
  select r.id, r.name, r.state, region.name as region, r.product, r.edition, r.expiration_date
    from rooms r join regions region on region.id = r.region_id`
/** Also where the caller has not changed them: the events of a room have an order. */
const locking = 'for no key update of r'

async function enqueue<Type extends RoomEvent>(
  tx: Tx,
  type: Type,
  rooms: readonly RoomOfEvent[],
  by: CausingOperation | null,
  more: More<Type>,
): Promise<void> {
  const operation = by === null ? null : { id: by.id, kind: by.kind }
  const events = rooms.map((room) => ({
    type,
    // The compiler does not put the parts of a generic type together.
    data: { room, operation, ...withoutPeople(more) } as unknown as WebhookData<Type>,
    orderingKey: room.id,
    roomId: room.id,
    roomName: room.name,
  }))
  await enqueueWebhooks(tx, events as unknown as OutgoingEvent[])
}

const aboutPeople: ReadonlySet<string> = new Set(roomFieldsWith('isAboutPerson'))

function withoutPeople(more: { changes?: WebhookData<'room.changed'>['changes'] }): object {
  if (more.changes === undefined) return more
  const changes = more.changes.map((each) => (aboutPeople.has(each.field) ? { ...each, from: null, to: null } : each))
  return { ...more, changes }
}
