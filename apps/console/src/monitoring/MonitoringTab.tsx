import { Skeleton } from '@mantine/core'
import type { MonitoringEntry } from '@roomkeeper/contract'
import { IconActivity, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadStateOf } from '#api/queries.ts'
import { textOf } from '#locales/error-texts.ts'
import {
  CancelOperation,
  FailureText,
  type LoggedOperation as Log,
  OperationLog,
  operationLogQuery,
  processName,
  RetryOperation,
  targetName,
  WaitingOperation,
} from '#operations/index.ts'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { openDialog, useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState, NoMatch } from '#ui/EmptyState.tsx'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { Toolbar, ToolbarButton } from '#ui/Toolbar.tsx'
import { pagesOf } from '#ui/table/paging.ts'
import { SearchField } from '#ui/table/SearchField.tsx'
import classes from './Monitoring.module.css'
import { MonitoringTable, ProcessStateIcon, shownState } from './MonitoringTable.tsx'
import { firstSearch, monitoringSize, useMonitoring } from './use-monitoring.ts'

/** Running and finished background processes, with the log of each. */
export function MonitoringTab() {
  // Also what rows and the search need, so that the first row does not take the search field away for a moment.
  const { t } = useTranslation(['monitoring', 'titles'])
  const [search, setSearch] = useState(firstSearch)
  const query = useMonitoring(search)
  const { data, isFetching, isPlaceholderData, refetch } = query
  return (
    <>
      <Toolbar>
        <SearchField
          label={t('search')}
          clearLabel={t('clear')}
          text={search.text}
          onText={(text = '') => setSearch({ ...search, text, page: 1 })}
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
        orderKey={search}
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
  return <NoMatch size="xs" title={t('noMatch.title')} text={t('noMatch.text')} onReset={onReset} />
}

/** The log of a process, updated while it runs, with Cancel or Retry. */
function LogsDialog({ entry }: { entry: MonitoringEntry }) {
  const { t } = useTranslation(['monitoring', 'operations'])
  const process = processName(entry.processType)
  const room = targetName(entry.projectRoomName)
  return (
    <Dialog title={t('logsOf', { process, room })} width="widest" closesOutside>
      <Logs entry={entry} />
    </Dialog>
  )
}

function Logs({ entry }: { entry: MonitoringEntry }) {
  const { t } = useTranslation('monitoring')
  const close = useCloseDialog()
  const { data, error, refetch } = useQuery(operationLogQuery(entry.id))
  if (data === undefined) {
    if (error === null) return <Skeleton height={320} />
    return <LoadFailure title={t('loadFailed')} text={textOf(error)} onAgain={() => void refetch()} />
  }
  return (
    <div className={classes.log}>
      <LogHead entry={entry} log={data} />
      <WaitingOperation operationId={entry.operationId} onLeave={close} />
      {data.errorText !== null && (
        <p className="rk-failure">
          <FailureText reasons={data.errorReasons} text={data.errorText} onLeave={close} />
        </p>
      )}
      <OperationLog operationId={entry.id} onLeave={close} />
      {data.state === 'failed' && (
        <RetryOperation
          operationId={entry.operationId}
          roomName={entry.projectRoomName}
          whyNot={data.whyNotRetry}
          onRetried={() => void refetch()}
        />
      )}
    </div>
  )
}

/** The state of the process, with Cancel while it can be cancelled. */
function LogHead({ entry, log }: { entry: MonitoringEntry; log: Log }) {
  const { t } = useTranslation('monitoring')
  const { state, steps } = log
  const shown = shownState(log)
  const running = steps.find((step) => step.state === 'running')?.id ?? null
  return (
    <div className="rk-row">
      <ProcessStateIcon state={shown} />
      <span>{t(`states.${shown}`)}</span>
      {(state === 'running' || state === 'waiting') && (
        <span className="rk-push">
          <CancelOperation operation={{ ...entry, stepId: running }} roomName={entry.projectRoomName} />
        </span>
      )}
    </div>
  )
}
