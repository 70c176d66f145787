import { ProblemError, type RoomExportQuery, type RoomList } from '@roomkeeper/contract'
import i18next from 'i18next'
import { client } from '#api/client.ts'
import { countOf, isSelected } from '#ui/table/selected-rows.ts'
import { exportRooms } from '../export-rooms.ts'
import type { SelectedRooms } from './room-selection.ts'

const pageSize = 100

/** The browser holds all names of a selection with exceptions, and sends them. */
const maxRooms = 100_000

/** Has the browser download the selected rooms as one CSV file. @throws as the client does, and if there are too many */
export async function exportSelected(selected: SelectedRooms): Promise<void> {
  await exportRooms(await exportQueryOf(selected))
}

async function exportQueryOf(selected: SelectedRooms): Promise<RoomExportQuery> {
  if (selected.kind === 'named') return namedQuery([...selected.ids])
  if (selected.except.size === 0) return selected.query
  if (countOf(selected) > maxRooms) throw tooMany()
  const names = new Set<string>()
  // Each page goes on after the last name: rooms that come or go meanwhile shift nothing. A page may be short because a
  // room of it has just gone, so only its total or an empty page is the end.
  for (let last: string | undefined = ''; last !== undefined; ) {
    const query = { page: 0, size: pageSize, totals: 'if-quick' as const, ...afterName(selected.query, last) }
    const list: RoomList = (await client.call('listRooms', { query })).body
    for (const { tenantName } of list.data) if (isSelected(selected, tenantName)) names.add(tenantName)
    if (names.size > maxRooms) throw tooMany()
    const isLast = list.totalElements !== null && list.totalElements <= list.data.length
    last = isLast ? undefined : list.data.at(-1)?.tenantName
  }
  return namedQuery([...names])
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
  const detail = i18next.t('selection:tooMany', { most: maxRooms })
  return new ProblemError({ type: 'about:blank', title: '', status: 413, detail, instance: '', params: {} })
}

function namedQuery(names: readonly string[]): RoomExportQuery {
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
