/** What the audit screen shows, as it stands in the URL, and the query that it means. */
import type { AuditExportQuery, AuditQuery } from '@roomkeeper/contract'
import { formatDay, parseDay } from '#ui/day.ts'

export const pageSizes = [20, 40, 60, 80, 100] as const
export const defaultPageSize = 20

/** Absent means everything, the first page, the remembered size. */
export interface AuditSearch {
  /** From 1. */
  page?: number | undefined
  size?: number | undefined
  actor?: string | undefined
  action?: string | undefined
  room?: string | undefined
  /** Days, `YYYY-MM-DD`, in the time zone of the browser; both included. */
  from?: string | undefined
  to?: string | undefined
}

/** Reads what may be anything; what cannot be understood is left out. */
export function parseAuditSearch(given: Record<string, unknown>): AuditSearch {
  const page = Number(given.page)
  const size = pageSizes.find((each) => each === Number(given.size))
  return {
    ...(Number.isInteger(page) && page > 1 && page <= 2_147_483_647 ? { page } : {}),
    ...(size === undefined ? {} : { size }),
    ...textIn(given, 'actor', 320),
    ...textIn(given, 'action', 60),
    ...textIn(given, 'room', 64),
    ...dayIn(given, 'from'),
    ...dayIn(given, 'to'),
  }
}

function textIn(given: Record<string, unknown>, field: 'actor' | 'action' | 'room', longest: number): AuditSearch {
  // The router reads ?room=123 as a number.
  const text = typeof given[field] === 'number' ? String(given[field]) : given[field]
  return typeof text === 'string' && text.trim() !== '' ? { [field]: text.trim().slice(0, longest) } : {}
}

function dayIn(given: Record<string, unknown>, field: 'from' | 'to'): AuditSearch {
  const day = typeof given[field] === 'string' ? parseDay(given[field]) : null
  return day === null ? {} : { [field]: day }
}

export function isNarrowed({ actor, action, room, from, to }: AuditSearch): boolean {
  return [actor, action, room, from, to].some((each) => each !== undefined)
}

/** @param size rows per page where the URL says nothing */
export function auditQueryOf(search: AuditSearch, size: number): AuditQuery {
  return { page: (search.page ?? 1) - 1, size: search.size ?? size, ...auditExportQueryOf(search) }
}

export function auditExportQueryOf({ actor = '', action = '', room = '', from, to }: AuditSearch): AuditExportQuery {
  return {
    actor,
    action,
    room,
    ...(from === undefined ? {} : { from: startOfDay(from, 0) }),
    ...(to === undefined ? {} : { to: startOfDay(to, 1) }),
  }
}

/** The first moment of the day so many days later, where the browser is. */
function startOfDay(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}

/** What a day's field shows. */
export function shownDay(day: string | undefined): string {
  return day === undefined ? '' : formatDay(day)
}
