import { Button, Skeleton } from '@mantine/core'
import { IconActivity, IconPlugConnectedX, IconRefresh, IconSearchOff } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Toolbar } from '#ui/Toolbar.tsx'
import { TryAgain } from '#ui/TryAgain.tsx'
import { DialogPager } from '#ui/table/DialogPager.tsx'
import { SearchField } from '#ui/table/SearchField.tsx'
import { LogsDialog } from './LogsDialog.tsx'
import { MonitoringTable } from './MonitoringTable.tsx'
import { firstSearch, monitoringSize } from './monitoring-search.ts'
import { useMonitoring } from './use-monitoring.ts'

const icon = { size: 36, stroke: 1.3, 'aria-hidden': true } as const

/** Background processes, running and ended, and the log of each. */
export function MonitoringTab() {
  const { t } = useTranslation('monitoring')
  const [search, setSearch] = useState(firstSearch)
  const searchRef = useRef<HTMLInputElement>(null)
  const { data, error, isFetching, isPlaceholderData, refetch } = useMonitoring(search)
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
      {error !== null && data === undefined && (
        <EmptyState
          isError
          icon={<IconPlugConnectedX {...icon} />}
          title={t('loadFailed')}
          text={textOf(error)}
          action={<TryAgain onClick={() => void refetch()} />}
        />
      )}
      {error === null && data === undefined && <Skeleton height={396} />}
      {data?.totalElements === 0 && search.text === '' && (
        <EmptyState icon={<IconActivity {...icon} />} title={t('none.title')} text={t('none.text')} />
      )}
      {data?.totalElements === 0 && search.text !== '' && (
        <EmptyState
          icon={<IconSearchOff {...icon} />}
          title={t('noMatch.title')}
          text={t('noMatch.text')}
          action={
            <Button size="xs" variant="default" onClick={() => setSearch({ ...search, text: '', page: 1 })}>
              {t('noMatch.reset')}
            </Button>
          }
        />
      )}
      {data !== undefined && data.totalElements > 0 && (
        <>
          <MonitoringTable
            entries={data.data}
            sort={search.sort}
            isOutdated={isPlaceholderData}
            onSort={(sort) => setSearch({ ...search, sort, page: 1 })}
            onLogs={(entry) => openDialog(<LogsDialog entry={entry} />)}
          />
          <DialogPager
            page={search.page}
            size={monitoringSize}
            totalElements={data.totalElements}
            totalPages={data.totalPages}
            onPage={(page) => setSearch({ ...search, page })}
          />
        </>
      )}
    </>
  )
}
