/** The search of the audit screen, as it is in the URL, and its query. */
import type { AuditExportQuery, AuditQuery } from '@roomkeeper/contract'
import { formatDay, parseDay } from '#ui/day.ts'
import { page, pageSize, readSearch, type SearchOf, text } from '#ui/url-search.ts'

/** `YYYY-MM-DD`, in the time zone of the browser. */
const day = (given: unknown) => (typeof given === 'string' ? (parseDay(given) ?? undefined) : undefined)

/** Absent: everything. Both days are included. */
const parameters = { page, size: pageSize, actor: text(320), action: text(60), room: text(64), from: day, to: day }
export type AuditSearch = SearchOf<typeof parameters>

export const parseAuditSearch = (given: Record<string, unknown>): AuditSearch => readSearch(parameters, given)

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
