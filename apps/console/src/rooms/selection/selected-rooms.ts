/** The rooms of a selection as the server has them, and their export. */
import type { ProjectRoom, RoomExportQuery, RoomList } from '@roomkeeper/contract'
import { client } from '#api/client.ts'
import { saveAs } from '#ui/save-as.ts'
import { isSelected, type SelectedRooms } from './room-selection.ts'

const pageSize = 100
/** Names in one request, so that its URL stays far below the 16 kB that servers and proxies take. */
const namesAtOnce = 100

/** @param onPage called with the number of rooms that are known so far. @throws as the client does */
export async function roomsOf(
  selected: SelectedRooms,
  onPage: (known: number) => void,
  signal: AbortSignal,
): Promise<readonly ProjectRoom[]> {
  const rooms = new Map<string, ProjectRoom>()
  const add = ({ data }: RoomList) => {
    for (const room of data) if (isSelected(selected, room)) rooms.set(room.tenantName, room)
    onPage(rooms.size)
  }
  const fetchPage = async (query: RoomExportQuery, page: number) =>
    (await client.call('listRooms', { query: { ...query, page, size: pageSize, totals: 'exact' }, signal })).body
  if (selected.kind === 'named') {
    for (const query of queriesOf([...selected.rooms.keys()])) add(await fetchPage(query, 0))
  } else {
    // By name, so that pages are stable while rooms change.
    const query = { ...selected.query, order_by: 'tenantName', order_dir: 'asc' as const }
    for (let page = 0, pages = 1; page < pages; page++) {
      const list = await fetchPage(query, page)
      pages = list.totalPages ?? 0
      add(list)
    }
  }
  return [...rooms.values()]
}

/** Saves the selected rooms as one CSV file. @throws as the client does */
export async function exportSelected(selected: SelectedRooms): Promise<void> {
  const parts = []
  for (const query of await exportQueriesOf(selected)) {
    const csv = await (await client.open('exportRooms', { query })).text()
    // Each part begins with the same line of titles.
    parts.push(parts.length === 0 ? csv : csv.slice(csv.indexOf('\n') + 1))
  }
  saveAs(new Blob(parts, { type: 'text/csv' }), `projectRooms_${new Date().toISOString()}.csv`)
}

async function exportQueriesOf(selected: SelectedRooms): Promise<readonly RoomExportQuery[]> {
  if (selected.kind === 'all' && selected.except.size === 0) {
    const { query } = selected
    return [query]
  }
  const rooms = await roomsOf(selected, () => undefined, new AbortController().signal)
  return queriesOf(rooms.map(({ tenantName }) => tenantName))
}

function queriesOf(names: readonly string[]): readonly RoomExportQuery[] {
  return Array.from({ length: Math.ceil(names.length / namesAtOnce) }, (_, index) => ({
    order_by: 'tenantName',
    order_dir: 'asc' as const,
    search_keys: [],
    search_values: [],
    search: '',
    filter_keys: ['tenantName'],
    filter_values: [names.slice(index * namesAtOnce, (index + 1) * namesAtOnce).join('||')],
    filter_conditions: ['IN'],
  }))
}
