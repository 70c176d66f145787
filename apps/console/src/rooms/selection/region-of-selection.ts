import type { RoomList } from '@roomkeeper/contract'
import type { QueryClient } from '@tanstack/react-query'
import { roomListsKey } from '../list/queries.ts'
import type { SelectedRooms } from './room-selection.ts'

/** The region in which all selected rooms are; undefined: in several, or the rows that were shown do not tell. */
export function regionOfSelection(cache: QueryClient, selected: SelectedRooms): number | undefined {
  if (selected.kind === 'all') {
    const { filter_keys, filter_values } = selected.query
    return Number(filter_values[filter_keys.indexOf('region')]) || undefined
  }
  const regionOf = new Map<string, number>()
  const pages = cache.getQueryCache().findAll({ queryKey: roomListsKey })
  // What was fetched last counts.
  pages.sort((one, other) => one.state.dataUpdatedAt - other.state.dataUpdatedAt)
  for (const { state } of pages) {
    for (const { tenantName, region } of (state.data as RoomList | undefined)?.data ?? [])
      regionOf.set(tenantName, region)
  }
  const regions = new Set([...selected.ids].map((name) => regionOf.get(name)))
  return regions.size === 1 ? [...regions][0] : undefined
}
