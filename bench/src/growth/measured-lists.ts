/** The lists that are measured at each size: those whose time could depend on the number of rooms. */
import type { BenchServer } from '../bench-server.ts'
import type { Caller } from '../http-call.ts'
import { columnContests } from '../list/column-contests.ts'
import { listContests } from '../list/list-contests.ts'
import type { Contest } from '../measure.ts'

/** What a list's measures are called, and the contest of that list. */
export interface MeasuredList {
  id: string
  contest: Contest
}

export function measuredLists(bench: BenchServer, caller: Caller, rooms: number): MeasuredList[] {
  const lists = listContests(caller, bench.database, rooms)
  const columns = columnContests(caller, bench.database)
  return Object.entries(places).map(([id, { list, column, part = 'rows' }]) => {
    const contest =
      list === undefined
        ? columns.find(({ name }) => name === column)?.[part]
        : lists.find(({ name }) => name.endsWith(list))
    if (!contest) throw new Error(`There is no contest for ${id}.`)
    return { id, contest }
  })
}

type ListId = keyof typeof listTitles

export const listTitles = {
  'first-page': 'first page',
  'middle-page': 'page at 50 % by name',
  'search-rows': 'broad search: first rows',
  'search-total': 'broad search: exact total',
  'two-letters-rows': 'two letters: first rows',
  'two-letters-total': 'two letters: exact total',
  'company-rows': "company contains 'pharma': first rows",
  'company-total': "company contains 'pharma': exact total",
  'by-company': 'sorted by company',
  'by-sales-contact': 'sorted by sales contact',
  expiring: 'expires before a day, sorted by it',
}

interface Place {
  /** How its name among the contests of lists ends, or its name among those of columns. */
  list?: string
  column?: string
  part?: 'rows' | 'total'
}

const places: Record<ListId, Place> = {
  'first-page': { list: 'first page' },
  'middle-page': { list: '(at 50 %)' },
  'search-rows': { list: 'search, common: first rows' },
  'search-total': { list: 'search, common: total' },
  'two-letters-rows': { list: 'search of 2 letters: first rows' },
  'two-letters-total': { list: 'search of 2 letters: total' },
  'company-rows': { column: 'companyName CONTAINS pharma' },
  'company-total': { column: 'companyName CONTAINS pharma', part: 'total' },
  'by-company': { column: 'sorted by companyName asc' },
  'by-sales-contact': { column: 'sorted by salesman asc' },
  expiring: { column: 'expirationDate BEFORE 2024-06-01, sorted by it' },
}
