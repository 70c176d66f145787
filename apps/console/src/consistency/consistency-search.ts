/** What the screen of findings shows, as it stands in the URL. */
import type { FindingSeverity } from '@roomkeeper/contract'

export const pageSizes = [20, 40, 60, 80, 100] as const
export const defaultPageSize = 20
/** Written out, because this is read before the contract is loaded. */
const severities: Record<FindingSeverity, true> = { error: true, warning: true, info: true }

/** Absent means everything that is open, the first page, the remembered size. */
export interface ConsistencySearch {
  /** From 1. */
  page?: number | undefined
  size?: number | undefined
  search?: string | undefined
  severity?: FindingSeverity | undefined
  closed?: true | undefined
}

/** Reads what may be anything; what cannot be understood is left out. */
export function parseConsistencySearch(given: Record<string, unknown>): ConsistencySearch {
  const page = Number(given.page)
  const size = pageSizes.find((each) => each === Number(given.size))
  const severity = Object.keys(severities).find((each): each is FindingSeverity => each === given.severity)
  // The router reads ?search=123 as a number.
  const search = typeof given.search === 'number' ? String(given.search) : given.search
  return {
    ...(Number.isInteger(page) && page > 1 && page <= 2_147_483_647 ? { page } : {}),
    ...(size === undefined ? {} : { size }),
    ...(typeof search === 'string' && search.trim() !== '' ? { search: search.trim().slice(0, 64) } : {}),
    ...(severity === undefined ? {} : { severity }),
    ...(given.closed === true ? { closed: true } : {}),
  }
}

export function isNarrowed({ search, severity }: ConsistencySearch): boolean {
  return search !== undefined || severity !== undefined
}
