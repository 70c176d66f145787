/** Reads a page of a selection's rooms in the order of moving, with what the database knows about each. */
import type { Product } from '@roomkeeper/contract'
import { isMovableState, movableStates } from '@roomkeeper/rules'
import { type RawBuilder, sql } from 'kysely'
import { textArray } from '#platform/database/text-array.ts'
import { type Db, queryBuilt } from '#platform/database.ts'
import type { RoomState } from '#rooms/index.ts'
import { isSelected, orderOfMoving, type Selection } from '../selected-rooms.ts'

/** `id`, `state` and `product` are null for a name that no room has. */
export interface PlannedRoom {
  id: string | null
  name: string
  state: RoomState | null
  priority: number
  product: Product | null
  isInSource: boolean
  isBusy: boolean
  /** Whether the room would take capacity in the target, because the database knows no obstacle. */
  takesCapacity: boolean
}

/** Whether the room is in the source, in a state from which rooms are moved. */
export function isMovableRoom({ isInSource, state }: PlannedRoom): boolean {
  return isInSource && isMovableState(state)
}

export interface SelectionPage {
  total: number
  /** How many rooms would take capacity in the target, and how many of these come before the page. */
  capacity: { needed: number; before: number }
  rooms: PlannedRoom[]
}

interface Plan {
  selection: Selection
  sourceId: number
  targetProducts: readonly string[]
  /** If false, `capacity` is not needed and counts all rooms. */
  targetIsCapped: boolean
}

interface PageAt {
  offset: number
  size: number
}

/** Counts capacity only if needed, because that is slow for a large selection. @throws Refusal `invalid-filter` */
export async function readSelectionPage(db: Db, plan: Plan, at: PageAt): Promise<SelectionPage> {
  const chosen = chosenRooms(plan)
  const slice = sql`(select * from (${chosen}) chosen order by ${orderOfMoving} limit ${at.size} offset ${at.offset})`
  const [counted, page] = await Promise.all([
    queryBuilt<{ total: number }>(db, sql`select count(*) as total from (${chosen}) chosen`),
    queryBuilt<PlannedRoom>(db, sql`select * from (${plannedRooms(plan, slice)}) planned order by ${orderOfMoving}`),
  ])
  const total = counted[0]?.total ?? 0
  const capacity = plan.targetIsCapped ? await countCapacity(db, plan, at) : { needed: total, before: at.offset }
  return { total, capacity, rooms: page }
}

async function countCapacity(db: Db, plan: Plan, { offset }: PageAt): Promise<SelectionPage['capacity']> {
  const planned = plannedRooms(plan, sql`(${chosenRooms(plan)})`)
  const rows = await queryBuilt<SelectionPage['capacity']>(
    db,
    sql`select count(*) as needed, count(*) filter (where position <= ${offset}) as before
    from (select takes_capacity, row_number() over (order by ${orderOfMoving}) as position from (${planned}) planned) numbered
    where takes_capacity`,
  )
  return rows[0] ?? { needed: 0, before: 0 }
}

/** @param rooms a query in parentheses, with the columns of `chosenRooms` */
function plannedRooms({ sourceId, targetProducts }: Plan, rooms: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select r.id, r.name, r.state, r.priority, r.product, coalesce(r.region_id = ${sourceId}, false) as is_in_source,
      o.id is not null as is_busy,
      coalesce(r.region_id = ${sourceId} and r.state = any(${movableStates}::room_state[]) and o.id is null
        and r.product::text = any(${targetProducts}::text[]), false) as takes_capacity
    from ${rooms} r
    left join operations o on o.room_id = r.id and o.state in ('waiting', 'running', 'cancelling')`
}

/** Keeps every name that was selected by name, even if no such room is left. */
function chosenRooms({ selection, sourceId }: Plan): RawBuilder<unknown> {
  if (selection.allMatching !== null)
    return sql`select id, name, state, priority, product, region_id from rooms where ${isSelected(selection, sourceId)}`
  return sql`
    select r.id, n.name, r.state, coalesce(r.priority, 0) as priority, r.product, r.region_id
    from (select distinct name from unnest(${textArray(selection.selectedRooms)}) as name) n
    left join rooms r on r.name = n.name`
}
