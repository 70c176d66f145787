/** What the global filter asks the server: rooms by name, and the process types whose names contain the text. */
import { type MonitoringEntry, type ProcessType, processTypeCodes } from '@roomkeeper/contract'

export const monitoringSize = 10

export interface MonitoringSearch {
  text: string
  /** From 1. */
  page: number
  sort: { by: keyof MonitoringEntry & MonitoringSort; dir: 'asc' | 'desc' }
}
export type MonitoringSort = 'projectRoomName' | 'region' | 'processType' | 'executionTime'

/** Newest first. */
export const firstSearch: MonitoringSearch = { text: '', page: 1, sort: { by: 'executionTime', dir: 'desc' } }

export function queryOf({ text, page, sort }: MonitoringSearch) {
  return {
    page: page - 1,
    size: monitoringSize,
    sort_by: sort.by,
    order_by: sort.dir,
    name_search: text,
    type_filter: text === '' ? [] : typesContaining(text).map((type) => String(processTypeCodes[type])),
  }
}

/** In any case: `live` finds all types of live migrations. */
export function typesContaining(text: string): ProcessType[] {
  const wanted = text.toLowerCase()
  const types = Object.keys(processTypeCodes) as ProcessType[]
  return types.filter((type) => type.toLowerCase().includes(wanted))
}
