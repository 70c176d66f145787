import { Button } from '@mantine/core'
import { IconActivity, IconRefresh, IconSearchOff } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadStateOf } from '#api/load-state.ts'
import { Toolbar } from '#ui/ActionButtons.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
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
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={15} stroke={1.8} aria-hidden />}
          loading={isFetching && data !== undefined && !isPlaceholderData}
          onClick={() => void refetch()}
        >
          {t('refresh')}
        </Button>
      </Toolbar>
      <MonitoringTable
        entries={data?.data}
        sort={search.sort}
        onSort={(sort) => setSearch({ ...search, sort, page: 1 })}
        onLogs={(entry) => openDialog(<LogsDialog entry={entry} />)}
        load={loadStateOf(query, t('loadFailed'))}
        empty={<NoEntries isSearch={search.text !== ''} onReset={() => setSearch({ ...search, text: '', page: 1 })} />}
        pages={
          data && {
            page: search.page,
            size: monitoringSize,
            totalElements: data.totalElements,
            totalPages: data.totalPages,
            onPage: (page) => setSearch({ ...search, page }),
          }
        }
      />
    </>
  )
}

function NoEntries({ isSearch, onReset }: { isSearch: boolean; onReset: () => void }) {
  const { t } = useTranslation('monitoring')
  if (!isSearch) return <EmptyState icon={IconActivity} title={t('none.title')} text={t('none.text')} />
  return (
    <EmptyState
      icon={IconSearchOff}
      title={t('noMatch.title')}
      text={t('noMatch.text')}
      action={
        <Button size="xs" variant="default" onClick={onReset}>
          {t('noMatch.reset')}
        </Button>
      }
    />
  )
}
