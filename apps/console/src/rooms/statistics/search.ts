/** What the statistics screen shows, as it stands in the URL. Loaded with the first page, so without the contract. */
import type { Edition, Product, SalesChannel } from '@roomkeeper/contract'
import { parseRoomsSearch, type RoomsSearch } from '../list/search.ts'

export const statuses = ['active', 'suspended'] as const
export type Status = (typeof statuses)[number]

/** What the dropdowns below the heads of the columns choose. Absent: all. */
export interface ColumnFilters {
  product?: Product | undefined
  edition?: Edition | undefined
  channel?: SalesChannel | undefined
  /** The region's id. */
  region?: number | undefined
  status?: Status | undefined
}

/** Absent means the default: first page, remembered size, names descending, everything, with charts. */
export interface StatisticsSearch extends Omit<RoomsSearch, 'hideFailed'>, ColumnFilters {
  charts?: 'off' | undefined
}

const products: Readonly<Record<Product, true>> = { ARIS: true, MINING: true, ENTERPRISE: true }
const editions: Readonly<Record<Edition, true>> = {
  basic: true,
  advanced: true,
  'advanced-base-extension': true,
  enterprise: true,
  'enterprise-shared': true,
}
const salesChannels: Readonly<Record<SalesChannel, true>> = { 'direct-sales': true, 'online-shop': true }

/** Reads what may be anything; what cannot be understood is left out. */
export function parseStatisticsSearch(given: Record<string, unknown>): StatisticsSearch {
  const { hideFailed: _, ...search } = parseRoomsSearch(given)
  const region = Number(given.region)
  return {
    ...search,
    ...chosen('product', namesOf(products), given.product),
    ...chosen('edition', namesOf(editions), given.edition),
    ...chosen('channel', namesOf(salesChannels), given.channel),
    ...(Number.isInteger(region) && region > 0 && region <= 2_147_483_647 ? { region } : {}),
    ...chosen('status', statuses, given.status),
    ...(given.charts === 'off' ? { charts: 'off' as const } : {}),
  }
}

function namesOf<Name extends string>(names: Readonly<Record<Name, true>>): Name[] {
  return Object.keys(names) as Name[]
}

function chosen<Key extends string, Value>(key: Key, values: readonly Value[], given: unknown): { [K in Key]?: Value } {
  const found = values.find((each) => each === given)
  return (found === undefined ? {} : { [key]: found }) as { [K in Key]?: Value }
}

/** Whether anything is left out that the screen could show. */
export function isFiltered({ q, product, edition, channel, region, status }: StatisticsSearch): boolean {
  return [q, product, edition, channel, region, status].some((each) => each !== undefined)
}

/** Everything again; order, rows per page and charts stay. */
export function withoutFilter({ size, sort, dir, charts }: StatisticsSearch): StatisticsSearch {
  return { size, sort, dir, charts }
}
