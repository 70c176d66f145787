import { Box, Skeleton } from '@mantine/core'
import type { LiveMigration, MigrationStateEntry } from '@roomkeeper/contract'
import { whyNotForceDelete } from '@roomkeeper/rules'
import { IconHistory, IconTrash, IconTrashX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { loadStateOf } from '#api/queries.ts'
import { textOf } from '#locales/error-texts.ts'
import { FailureText, LatestLines, LineText } from '#operations/index.ts'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { openDialog, useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { formatMoment } from '#ui/format.ts'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { Toolbar, ToolbarButton } from '#ui/Toolbar.tsx'
import { usePages } from '#ui/table/paging.ts'
import { useSelection } from '#ui/table/row-selection.tsx'
import { toastWarning } from '#ui/toast.ts'
import { ForceDeleteDialog } from './ForceDeleteDialog.tsx'
import { stateLogsQuery, statesQuery, useMigrationName, useShownMigration } from './queries.ts'
import { RunProgress } from './RunProgress.tsx'
import { StatesTable } from './StatesTable.tsx'
import { useStateQuestions } from './use-migration-questions.ts'

/** The state entries of a configuration, and the progress of its newest run. */
export function StateDialog({ migration: opened }: { migration: LiveMigration }) {
  const { t } = useTranslation('migrations')
  const migration = useShownMigration(opened)
  return (
    <Dialog title={t('state.title', { name: useMigrationName()(migration) })} width="wide">
      <States migration={migration} />
    </Dialog>
  )
}

const pageSize = 10
const noEntries: readonly MigrationStateEntry[] = []
const idOf = ({ id }: MigrationStateEntry) => id

function States({ migration }: { migration: LiveMigration }) {
  const { t } = useTranslation('migrations')
  const close = useCloseDialog()
  const query = useQuery(statesQuery(migration.id))
  const entries = query.data ?? noEntries
  const selection = useSelection(entries, idOf)
  const pages = usePages(query.data, pageSize)
  const { deleteStates } = useStateQuestions(migration)
  const forceDelete = () => {
    const why = whyNotForceDelete(migration)
    if (why === null) openDialog(<ForceDeleteDialog migration={migration} chosen={namesOf(selection.rows)} />)
    else toastWarning(t('state.forceDelete'), t(`reasons.${why}`))
  }
  const deleteEntries = () => {
    if (selection.rows.length > 0) void deleteStates(selection.rows)
    else toastWarning(t('state.delete'), t('state.selectOne'))
  }
  return (
    <>
      <Toolbar>
        <ToolbarButton icon={IconTrash} onClick={deleteEntries}>
          {t('state.delete')}
        </ToolbarButton>
        <ToolbarButton icon={IconTrashX} onClick={forceDelete}>
          {t('state.forceDelete')}
        </ToolbarButton>
      </Toolbar>
      <StatesTable
        pages={pages}
        rowId={idOf}
        selection={selection}
        load={loadStateOf(query, t('state.loadFailed'))}
        empty={<EmptyState icon={IconHistory} title={t('state.none')} text={t('state.noneText')} />}
        onLogs={(entry) => openDialog(<StateLogsDialog entry={entry} onLeave={close} />)}
      />
      <RunProgress migration={migration} order={3} onLeave={close} />
    </>
  )
}

function namesOf(entries: readonly MigrationStateEntry[]): string[] {
  return entries.map(({ projectRoomName }) => projectRoomName)
}

interface StateLogsProps {
  entry: MigrationStateEntry
  /** Called when a link leads to a region's settings: closes this dialog and the one below. */
  onLeave: () => void
}

/** The log of a room's migration, and why it failed. */
function StateLogsDialog({ entry, onLeave }: StateLogsProps) {
  const { t } = useTranslation('migrations')
  return (
    <Dialog title={t('state.logsOf', { name: entry.projectRoomName })} width="wide" closesOutside>
      <StateLogs entry={entry} onLeave={onLeave} />
    </Dialog>
  )
}

function StateLogs({ entry: { id }, onLeave }: StateLogsProps) {
  const { t } = useTranslation('migrations')
  const { data, error, refetch } = useQuery(stateLogsQuery(id))
  if (data === undefined) {
    if (error === null) return <Skeleton height={220} />
    return <LoadFailure title={t('state.logsFailed')} text={textOf(error)} onAgain={() => void refetch()} />
  }
  return (
    <>
      {data.errorInfo !== '' && (
        <Text name={t('state.error')} isError>
          <FailureText reasons={data.errorReasons} text={data.errorInfo} onLeave={onLeave} />
        </Text>
      )}
      {data.logInfo === '' ? (
        <p>{t('state.noLog')}</p>
      ) : (
        <Text name={t('state.log')}>
          {data.lines.length > 0 ? (
            <LatestLines lines={data.lines}>
              {(line) => (
                <Fragment key={line.n}>
                  {formatMoment(line.at)} {t(`state.levels.${line.level}`)} <LineText line={line} onLeave={onLeave} />
                  {'\n'}
                </Fragment>
              )}
            </LatestLines>
          ) : (
            withLocalTimes(data.logInfo)
          )}
        </Text>
      )}
    </>
  )
}

const utcTime = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g

/** The server writes this log as one text, with times in UTC; tables show the time zone of the browser. */
function withLocalTimes(log: string): string {
  return log.replace(utcTime, (time) => formatMoment(time))
}

function Text({ name, isError = false, children }: { name: string; isError?: boolean; children: ReactNode }) {
  return (
    <Box
      component="section"
      className={`rk-code ${isError ? 'rk-bad' : ''}`}
      bd={isError ? '1px solid var(--rk-bad)' : undefined}
      mah="40dvh"
      mb="sm"
      aria-label={name}
      tabIndex={0}
    >
      {children}
    </Box>
  )
}
