/** Which page of a list a screen shows, and what narrows the list: kept in the URL alone. */
import { getRouteApi, type RegisteredRouter, type RouteById, type RouteIds } from '@tanstack/react-router'
import { rememberedPageSize, rememberPageSize } from './table/paging.ts'
import { defaultPageSize, pageSizes } from './url-search.ts'

type Routes = RegisteredRouter['routeTree']
type RouteId = RouteIds<Routes>

/** What the URL of a route can say. */
type SearchOfRoute<Id extends RouteId> = RouteById<Routes, Id>['types']['fullSearchSchema']

/** The parameters of which `PagedTable` knows. */
interface CommonSearch {
  page?: number | undefined
  size?: number | undefined
  search?: string | undefined
}

export interface PagedSearch<Search = CommonSearch> {
  /** The name of the list in local storage. */
  name: string
  search: Search
  /** What a call asks for: the page, counted from 0, and the rows per page. */
  wanted: { page: number; size: number }
  isNarrowed: boolean
  /** Changes parameters, and leads to the first page. */
  change(to: Partial<Search>): void
  /** Shows the rows that no filter omits. */
  reset(): void
  goToPage(page: number): void
  chooseSize(size: number): void
}

interface PagedSearchOptions<Search> {
  /** The rows per page are remembered under this name. */
  name: string
  /** The parameters that narrow the list. */
  filters?: readonly (keyof Search)[]
}

/** @param from the route of the screen */
export function usePagedSearch<Id extends RouteId>(
  from: Id,
  { name, filters = [] }: PagedSearchOptions<SearchOfRoute<Id>>,
): PagedSearch<SearchOfRoute<Id>> {
  const route = getRouteApi<RouteId>(from)
  const search = route.useSearch() as SearchOfRoute<Id> & CommonSearch
  const navigate = route.useNavigate()
  const { page = 1, size = rememberedPageSize(name, pageSizes, defaultPageSize) } = search
  // Based on the search that the router is still navigating to, so that two changes in a row are both kept.
  const change = (to: object) =>
    void navigate({ search: ((before: object) => ({ ...before, page: undefined, ...to })) as never })
  return {
    name,
    search,
    wanted: { page: page - 1, size },
    isNarrowed: isNarrowedBy(filters, search),
    change,
    reset: () => change(Object.fromEntries(filters.map((filter) => [filter, undefined]))),
    goToPage: (to) => change({ page: to === 1 ? undefined : to }),
    chooseSize(chosen) {
      rememberPageSize(name, chosen)
      change({ size: chosen })
    },
  }
}

export function isNarrowedBy<Search>(filters: readonly (keyof Search)[], search: Search): boolean {
  return filters.some((filter) => search[filter] !== undefined)
}
