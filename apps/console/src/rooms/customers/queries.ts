import type { QueryGiven, Routes } from '@roomkeeper/contract'
import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { usePollInterval } from '#api/events.ts'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { apiQuery } from '#api/queries.ts'

export function customersQuery(query: QueryGiven<Routes['customers']>) {
  return {
    ...apiQuery(['customers', 'list', query], 'customers', { query }, { background: 'refetch-of-similar' }),
    placeholderData: keepPreviousData,
  }
}

export function customerQuery(key: string) {
  return apiQuery(['customers', 'one', key], 'customer', { params: { key } }, { background: 'refetch' })
}

/** Any room may be one of a customer's. @returns how often queries of customers should poll */
export function useLiveCustomers(): number | false {
  useRefetchOnEvents(['customers'], ({ type }) => type === 'room' || type === 'region' || type === 'customers')
  return usePollInterval()
}

/** After a merge, which also changes what lists are filtered by. */
export function refetchCustomers(queryClient: QueryClient): Promise<unknown> {
  return Promise.all([['customers'], ['rooms']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
