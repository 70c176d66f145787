import { SegmentedControl } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { keepDaysQuery } from '#api/queries.ts'
import { BackButton, Page } from '#ui/Page.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import { rememberedPageSize } from '#ui/table/Pager.tsx'
import { TableFilter } from '#ui/table/TableFilter.tsx'
import { defaultPageSize, pageSizes } from '#ui/url-search.ts'
import classes from './DeletedRooms.module.css'
import { DeletedTable } from './DeletedTable.tsx'
import { type DeletedSearch, tableId } from './deleted-search.ts'
import { PurgedTable } from './PurgedTable.tsx'
import { deletedRoomsQuery, purgedRoomsQuery } from './queries.ts'

interface DeletedRoomsPageProps {
  search: DeletedSearch
  onSearch: (search: DeletedSearch) => void
  onBack: () => void
}

/** Deleted rooms, to bring back or to purge, and the certificates of purged rooms. For administrators only. */
export function DeletedRoomsPage({ search, onSearch, onBack }: DeletedRoomsPageProps) {
  // Also what the rows need, so that the first ones do not take the page, and the focus, away for a moment.
  const { t } = useTranslation(['deleted', 'rooms', 'backups'])
  const queryClient = useQueryClient()
  // Deletions, restores and purges are operations, so their events say when to refetch.
  useRefetchOnEvents(['deleted-rooms'], ({ type }) => type === 'operation')
  const size = search.size ?? rememberedPageSize(tableId, pageSizes, defaultPageSize)
  const isPurged = search.purged === true
  const kept = useQuery({ ...deletedRoomsQuery({ ...search, size }), enabled: !isPurged })
  const purged = useQuery({ ...purgedRoomsQuery({ ...search, size }), enabled: isPurged })
  const table = { search, size, onSearch }
  const { isPlaceholderData: isOutdated } = isPurged ? purged : kept
  return (
    <Page
      title={t('title')}
      before={<BackButton onClick={onBack} />}
      actions={
        <ToolbarButton
          icon={IconRefresh}
          onClick={() => void queryClient.invalidateQueries({ queryKey: ['deleted-rooms'] })}
        >
          {t('refresh')}
        </ToolbarButton>
      }
    >
      <p className={classes.hint}>{isPurged ? t('hintPurged') : <Hint />}</p>
      <DeletedFilter search={search} isOutdated={isOutdated} onSearch={onSearch} />
      {isPurged ? <PurgedTable {...table} query={purged} /> : <DeletedTable {...table} query={kept} />}
    </Page>
  )
}

function Hint() {
  const { t } = useTranslation('deleted')
  const { data: days } = useQuery(keepDaysQuery)
  if (days === undefined) return null
  return days === 0 ? t('hintOff') : t('hint', { count: days })
}

interface DeletedFilterProps extends Pick<DeletedRoomsPageProps, 'search' | 'onSearch'> {
  isOutdated: boolean
}

function DeletedFilter({ search, isOutdated, onSearch }: DeletedFilterProps) {
  const { t } = useTranslation('deleted')
  const narrow = (change: DeletedSearch) => onSearch({ ...search, ...change, page: undefined })
  return (
    <TableFilter
      text={{ label: t('search'), text: search.search, isOutdated, onText: (text) => narrow({ search: text }) }}
      isNarrowed={search.search !== undefined}
      reset={t('reset')}
      onReset={() => narrow({ search: undefined })}
    >
      <SegmentedControl
        size="xs"
        aria-label={t('show')}
        value={search.purged === true ? 'purged' : 'kept'}
        onChange={(value) => narrow({ purged: value === 'purged' ? true : undefined })}
        data={[
          { value: 'kept', label: t('kept') },
          { value: 'purged', label: t('purged') },
        ]}
      />
    </TableFilter>
  )
}
