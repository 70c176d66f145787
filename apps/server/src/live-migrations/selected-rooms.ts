/** The rooms of a selection: the named ones, or every matching movable room of the source except the named ones. */
import { type FieldError, fieldError, type RoomSelection } from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import { textArray } from '#platform/database/text-array.ts'
import { queryBuilt, type Tx } from '#platform/database.ts'
import { refuseInput } from '#platform/refuse.ts'
import { isMovable } from '#rooms/index.ts'

export type Selection = Pick<RoomSelection, 'selectedRooms' | 'allMatching'>

/** An empty selection is a mistake. @throws Refusal `invalid-input` */
export function checkNotEmpty({ selectedRooms, allMatching }: Selection): void {
  if (selectedRooms.length === 0 && allMatching === null) throw nothingSelected()
}

export function nothingSelected() {
  return refuseInput([fieldError('selectedRooms', 'migration-rooms-missing')])
}

/** The selected rooms that can be moved, as a condition on `rooms`. @throws Refusal `invalid-filter` */
export function isSelected({ selectedRooms, allMatching }: Selection, regionId: number): RawBuilder<boolean> {
  const isNamed = sql`name = any(${textArray(selectedRooms)})`
  if (allMatching === null) return sql`(${isMovable({ regionId, search: '' })} and ${isNamed})`
  return sql`(${isMovable({ regionId, search: allMatching.search })} and not ${isNamed})`
}

/** The order in which rooms are moved. */
export const orderOfMoving: RawBuilder<unknown> = sql`priority desc, name`

/** The selected rooms that can be moved, in the order of moving. @throws Refusal `invalid-filter` */
export async function roomsInOrder(
  tx: Tx,
  selection: Selection,
  regionId: number,
): Promise<{ id: string; name: string }[]> {
  return queryBuilt<{ id: string; name: string }>(
    tx,
    sql`select id, name from rooms where ${isSelected(selection, regionId)} order by ${orderOfMoving}`,
  )
}

/**
 * Checks that every room that is named for moving is in the source, active or suspended.
 * @throws Refusal `invalid-input` that names the rooms that are not
 */
export async function checkMovable(tx: Tx, selection: Selection, source: { id: number; name: string }): Promise<void> {
  if (selection.allMatching !== null) return
  const rows = await queryBuilt<{ name: string }>(
    tx,
    sql`select name from unnest(${textArray(selection.selectedRooms)}) as name
    except select name from rooms where ${isSelected(selection, source.id)}
    order by name`,
  )
  if (rows.length === 0) return
  const names = rows.map(({ name }) => name)
  throw refuseInput([wrongRooms('selectedRooms', 'rooms-not-movable', source.name, names)])
}

const mostListed = 20

type NamesCode = 'rooms-not-movable' | 'rooms-not-under-way'

/** The error for these rooms; it names the first of them and counts the others. */
export function wrongRooms(field: string, code: NamesCode, region: string, names: readonly string[]): FieldError {
  const { rooms, more } = parted(names)
  return more > 0
    ? fieldError(field, `${code}-and-more`, { region, rooms, more })
    : fieldError(field, code, { region, rooms })
}

export function parted(names: readonly string[]): { rooms: string; more: number } {
  return { rooms: names.slice(0, mostListed).join(', '), more: names.length - mostListed }
}
