/** The rooms selected in the list: some by name, or all that match the list's search, with exceptions. */
import type { BulkSelection, ProjectRoom, RoomExportQuery } from '@roomkeeper/contract'

export type SelectedRooms =
  /** As they were when they were selected, also from other pages and searches. */
  | { kind: 'named'; rooms: ReadonlyMap<string, ProjectRoom> }
  /** `total`: how many rooms matched when they were selected. */
  | { kind: 'all'; query: RoomExportQuery; total: number; except: ReadonlySet<string> }

export const noRooms: SelectedRooms = { kind: 'named', rooms: new Map() }

export function countOf(selected: SelectedRooms): number {
  return selected.kind === 'named' ? selected.rooms.size : Math.max(0, selected.total - selected.except.size)
}

export function isSelected(selected: SelectedRooms, { tenantName }: ProjectRoom): boolean {
  return selected.kind === 'named' ? selected.rooms.has(tenantName) : !selected.except.has(tenantName)
}

/** The selection as the server takes it: all that match are a query, not a list of names. */
export function wireOf(selected: SelectedRooms): BulkSelection {
  if (selected.kind === 'named') return { rooms: [...selected.rooms.keys()] }
  const { order_by, order_dir, search, search_keys, search_values, filter_keys, filter_values, filter_conditions } =
    selected.query
  const query = {
    order_by,
    order_dir,
    search,
    search_keys,
    search_values,
    filter_keys,
    filter_values,
    filter_conditions,
  }
  return { query, except: [...selected.except] }
}

/** The same with these rooms selected, or not selected any more. */
export function withRooms(selected: SelectedRooms, rooms: readonly ProjectRoom[], isOn: boolean): SelectedRooms {
  if (selected.kind === 'all') {
    const except = new Set(selected.except)
    for (const { tenantName } of rooms) isOn ? except.delete(tenantName) : except.add(tenantName)
    return { ...selected, except }
  }
  const named = new Map(selected.rooms)
  for (const room of rooms) isOn ? named.set(room.tenantName, room) : named.delete(room.tenantName)
  return { ...selected, rooms: named }
}

/** The rooms from one to the other, in the order of the page; only the other if the first is not on the page. */
export function rangeOf(page: readonly ProjectRoom[], from: string | null, to: ProjectRoom): readonly ProjectRoom[] {
  const first = page.findIndex(({ tenantName }) => tenantName === from)
  const last = page.findIndex(({ tenantName }) => tenantName === to.tenantName)
  if (first === -1 || last === -1) return [to]
  return page.slice(Math.min(first, last), Math.max(first, last) + 1)
}

/** Whether two queries match the same rooms, in any order. */
export function matchSame(one: RoomExportQuery, other: RoomExportQuery): boolean {
  const narrowing = (query: RoomExportQuery) =>
    JSON.stringify({ ...query, order_by: null, order_dir: null, page: null, size: null })
  return narrowing(one) === narrowing(other)
}
