import { Button, Skeleton } from '@mantine/core'
import type { LiveMigration, MigrationStateEntry } from '@roomkeeper/contract'
import { whyNotForceDelete } from '@roomkeeper/rules'
import { IconHistory, IconPlugConnectedX, IconTrash, IconTrashX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Toolbar } from '#ui/Toolbar.tsx'
import { TryAgain } from '#ui/TryAgain.tsx'
import { DialogPager } from '#ui/table/DialogPager.tsx'
import { usePages } from '#ui/table/use-pages.ts'
import { useSelection } from '#ui/table/use-selection.ts'
import { toastWarning } from '#ui/toast.ts'
import { ForceDeleteDialog } from './ForceDeleteDialog.tsx'
import { statesQuery } from './queries.ts'
import { RunProgress } from './RunProgress.tsx'
import { StateLogsDialog } from './StateLogsDialog.tsx'
import { StatesTable } from './StatesTable.tsx'
import { useStateQuestions } from './use-migration-questions.ts'
import { useMigrationName } from './use-region-names.ts'
import { useShownMigration } from './use-shown-migration.ts'

/** What became of the rooms of a configuration, and how far its newest run is. */
export function StateDialog({ migration: opened }: { migration: LiveMigration }) {
  const { t } = useTranslation('migrations')
  const migration = useShownMigration(opened)
  return (
    <Dialog title={t('state.title', { name: useMigrationName()(migration) })} width="most">
      <States migration={migration} />
    </Dialog>
  )
}

const icon = { size: 36, stroke: 1.3, 'aria-hidden': true } as const
const pageSize = 10
const noEntries: readonly MigrationStateEntry[] = []

function States({ migration }: { migration: LiveMigration }) {
  const { t } = useTranslation('migrations')
  const { data, error, refetch } = useQuery(statesQuery(migration.id))
  const entries = data ?? noEntries
  const selection = useSelection(entries, (each) => each.id)
  const pages = usePages(entries, pageSize)
  const { deleteStates } = useStateQuestions(migration)
  const forceDelete = () => {
    const why = whyNotForceDelete(migration)
    if (why === null) openDialog(<ForceDeleteDialog migration={migration} entries={entries} />)
    else toastWarning(t('state.forceDelete'), t(`reasons.${why}`))
  }
  const deleteEntries = () => {
    if (selection.rows.length > 0) void deleteStates(selection.rows)
    else toastWarning(t('state.delete'), t('state.selectOne'))
  }
  return (
    <>
      <Toolbar>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTrash size={15} stroke={1.8} aria-hidden />}
          onClick={deleteEntries}
        >
          {t('state.delete')}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTrashX size={15} stroke={1.8} aria-hidden />}
          onClick={forceDelete}
        >
          {t('state.forceDelete')}
        </Button>
      </Toolbar>
      {data === undefined && error === null && <Skeleton height={396} />}
      {data === undefined && error !== null && (
        <EmptyState
          isError
          icon={<IconPlugConnectedX {...icon} />}
          title={t('state.loadFailed')}
          text={textOf(error)}
          action={<TryAgain onClick={() => void refetch()} />}
        />
      )}
      {data?.length === 0 && (
        <EmptyState icon={<IconHistory {...icon} />} title={t('state.none')} text={t('state.noneText')} />
      )}
      {entries.length > 0 && (
        <StatesTable
          entries={pages.rows}
          selection={selection}
          onLogs={(entry) => openDialog(<StateLogsDialog entry={entry} />)}
        />
      )}
      {pages.totalPages > 1 && <DialogPager {...pages} />}
      <RunProgress migration={migration} heading="h3" />
    </>
  )
}
