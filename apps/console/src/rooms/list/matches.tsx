/** Where the rows match the search: marks in the cells, and the name of a column that is hidden. */
import { inNfc, type ProjectRoom, type RoomListQuery, type SearchField, wordFields } from '@roomkeeper/contract'
import type { ReactNode } from 'react'
import type { RoomColumn } from './search.ts'

export interface Matches {
  /** The text of a column's cell with its matches marked; anything but a text stays as it is. */
  mark: (column: RoomColumn, shown: ReactNode) => ReactNode
  /** The columns in which a row holds what none of the shown columns holds. */
  hiddenIn: (room: ProjectRoom, shows: (column: RoomColumn) => boolean) => RoomColumn[]
}

/** The matches of a list's query; null if nothing is searched. */
export function matchesOf({ search, search_keys, search_values }: RoomListQuery): Matches | null {
  const text = search || (search_values[0] ?? '')
  const words = inNfc(text)
    .split(/\s+/)
    .filter((each) => each !== '')
  if (words.length === 0) return null
  const fields = (search === '' ? search_keys : wordFields) as readonly SearchField[]
  const columns = new Set<RoomColumn>(fields.map(columnOf))
  if (search !== '') columns.add('labels')
  const literal = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  const pattern = new RegExp(`(${longestFirst.map(literal).join('|')})`, 'iu')
  return {
    mark(column, shown) {
      if (typeof shown !== 'string' || !columns.has(column)) return shown
      const parts = shown.split(pattern)
      if (parts.length === 1) return shown
      // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other name than its place.
      return parts.map((part, n) => (n % 2 === 1 ? <mark key={n}>{part}</mark> : part))
    },
    hiddenIn(room, shows) {
      const hidden = words.flatMap((word) => {
        const found = fields.filter((field) => room[field]?.toLowerCase().includes(word.toLowerCase()))
        return found.some((field) => shows(columnOf(field))) ? [] : found.slice(0, 1).map(columnOf)
      })
      return [...new Set(hidden)]
    },
  }
}

/** The customer's names share a column. */
function columnOf(field: SearchField): RoomColumn {
  return field === 'customerFirstName' || field === 'customerLastName' ? 'customerContact' : field
}
