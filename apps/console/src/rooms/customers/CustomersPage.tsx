import { type Customer, licenceTotalKeys } from '@roomkeeper/contract'
import { IconBuilding } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { loadStateOf } from '#api/queries.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ListPage, PagedTable } from '#ui/ListPage.tsx'
import type { Column } from '#ui/table/column.ts'
import { usePagedSearch } from '#ui/use-paged-search.ts'
import { Expiry } from '../Expiry.tsx'
import { useRoomWords } from '../room-words.tsx'
import { customersQuery, useLiveCustomers } from './queries.ts'
import { RoomStates } from './RoomStates.tsx'

/** The companies of project rooms. */
export function CustomersPage() {
  const { t } = useTranslation('room-customers')
  const list = usePagedSearch('/project/_signed-in/customers/', { name: 'customers', filters: ['search'] })
  const { search = '', sort = 'name', dir = sort === 'name' ? 'asc' : 'desc' } = list.search
  const refetchInterval = useLiveCustomers()
  const wanted = { ...list.wanted, search, order_by: sort, order_dir: dir }
  const query = useQuery({ ...customersQuery(wanted), refetchInterval })
  return (
    <ListPage title={t('title')} hint={t('hint')} onRefresh={query.refetch}>
      <PagedTable
        label={t('title')}
        list={list}
        found={query.data}
        columns={useColumns()}
        narrower={narrower}
        rowId={({ key }) => key}
        sort={{ by: sort, dir }}
        onSort={(by, to) => list.change({ sort: by, dir: to })}
        load={loadStateOf(query, t('failed'))}
        filter={{ search: t('search') }}
        none={{ icon: IconBuilding, title: t('none'), text: t('noneText') }}
        noMatch={{ title: t('noMatch'), text: t('noMatchText') }}
      />
    </ListPage>
  )
}

const narrower = [[], ['licences'], ['licences', 'nextExpiry']]

type SortedBy = 'name' | 'rooms'

function useColumns(): Column<Customer, SortedBy | 'states' | 'nextExpiry' | 'licences'>[] {
  const { t } = useTranslation(['room-customers', 'rooms'])
  const words = useRoomWords()
  const number = useNumberFormat()
  const licencesOf = ({ licences }: Customer) =>
    licenceTotalKeys
      .filter((key) => licences[key] > 0)
      .map((key) => t('licence', { n: number.format(licences[key]), licence: t(`rooms:totals.${key}`) }))
      .join(', ')
  return [
    {
      id: 'name',
      title: t('columns.name'),
      isName: true,
      isSortable: true,
      size: { share: 3, atLeast: 160 },
      cell: ({ key, name }) => (
        <Link to="/project/customers/$key" params={{ key }}>
          {name}
        </Link>
      ),
    },
    {
      id: 'rooms',
      title: t('columns.rooms'),
      isSortable: true,
      align: 'end',
      text: 'whole',
      size: 116,
      cell: ({ rooms }) => number.format(rooms),
    },
    {
      id: 'states',
      title: t('columns.states'),
      text: 'wrapped',
      size: { share: 4, atLeast: 150 },
      cell: ({ states }) => <RoomStates states={states} />,
    },
    {
      id: 'nextExpiry',
      title: t('columns.nextExpiry'),
      text: 'whole',
      size: 190,
      cell: ({ nextExpiry }) => <Expiry day={nextExpiry} words={words} />,
    },
    { id: 'licences', title: t('columns.licences'), size: { share: 4, atLeast: 140 }, cell: licencesOf },
  ]
}
