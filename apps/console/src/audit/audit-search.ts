/** The state of the audit screen in the URL, and the query that results from it. */
import type { AuditExportQuery, AuditQuery } from '@roomkeeper/contract'
import { formatDay, parseDay } from '#ui/day.ts'
import { page, pageSize, readSearch, type SearchOf, text } from '#ui/url-search.ts'

/** `YYYY-MM-DD`, in the time zone of the browser. */
const day = (given: unknown) => (typeof given === 'string' ? (parseDay(given) ?? undefined) : undefined)

/** If absent: everything. Both days are included. */
const parameters = { page, size: pageSize, actor: text(320), action: text(60), room: text(64), from: day, to: day }
export type AuditSearch = SearchOf<typeof parameters>

export const parseAuditSearch = (given: Record<string, unknown>): AuditSearch => readSearch(parameters, given)

export const auditFilters = ['actor', 'action', 'room', 'from', 'to'] as const

/** @param size rows per page if the URL does not say */
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

/** The first moment of the day that is `later` days after `day`, in the time zone of the browser. */
function startOfDay(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}

/** The text in the field of a day. */
export function shownDay(day: string | undefined): string {
  return day === undefined ? '' : formatDay(day)
}
