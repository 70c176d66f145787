import { SegmentedControl } from '@mantine/core'
import { IconFilterOff, IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { keepDaysQuery } from '#api/queries.ts'
import { BackButton, Page } from '#ui/Page.tsx'
import { Toolbar, ToolbarButton } from '#ui/Toolbar.tsx'
import { rememberedPageSize } from '#ui/table/Pager.tsx'
import { SearchField } from '#ui/table/SearchField.tsx'
import { focusFirstRow } from '#ui/table/use-table-keys.ts'
import { defaultPageSize, pageSizes } from '#ui/url-search.ts'
import classes from './DeletedRooms.module.css'
import { DeletedTable } from './DeletedTable.tsx'
import { type DeletedSearch, tableId } from './deleted-search.ts'
import { PurgedTable } from './PurgedTable.tsx'

interface DeletedRoomsPageProps {
  search: DeletedSearch
  onSearch: (search: DeletedSearch) => void
  onBack: () => void
}

/** Deleted rooms, to bring back or to purge, and the certificates of those that were purged. For administrators only. */
export function DeletedRoomsPage({ search, onSearch, onBack }: DeletedRoomsPageProps) {
  // Also what the rows need, so that the first ones do not take the page, and the focus, away for a moment.
  const { t } = useTranslation(['deleted', 'rooms', 'backups'])
  const queryClient = useQueryClient()
  // Deletions, restores and purges are operations, so their events say when to refetch.
  useRefetchOnEvents(['deleted-rooms'], ({ type }) => type === 'operation')
  const size = search.size ?? rememberedPageSize(tableId, pageSizes, defaultPageSize)
  const table = { search, size, onSearch }
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
      <p className={classes.hint}>{search.purged === true ? t('hintPurged') : <Hint />}</p>
      <DeletedFilter search={search} onSearch={onSearch} />
      {search.purged === true ? <PurgedTable {...table} /> : <DeletedTable {...table} />}
    </Page>
  )
}

function Hint() {
  const { t } = useTranslation('deleted')
  const { data: days } = useQuery(keepDaysQuery)
  if (days === undefined) return null
  return days === 0 ? t('hintOff') : t('hint', { count: days })
}

function DeletedFilter({ search, onSearch }: Pick<DeletedRoomsPageProps, 'search' | 'onSearch'>) {
  const { t } = useTranslation('deleted')
  const input = useRef<HTMLInputElement>(null)
  const narrow = (change: DeletedSearch) => onSearch({ ...search, ...change, page: undefined })
  return (
    <search>
      <Toolbar>
        <SearchField
          inputRef={input}
          label={t('search')}
          clearLabel={t('reset')}
          text={search.search ?? ''}
          onText={(typed) => narrow({ search: typed === '' ? undefined : typed })}
          onLeave={focusFirstRow}
        />
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
        {search.search !== undefined && (
          <ToolbarButton icon={IconFilterOff} variant="subtle" onClick={() => narrow({ search: undefined })}>
            {t('reset')}
          </ToolbarButton>
        )}
      </Toolbar>
    </search>
  )
}
