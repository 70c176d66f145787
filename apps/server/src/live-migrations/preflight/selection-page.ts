/** A page of the rooms of a selection in the order of moving, with what the database knows about each. */
import type { Product } from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database.ts'
import type { RoomsTable } from '#platform/tables.ts'
import { isSelected, orderOfMoving, type Selection } from '../selected-rooms.ts'

/** `id`, `state` and `product` are null for a name that no room has. */
export interface PlannedRoom {
  id: string | null
  name: string
  state: RoomsTable['state'] | null
  priority: number
  product: Product | null
  isInSource: boolean
  isBusy: boolean
  /** Nothing here is in its way, so it takes a place on the target. */
  takesPlace: boolean
}

export interface SelectionPage {
  total: number
  /** How many rooms would take a place on the target, and how many of these come before the page. */
  placesNeeded: number
  placesBefore: number
  rooms: PlannedRoom[]
}

interface Plan {
  selection: Selection
  sourceId: number
  targetProducts: readonly string[]
}

/** @throws Refusal `invalid-filter` */
export async function readSelectionPage(
  db: Db,
  plan: Plan,
  at: { offset: number; size: number },
): Promise<SelectionPage> {
  const planned = plannedRooms(plan)
  const counts = await sql<{ total: number; placesNeeded: number; placesBefore: number }>`
    select count(*) as total, count(*) filter (where "takesPlace") as "placesNeeded",
      (select count(*) from (
        select "takesPlace" from (${planned}) before order by ${orderOfMoving} limit ${at.offset}
      ) before where "takesPlace") as "placesBefore"
    from (${planned}) planned`.execute(db)
  const page = await sql<PlannedRoom>`
    select * from (${planned}) planned order by ${orderOfMoving} limit ${at.size} offset ${at.offset}`.execute(db)
  const [first] = counts.rows
  if (first === undefined) throw new Error('A count has one row.')
  return { ...first, rooms: page.rows }
}

function plannedRooms({ selection, sourceId, targetProducts }: Plan): RawBuilder<unknown> {
  return sql`
    select r.id, r.name, r.state, r.priority, r.product, coalesce(r.region_id = ${sourceId}, false) as "isInSource",
      o.id is not null as "isBusy",
      coalesce(r.region_id = ${sourceId} and r.state in ('DEFAULT', 'SUSPENDED') and o.id is null
        and r.product::text = any(${targetProducts}::text[]), false) as "takesPlace"
    from (${chosenRooms(selection, sourceId)}) r
    left join operations o on o.room_id = r.id and o.state in ('waiting', 'running', 'cancelling')`
}

/** Names that are given are kept, whatever has become of their rooms. */
function chosenRooms(selection: Selection, sourceId: number): RawBuilder<unknown> {
  if (selection.allMatching !== null)
    return sql`select id, name, state, priority, product, region_id from rooms where ${isSelected(selection, sourceId)}`
  return sql`
    select r.id, n.name, r.state, coalesce(r.priority, 0) as priority, r.product, r.region_id
    from (select distinct name from unnest(${selection.selectedRooms}::text[]) as name) n
    left join rooms r on r.name = n.name`
}
