import { Button, Skeleton } from '@mantine/core'
import type { LiveMigration, MigrationStateEntry } from '@roomkeeper/contract'
import { whyNotForceDelete } from '@roomkeeper/rules'
import { IconHistory, IconPlugConnectedX, IconTrash, IconTrashX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Toolbar } from '#ui/Toolbar.tsx'
import { TryAgain } from '#ui/TryAgain.tsx'
import { DialogPager } from '#ui/table/DialogPager.tsx'
import { usePages } from '#ui/table/use-pages.ts'
import { useSelection } from '#ui/table/use-selection.ts'
import { toastWarning } from '#ui/toast.ts'
import { useLastPresent } from '#ui/use-last-present.ts'
import { DeleteStatesDialog } from './DeleteStatesDialog.tsx'
import { ForceDeleteDialog } from './ForceDeleteDialog.tsx'
import { statesQuery } from './queries.ts'
import { RunProgress } from './RunProgress.tsx'
import { StateLogsDialog } from './StateLogsDialog.tsx'
import { StatesTable } from './StatesTable.tsx'
import { useMigrationName } from './use-migration-name.ts'

interface StateDialogProps {
  /** null keeps it closed. */
  migration: LiveMigration | null
  onClose: () => void
}

/** What became of the rooms of a configuration, and how far its newest run is. */
export function StateDialog({ migration, onClose }: StateDialogProps) {
  const { t } = useTranslation('migrations')
  const shown = useLastPresent(migration)
  const name = useMigrationName(migration)
  return (
    <Dialog isOpen={migration !== null} onClose={onClose} title={t('state.title', { name })} width="most">
      {shown !== null && <States migration={shown} />}
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
  const [shownLog, setShownLog] = useState<MigrationStateEntry | null>(null)
  const [dialog, setDialog] = useState<'delete' | 'force-delete' | null>(null)
  const forceDelete = () => {
    const why = whyNotForceDelete(migration)
    if (why === null) setDialog('force-delete')
    else toastWarning(t('state.forceDelete'), t(`reasons.${why}`))
  }
  const deleteEntries = () => {
    if (selection.rows.length > 0) setDialog('delete')
    else toastWarning(t('state.delete'), t('state.selectOne'))
  }
  const close = () => setDialog(null)
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
      {entries.length > 0 && <StatesTable entries={pages.rows} selection={selection} onLogs={setShownLog} />}
      {pages.totalPages > 1 && <DialogPager {...pages} />}
      <RunProgress migration={migration} heading="h3" />
      <StateLogsDialog entry={shownLog} onClose={() => setShownLog(null)} />
      <DeleteStatesDialog isOpen={dialog === 'delete'} migration={migration} entries={selection.rows} onClose={close} />
      <ForceDeleteDialog isOpen={dialog === 'force-delete'} migration={migration} entries={entries} onClose={close} />
    </>
  )
}
