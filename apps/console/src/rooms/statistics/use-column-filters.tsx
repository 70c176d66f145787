import { NativeSelect } from '@mantine/core'
import { editions, products, salesChannels } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import type { Column, OwnColumn } from '../list/search.ts'
import type { RoomLabels } from '../room-labels.ts'
import { type ColumnFilters, statuses } from './search.ts'

interface Dropdown {
  chosen: string | undefined
  options: readonly { value: string; label: string }[]
  /** Empty: all. */
  choose: (value: string) => void
}

/** Which of the values of a column are let through, to stand below its title. */
export function useColumnFilters(
  filters: ColumnFilters,
  labels: RoomLabels,
  onFilter: (change: ColumnFilters) => void,
): Partial<Record<Column, ReactNode>> {
  const { t } = useTranslation('statistics')
  const { data: regions = [] } = useQuery(regionsQuery)
  const dropdown = (column: OwnColumn, { chosen, options, choose }: Dropdown) => (
    <NativeSelect
      size="xs"
      aria-label={t('filterBy', { column: t(`columns.${column}`) })}
      data-active={chosen !== undefined || undefined}
      value={chosen ?? ''}
      data={[{ value: '', label: t('all') }, ...options]}
      onChange={({ currentTarget: { value } }) => choose(value)}
    />
  )
  return {
    product: dropdown('product', {
      chosen: filters.product,
      options: products.map((each) => ({ value: each, label: labels.product[each] })),
      choose: (value) => onFilter({ product: products.find((each) => each === value) }),
    }),
    edition: dropdown('edition', {
      chosen: filters.edition,
      options: editions.map((each) => ({ value: each, label: labels.edition[each] })),
      choose: (value) => onFilter({ edition: editions.find((each) => each === value) }),
    }),
    productType: dropdown('productType', {
      chosen: filters.channel,
      options: salesChannels.map((each) => ({ value: each, label: labels.channel[each] })),
      choose: (value) => onFilter({ channel: salesChannels.find((each) => each === value) }),
    }),
    regionName: dropdown('regionName', {
      chosen: filters.region === undefined ? undefined : String(filters.region),
      options: regions.map(({ regionId, regionName }) => ({ value: String(regionId), label: regionName })),
      choose: (value) => onFilter({ region: value === '' ? undefined : Number(value) }),
    }),
    state: dropdown('state', {
      chosen: filters.status,
      options: statuses.map((each) => ({ value: each, label: t(`statuses.${each}`) })),
      choose: (value) => onFilter({ status: statuses.find((each) => each === value) }),
    }),
  }
}
