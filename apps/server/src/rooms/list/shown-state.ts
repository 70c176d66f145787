/**
 * The state that operators see: an active or suspended room in a disabled region is shown as DISABLED_REGION; in every
 * other state the stored one. Works on rooms and on room_totals.
 */
import type { ProjectRoomState } from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import type { RoomsTable } from '../tables.ts'
import type { ListRegions } from './regions.ts'

type StoredState = RoomsTable['state']
const hiddenByRegion: readonly StoredState[] = ['DEFAULT', 'SUSPENDED']
const storedStates: readonly StoredState[] = ['DEFAULT', 'MARKED_FOR_DELETION', 'ERROR', 'SUSPENDED', 'IN_PROGRESS']

export function shownState(stored: StoredState, regionIsDisabled: boolean): ProjectRoomState {
  return regionIsDisabled && hiddenByRegion.includes(stored) ? 'DISABLED_REGION' : stored
}

/** The shown state as a text. */
export function shownStateSql({ disabledIds }: ListRegions): RawBuilder<ProjectRoomState> {
  if (disabledIds.length === 0) return sql`state::text`
  return sql`case when ${isIn('region_id', disabledIds)} and ${isIn('state', hiddenByRegion)}
    then 'DISABLED_REGION' else state::text end`
}

/** Rooms that are shown in one of these states. Plain conditions on columns, so that indexes serve them. */
export function isShownAs(shown: readonly ProjectRoomState[], { disabledIds }: ListRegions): RawBuilder<boolean> {
  const statesWhere = (isDisabled: boolean) =>
    storedStates.filter((each) => shown.includes(shownState(each, isDisabled)))
  const enabled = statesWhere(false)
  const disabled = statesWhere(true)
  if (disabledIds.length === 0 || enabled.join() === disabled.join()) return isIn('state', enabled)
  const inDisabled = isIn('region_id', disabledIds)
  return sql`((not ${inDisabled} and ${isIn('state', enabled)}) or (${inDisabled} and ${isIn('state', disabled)}))`
}

/** With the values in the text of the statement, so that the planner knows how frequent each is. */
export function isIn(column: string, values: readonly (string | number)[]): RawBuilder<boolean> {
  if (values.length === 0) return sql`false`
  return sql`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`
}
