import { NativeSelect } from '@mantine/core'
import { editions, products, salesChannels } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/regions.ts'
import { type Column, columns } from '../list/search.ts'
import type { RoomLabels } from '../room-labels.ts'
import { type ColumnFilters, statuses } from './search.ts'

interface FilterRowProps {
  filters: ColumnFilters
  labels: RoomLabels
  onFilter: (change: ColumnFilters) => void
}

interface Dropdown {
  chosen: string | undefined
  options: readonly { value: string; label: string }[]
  /** Empty: all. */
  choose: (value: string) => void
}

/** Below the heads of the columns: which of their values are let through. */
export function FilterRow(props: FilterRowProps) {
  const { t } = useTranslation('statistics')
  const dropdowns = useDropdowns(props)
  return (
    <tr>
      {columns.map((column) => {
        const dropdown = dropdowns[column]
        return (
          <td key={column}>
            {dropdown !== undefined && (
              <NativeSelect
                size="xs"
                aria-label={t('filterBy', { column: t(`columns.${column}`) })}
                data-active={dropdown.chosen !== undefined || undefined}
                value={dropdown.chosen ?? ''}
                data={[{ value: '', label: t('all') }, ...dropdown.options]}
                onChange={({ currentTarget: { value } }) => dropdown.choose(value)}
              />
            )}
          </td>
        )
      })}
    </tr>
  )
}

function useDropdowns({ filters, labels, onFilter }: FilterRowProps): Partial<Record<Column, Dropdown>> {
  const { t } = useTranslation('statistics')
  const { data: regions = [] } = useQuery(regionsQuery)
  return {
    product: {
      chosen: filters.product,
      options: products.map((each) => ({ value: each, label: labels.product[each] })),
      choose: (value) => onFilter({ product: products.find((each) => each === value) }),
    },
    edition: {
      chosen: filters.edition,
      options: editions.map((each) => ({ value: each, label: labels.edition[each] })),
      choose: (value) => onFilter({ edition: editions.find((each) => each === value) }),
    },
    productType: {
      chosen: filters.channel,
      options: salesChannels.map((each) => ({ value: each, label: labels.channel[each] })),
      choose: (value) => onFilter({ channel: salesChannels.find((each) => each === value) }),
    },
    regionName: {
      chosen: filters.region === undefined ? undefined : String(filters.region),
      options: regions.map(({ regionId, regionName }) => ({ value: String(regionId), label: regionName })),
      choose: (value) => onFilter({ region: value === '' ? undefined : Number(value) }),
    },
    state: {
      chosen: filters.status,
      options: statuses.map((each) => ({ value: each, label: t(`statuses.${each}`) })),
      choose: (value) => onFilter({ status: statuses.find((each) => each === value) }),
    },
  }
}
