/**
 * The state that operators see: DISABLED_REGION for an active or suspended room in a disabled region, otherwise the
 * stored state. The SQL works on both `rooms` and `room_totals`.
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

/** The shown state as an SQL expression of type text. */
export function shownStateSql({ disabledIds }: ListRegions): RawBuilder<ProjectRoomState> {
  if (disabledIds.length === 0) return sql`state::text`
  return sql`case when ${isIn('region_id', disabledIds)} and ${isIn('state', hiddenByRegion)}
    then 'DISABLED_REGION' else state::text end`
}

/** Selects rooms shown in one of these states, with plain conditions on columns so that indexes can be used. */
export function isShownAs(shown: readonly ProjectRoomState[], { disabledIds }: ListRegions): RawBuilder<boolean> {
  const statesWhere = (isDisabled: boolean) =>
    storedStates.filter((each) => shown.includes(shownState(each, isDisabled)))
  const enabled = statesWhere(false)
  const disabled = statesWhere(true)
  if (disabledIds.length === 0 || enabled.join() === disabled.join()) return isIn('state', enabled)
  const inDisabled = isIn('region_id', disabledIds)
  return sql`((not ${inDisabled} and ${isIn('state', enabled)}) or (${inDisabled} and ${isIn('state', disabled)}))`
}

/** Puts the values into the text of the statement, so that the planner can look up how frequent each one is. */
export function isIn(column: string, values: readonly (string | number)[]): RawBuilder<boolean> {
  if (values.length === 0) return sql`false`
  return sql`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`
}
