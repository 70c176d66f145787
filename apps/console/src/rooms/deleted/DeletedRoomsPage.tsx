import { SegmentedControl } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { keepDaysQuery } from '#api/queries.ts'
import { ListFilter, ListPage } from '#ui/ListPage.tsx'
import { usePagedSearch } from '#ui/use-paged-search.ts'
import { DeletedTable, deletedRoomsQuery } from './DeletedTable.tsx'
import { PurgedTable, purgedRoomsQuery } from './PurgedTable.tsx'

/** Deleted rooms, to bring back or to purge, and the certificates of purged rooms. For administrators only. */
export function DeletedRoomsPage() {
  // Also what the rows need, so that the first ones do not take the page, and the focus, away for a moment.
  const { t } = useTranslation(['deleted', 'rooms', 'backups'])
  const queryClient = useQueryClient()
  // Deletions, restores and purges are operations, so their events say when to refetch.
  useRefetchOnEvents(['deleted-rooms'], ({ type }) => type === 'operation')
  const list = usePagedSearch('/project/_signed-in/deleted', { name: 'deleted-rooms', filters: ['search'] })
  const { search = '', purged: isPurged = false } = list.search
  const kept = useQuery({ ...deletedRoomsQuery({ ...list.wanted, search }), enabled: !isPurged })
  const purged = useQuery({ ...purgedRoomsQuery({ ...list.wanted, search }), enabled: isPurged })
  return (
    <ListPage
      title={t('title')}
      hint={isPurged ? t('hintPurged') : <Hint />}
      onRefresh={() => queryClient.invalidateQueries({ queryKey: ['deleted-rooms'] })}
    >
      <ListFilter
        list={list}
        isOutdated={(isPurged ? purged : kept).isPlaceholderData}
        search={t('search')}
        more={
          <SegmentedControl
            size="xs"
            aria-label={t('show')}
            value={isPurged ? 'purged' : 'kept'}
            onChange={(value) => list.change({ purged: value === 'purged' ? true : undefined })}
            data={[
              { value: 'kept', label: t('kept') },
              { value: 'purged', label: t('purged') },
            ]}
          />
        }
      />
      {isPurged ? <PurgedTable list={list} query={purged} /> : <DeletedTable list={list} query={kept} />}
    </ListPage>
  )
}

function Hint() {
  const { t } = useTranslation('deleted')
  const { data: days } = useQuery(keepDaysQuery)
  if (days === undefined) return null
  return days === 0 ? t('hintOff') : t('hint', { count: days })
}
