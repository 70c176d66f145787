import { IconActivity, IconRefresh } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadStateOf } from '#api/queries.ts'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState, NoMatch } from '#ui/EmptyState.tsx'
import { Toolbar, ToolbarButton } from '#ui/Toolbar.tsx'
import { pagesOf } from '#ui/table/Pager.tsx'
import { SearchField } from '#ui/table/SearchField.tsx'
import { LogsDialog } from './LogsDialog.tsx'
import { MonitoringTable } from './MonitoringTable.tsx'
import { firstSearch, monitoringSize, useMonitoring } from './use-monitoring.ts'

/** Background processes, running and ended, and the log of each. */
export function MonitoringTab() {
  const { t } = useTranslation('monitoring')
  const [search, setSearch] = useState(firstSearch)
  const searchRef = useRef<HTMLInputElement>(null)
  const query = useMonitoring(search)
  const { data, isFetching, isPlaceholderData, refetch } = query
  return (
    <>
      <Toolbar>
        <SearchField
          inputRef={searchRef}
          label={t('search')}
          clearLabel={t('clear')}
          text={search.text}
          onText={(text) => setSearch({ ...search, text, page: 1 })}
        />
        <ToolbarButton
          icon={IconRefresh}
          loading={isFetching && data !== undefined && !isPlaceholderData}
          onClick={() => void refetch()}
        >
          {t('refresh')}
        </ToolbarButton>
      </Toolbar>
      <MonitoringTable
        entries={data?.data}
        sort={search.sort}
        onSort={(sort) => setSearch({ ...search, sort, page: 1 })}
        onLogs={(entry) => openDialog(<LogsDialog entry={entry} />)}
        load={loadStateOf(query, t('loadFailed'))}
        empty={<NoEntries isSearch={search.text !== ''} onReset={() => setSearch({ ...search, text: '', page: 1 })} />}
        pages={pagesOf(data, {
          page: search.page,
          size: monitoringSize,
          onPage: (page) => setSearch({ ...search, page }),
        })}
      />
    </>
  )
}

function NoEntries({ isSearch, onReset }: { isSearch: boolean; onReset: () => void }) {
  const { t } = useTranslation('monitoring')
  if (!isSearch) return <EmptyState icon={IconActivity} title={t('none.title')} text={t('none.text')} />
  return (
    <NoMatch
      size="xs"
      title={t('noMatch.title')}
      text={t('noMatch.text')}
      reset={t('noMatch.reset')}
      onReset={onReset}
    />
  )
}
