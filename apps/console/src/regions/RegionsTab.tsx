import { Skeleton } from '@mantine/core'
import type { Region } from '@roomkeeper/contract'
import { IconPlugConnectedX, IconServer } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { liveMigrationsQuery } from '#api/live-migrations.ts'
import { regionsQuery } from '#api/regions.ts'
import { textOf } from '#api/text-of-error.ts'
import { RemovedBackupsDialog } from '#backups/RemovedBackupsDialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { TryAgain } from '#ui/TryAgain.tsx'
import { useSelection } from '#ui/table/use-selection.ts'
import { toastWarning } from '#ui/toast.ts'
import { DeleteRegionDialog } from './DeleteRegionDialog.tsx'
import { RegionDialog } from './RegionDialog.tsx'
import { RegionsTable } from './RegionsTable.tsx'
import { type RegionAction, RegionsToolbar } from './RegionsToolbar.tsx'
import { UpdateSystemDatabasesDialog } from './UpdateSystemDatabasesDialog.tsx'
import { useRegionState } from './use-region-state.ts'

const icon = { size: 36, stroke: 1.3, 'aria-hidden': true } as const

/** All regions, and what can be done with the one that is selected. */
export function RegionsTab() {
  const { t } = useTranslation('regions')
  const { data, error, refetch } = useQuery(regionsQuery)
  if (data !== undefined) return <Regions regions={data} />
  if (error === null) return <Skeleton height={180} />
  return (
    <EmptyState
      isError
      icon={<IconPlugConnectedX {...icon} />}
      title={t('loadFailed')}
      text={textOf(error)}
      action={<TryAgain onClick={() => void refetch()} />}
    />
  )
}

interface OpenDialog {
  action: 'new' | 'edit' | 'delete' | 'update' | 'updateAll' | 'removedBackups'
  region: Region | null
}

function Regions({ regions }: { regions: readonly Region[] }) {
  const { t } = useTranslation('regions')
  const selection = useSelection(regions, (each) => each.regionId)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const act = useRegionActions(selection.rows, setDialog)
  const close = () => setDialog(null)
  const shown = (action: OpenDialog['action']) => (dialog?.action === action ? dialog.region : null)
  return (
    <>
      <RegionsToolbar onAction={act.run} busy={act.busy} />
      {regions.length === 0 ? (
        <EmptyState icon={<IconServer {...icon} />} title={t('none.title')} text={t('none.text')} />
      ) : (
        <RegionsTable regions={regions} selection={selection} />
      )}
      <RegionDialog
        isOpen={dialog?.action === 'new' || dialog?.action === 'edit'}
        region={shown('edit')}
        onClose={close}
      />
      <DeleteRegionDialog region={shown('delete')} onClose={close} />
      <RemovedBackupsDialog isOpen={dialog?.action === 'removedBackups'} onClose={close} />
      <UpdateSystemDatabasesDialog scope={dialog?.action === 'updateAll' ? 'all' : shown('update')} onClose={close} />
    </>
  )
}

/** What a button does with the selected regions: a dialog, a change at once, or a warning that tells what to select. */
function useRegionActions(selected: readonly Region[], open: (dialog: OpenDialog) => void) {
  const { t } = useTranslation('regions')
  const changeState = useRegionState()
  const { data: migrations = [] } = useQuery(liveMigrationsQuery)
  const [region, ...others] = selected
  const run = (action: RegionAction) => {
    if (action === 'new' || action === 'updateAll' || action === 'removedBackups') return open({ action, region: null })
    if (region === undefined || others.length > 0) {
      return toastWarning(
        t('selectOne'),
        action === 'disable' || action === 'enable' ? t(`${action}.onlyOne`) : t('selectOne'),
      )
    }
    if (action === 'disable' || action === 'enable') return changeState.mutate({ region, action })
    const isPart = migrations.some((each) => [each.sourceRegion, each.targetRegion].includes(region.regionId))
    if (action === 'delete' && isPart) return toastWarning(t('delete.title'), t('delete.inMigration'))
    open({ action, region })
  }
  return { run, busy: changeState.isPending ? (changeState.variables?.action ?? null) : null }
}
