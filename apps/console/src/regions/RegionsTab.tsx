import type { Region } from '@roomkeeper/contract'
import {
  IconArchive,
  IconBan,
  IconDatabaseCog,
  IconPencil,
  IconPlayerPlay,
  IconPlus,
  IconServer,
  IconTrash,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { liveMigrationsQuery, loadStateOf, regionsQuery } from '#api/queries.ts'
import { RemovedBackupsDialog } from '#backups/index.ts'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { ActionToolbar } from '#ui/Toolbar.tsx'
import { NotLoaded } from '#ui/table/NotLoaded.tsx'
import { useSelection } from '#ui/table/row-selection.tsx'
import { toastWarning } from '#ui/toast.ts'
import { RegionDialog } from './RegionDialog.tsx'
import { RegionsTable } from './RegionsTable.tsx'
import { useDeleteRegion, useRegionState, useUpdateSystemDatabases } from './use-region-changes.ts'

/** All regions, and what can be done with the one that is selected. */
export function RegionsTab() {
  const { t } = useTranslation('regions')
  const query = useQuery(regionsQuery)
  if (query.data === undefined) return <NotLoaded {...loadStateOf(query, t('loadFailed'))} />
  return <Regions regions={query.data} />
}

function Regions({ regions }: { regions: readonly Region[] }) {
  const { t } = useTranslation('regions')
  const selection = useSelection(regions, (each) => each.regionId)
  const act = useRegionActions(selection.rows)
  return (
    <>
      <RegionsToolbar onAction={act.run} busy={act.busy} />
      <RegionsTable
        regions={regions}
        selection={selection}
        empty={<EmptyState icon={IconServer} title={t('none.title')} text={t('none.text')} />}
      />
    </>
  )
}

/** What a button does with the selected regions: a dialog, a change at once, or a warning about what to select. */
function useRegionActions(selected: readonly Region[]) {
  const { t } = useTranslation('regions')
  const changeState = useRegionState()
  const deleteRegion = useDeleteRegion()
  const updateSystemDatabases = useUpdateSystemDatabases()
  const { data: migrations = [] } = useQuery(liveMigrationsQuery)
  const [region, ...others] = selected
  const runOnRegion = (action: 'edit' | 'delete' | 'disable' | 'enable' | 'update') => {
    const isState = action === 'disable' || action === 'enable'
    if (region === undefined || others.length > 0) {
      return toastWarning(t('selectOne'), isState ? t(`${action}.onlyOne`) : t('selectOne'))
    }
    if (isState) return changeState.mutate({ region, action })
    if (action === 'edit') return openDialog(<RegionDialog region={region} />)
    if (action === 'update') return updateSystemDatabases(region)
    const isPart = migrations.some((each) => [each.sourceRegion, each.targetRegion].includes(region.regionId))
    return isPart ? toastWarning(t('delete.title'), t('delete.inMigration')) : deleteRegion(region)
  }
  const run = (action: RegionAction) => {
    if (action === 'new') openDialog(<RegionDialog region={null} />)
    else if (action === 'removedBackups') openDialog(<RemovedBackupsDialog />)
    else if (action === 'updateAll') void updateSystemDatabases(null)
    else void runOnRegion(action)
  }
  return { run, busy: changeState.isPending ? (changeState.variables?.action ?? null) : null }
}

const icons = {
  new: IconPlus,
  edit: IconPencil,
  delete: IconTrash,
  disable: IconBan,
  enable: IconPlayerPlay,
  update: IconDatabaseCog,
  updateAll: IconDatabaseCog,
  removedBackups: IconArchive,
} as const
type RegionAction = keyof typeof icons

interface RegionsToolbarProps {
  /** The change that is being sent. */
  busy: RegionAction | null
  onAction: (action: RegionAction) => void
}

function RegionsToolbar({ busy, onAction }: RegionsToolbarProps) {
  const { t } = useTranslation('regions')
  return <ActionToolbar icons={icons} label={(action) => t(`actions.${action}`)} busy={busy} onAction={onAction} />
}
