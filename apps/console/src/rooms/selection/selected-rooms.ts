/** The rooms of a selection as the server has them, and their export. */
import { ProblemError, type ProjectRoom, type RoomExportQuery, type RoomList } from '@roomkeeper/contract'
import i18next from 'i18next'
import { client } from '#api/client.ts'
import { exportRooms } from '../export-rooms.ts'
import { countOf, isSelected, type SelectedRooms } from './room-selection.ts'

const pageSize = 100
/** Names in one request, so that its URL stays far below the 16 kB that servers and proxies take. */
const namesAtOnce = 100

/** As many as the server takes in one live migration. The browser holds them all. */
const mostRooms = 100_000

/** @param onPage called with the number of rooms that are known so far. @throws as the client does, and if there are too many */
export async function roomsOf(
  selected: SelectedRooms,
  onPage: (known: number) => void,
  signal: AbortSignal,
): Promise<readonly ProjectRoom[]> {
  if (countOf(selected) > mostRooms) throw tooMany()
  const rooms = new Map<string, ProjectRoom>()
  const add = ({ data }: RoomList) => {
    for (const room of data) if (isSelected(selected, room)) rooms.set(room.tenantName, room)
    onPage(rooms.size)
  }
  const fetchPage = async (query: RoomExportQuery) =>
    (await client.call('listRooms', { query: { ...query, page: 0, size: pageSize, totals: 'if-quick' }, signal })).body
  if (selected.kind === 'named') {
    for (const query of queriesOf([...selected.rooms.keys()])) add(await fetchPage(query))
  } else {
    // Each page goes on after the last name: rooms that come or go meanwhile shift nothing. A page may be short because
    // a room of it has just gone, so only its total or an empty page is the end.
    for (let last: string | undefined = ''; last !== undefined; ) {
      const list: RoomList = await fetchPage(afterName(selected.query, last))
      add(list)
      if (rooms.size > mostRooms) throw tooMany()
      const isLast = list.totalElements !== null && list.totalElements <= list.data.length
      last = isLast ? undefined : list.data.at(-1)?.tenantName
    }
  }
  return [...rooms.values()]
}

function afterName(query: RoomExportQuery, name: string): RoomExportQuery {
  const ordered = { ...query, order_by: 'tenantName', order_dir: 'asc' as const }
  if (name === '') return ordered
  return {
    ...ordered,
    filter_keys: [...query.filter_keys, 'tenantName'],
    filter_values: [...query.filter_values, name],
    filter_conditions: [...query.filter_conditions, 'GT'],
  }
}

function tooMany(): ProblemError {
  const detail = i18next.t('selection:tooMany', { most: mostRooms })
  return new ProblemError({ type: 'about:blank', title: '', status: 413, detail, instance: '', params: {} })
}

/** Has the browser download the selected rooms as one CSV file. @throws as the client does, and if there are too many */
export async function exportSelected(selected: SelectedRooms): Promise<void> {
  await exportRooms(await exportQueryOf(selected))
}

async function exportQueryOf(selected: SelectedRooms): Promise<RoomExportQuery> {
  if (selected.kind === 'named') return queryOf([...selected.rooms.keys()])
  if (selected.except.size === 0) return selected.query
  const rooms = await roomsOf(selected, () => undefined, new AbortController().signal)
  return queryOf(rooms.map(({ tenantName }) => tenantName))
}

function queriesOf(names: readonly string[]): readonly RoomExportQuery[] {
  return Array.from({ length: Math.ceil(names.length / namesAtOnce) }, (_, index) =>
    queryOf(names.slice(index * namesAtOnce, (index + 1) * namesAtOnce)),
  )
}

function queryOf(names: readonly string[]): RoomExportQuery {
  return {
    order_by: 'tenantName',
    order_dir: 'asc',
    search_keys: [],
    search_values: [],
    search: '',
    filter_keys: ['tenantName'],
    filter_values: [names.join('||')],
    filter_conditions: ['IN'],
  }
}
