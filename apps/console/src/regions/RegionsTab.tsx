import { Text } from '@mantine/core'
import type { Region } from '@roomkeeper/contract'
import {
  IconAlertTriangle,
  IconArchive,
  IconBan,
  IconCircleCheck,
  IconDatabaseCog,
  IconPencil,
  IconPlayerPlay,
  IconPlus,
  IconServer,
  IconTrash,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { liveMigrationsQuery, loadStateOf, regionsQuery } from '#api/queries.ts'
import { RemovedBackupsDialog } from '#backups/index.ts'
import { ActionToolbar } from '#ui/ActionToolbar.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { useNumberFormat } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'
import { RegionHealth } from '#ui/RegionHealth.tsx'
import { NotLoaded } from '#ui/table/NotLoaded.tsx'
import { type Selection, useSelection } from '#ui/table/row-selection.tsx'
import { Table } from '#ui/table/Table.tsx'
import { toastWarning } from '#ui/toast.ts'
import { RegionDialog } from './RegionDialog.tsx'
import { useDeleteRegion, useDisableRegion, useRegionState, useUpdateSystemDatabases } from './use-region-changes.ts'

/** All regions, and the actions on the selected one. */
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
      <RegionsToolbar onAction={act.run} busy={act.busy} whyNot={act.whyNot} />
      <RegionsTable
        regions={regions}
        selection={selection}
        empty={<EmptyState icon={IconServer} title={t('none.title')} text={t('none.text')} />}
      />
    </>
  )
}

/** The action of each button: opens a dialog, changes the selected region, or warns unless exactly one is selected. */
function useRegionActions(selected: readonly Region[]) {
  const { t } = useTranslation('regions')
  const changeState = useRegionState()
  const deleteRegion = useDeleteRegion()
  const disableRegion = useDisableRegion()
  const updateSystemDatabases = useUpdateSystemDatabases()
  // Only what is loaded already, because fetching them clears warnings. The server refuses the deletion all the same.
  const { data: migrations = [] } = useQuery({ ...liveMigrationsQuery, enabled: false })
  const [region, ...others] = selected
  const runOnRegion = (action: 'edit' | 'delete' | 'disable' | 'enable' | 'update') => {
    const isState = action === 'disable' || action === 'enable'
    if (region === undefined || others.length > 0) {
      return toastWarning(t(`actions.${action}`), isState ? t(`${action}.onlyOne`) : t('selectOne'))
    }
    if (action === 'disable' && region.numberOfProjectRooms > 0) return disableRegion(region)
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
  /**
   * Gives a reason only when Disable or Enable would change nothing. In all other cases a click says what to select.
   */
  const whyNot = (action: RegionAction) => {
    if (action !== 'disable' && action !== 'enable') return null
    const isAlready = others.length === 0 && region?.state === (action === 'disable' ? 'disabled' : 'enabled')
    return isAlready ? t(`${action}.already`) : null
  }
  return { run, whyNot, busy: changeState.isPending ? (changeState.variables?.action ?? null) : null }
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
  /** The action whose request is in progress. */
  busy: RegionAction | null
  whyNot: (action: RegionAction) => string | null
  onAction: (action: RegionAction) => void
}

function RegionsToolbar(props: RegionsToolbarProps) {
  const { t } = useTranslation('regions')
  return <ActionToolbar {...props} icons={icons} label={(action) => t(`actions.${action}`)} primary="new" />
}

interface RegionsTableProps {
  regions: readonly Region[]
  selection: Selection<Region>
  empty: ReactNode
}

function RegionsTable({ regions, selection, empty }: RegionsTableProps) {
  const { t } = useTranslation('regions')
  return (
    <Table
      label={t('title')}
      rows={regions}
      rowId={({ regionId }) => regionId}
      empty={empty}
      orderKey="regions"
      selection={{
        ...selection,
        title: t('columns.select'),
        labelOf: ({ regionName: name }) => t('columns.selectOf', { name }),
      }}
      columns={[
        {
          id: 'name',
          title: t('columns.name'),
          isName: true,
          text: 'whole',
          cell: (region) => <RegionName region={region} />,
        },
        {
          id: 'url',
          title: t('columns.url'),
          cell: ({ regionIP }) => (
            <Text span inherit className="rk-text" c="var(--rk-quiet)">
              {regionIP}
            </Text>
          ),
        },
        {
          id: 'rooms',
          title: t('columns.rooms'),
          align: 'end',
          text: 'whole',
          cell: (region) => <RoomCount {...region} />,
        },
        { id: 'version', title: t('columns.version'), cell: ({ softwareVersion }) => softwareVersion ?? '–' },
        // Opening the list calls no region.
        { id: 'health', title: t('columns.health'), cell: (region) => <RegionHealth region={region} /> },
        { id: 'state', title: t('columns.state'), cell: ({ state }) => <RegionStatePill state={state} /> },
      ]}
    />
  )
}

function RegionName({ region: { regionName, warning } }: { region: Region }) {
  const { t } = useTranslation('regions')
  if (warning === null) return regionName
  const isOtherServer = warning === 'other-server'
  return (
    <>
      {regionName}
      <div>
        <Pill tone={isOtherServer ? 'bad' : 'warn'} icon={IconAlertTriangle} isSmall>
          {t(`warnings.${warning}`)}
        </Pill>
        {isOtherServer && <div className="rk-note">{t('hints.otherServerInList')}</div>}
      </div>
    </>
  )
}

function RoomCount({ numberOfProjectRooms, maxNumOfTenants }: Region) {
  const { t } = useTranslation('regions')
  const number = useNumberFormat()
  const rooms = number.format(numberOfProjectRooms)
  return maxNumOfTenants === -1 ? rooms : t('roomsOfLimit', { rooms, limit: number.format(maxNumOfTenants) })
}

function RegionStatePill({ state }: Pick<Region, 'state'>) {
  const { t } = useTranslation('regions')
  return <Pill {...looks[state]}>{t(`states.${state}`)}</Pill>
}

const looks = {
  enabled: { tone: 'good', icon: IconCircleCheck },
  disabled: { tone: 'quiet', icon: IconBan },
} as const
