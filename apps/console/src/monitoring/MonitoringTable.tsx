import { Box, Button, Tooltip } from '@mantine/core'
import type { MonitoringEntry, OperationState } from '@roomkeeper/contract'
import {
  IconArrowBackUp,
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconHelpCircle,
  IconLoader2,
  IconRotate,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import { FailureText, kindTitle, processName, targetNameAtStart } from '#operations/index.ts'
import { formatMoment } from '#ui/format.ts'
import { ThinProgress } from '#ui/ThinProgress.tsx'
import type { Column } from '#ui/table/column.ts'
import type { LoadState } from '#ui/table/NotLoaded.tsx'
import type { PagerProps } from '#ui/table/Pager.tsx'
import { Table } from '#ui/table/Table.tsx'
import classes from './Monitoring.module.css'
import type { MonitoringSearch } from './use-monitoring.ts'

type Sort = MonitoringSearch['sort']

interface MonitoringTableProps {
  entries: readonly MonitoringEntry[] | undefined
  sort: Sort
  onSort: (sort: Sort) => void
  onLogs: (entry: MonitoringEntry) => void
  load: LoadState
  empty: ReactNode
  pages: PagerProps | undefined
  orderKey: MonitoringSearch
}

export function MonitoringTable({ entries, onSort, onLogs, ...rest }: MonitoringTableProps) {
  const { t } = useTranslation(['monitoring', 'operations', 'titles'])
  const regionName = useRegionNames()
  const columns: Column<MonitoringEntry, Sort['by'] | 'logs'>[] = [
    {
      id: 'projectRoomName',
      title: t('columns.projectRoomName'),
      isName: true,
      isSortable: true,
      cell: ({ projectRoomName: name }) => (name === '' ? t('all') : targetNameAtStart(name)),
    },
    {
      id: 'region',
      title: t('columns.region'),
      isSortable: true,
      text: 'whole',
      cell: ({ region }) => regionName(region),
    },
    {
      id: 'processType',
      title: t('columns.processType'),
      isSortable: true,
      cell: (entry) => <Process entry={entry} />,
    },
    {
      id: 'executionTime',
      title: t('columns.executionTime'),
      isSortable: true,
      text: 'whole',
      cell: ({ executionTime }) => formatMoment(executionTime),
    },
    {
      id: 'logs',
      title: t('columns.logs'),
      isActions: true,
      cell: (entry) => (
        <Button size="compact-xs" variant="default" onClick={() => onLogs(entry)}>
          {t('logs')}
        </Button>
      ),
    },
  ]
  return (
    <Table
      label={t('title')}
      {...rest}
      columns={columns}
      rows={entries}
      rowId={({ id }) => id}
      expectedRows={10}
      onSort={(by, dir) => onSort({ by, dir })}
    />
  )
}

function Process({ entry }: { entry: MonitoringEntry }) {
  const { processType, state, progress, projectRoomName, errorText, errorReasons } = entry
  const name = processName(processType)
  // A step is called by its process.
  const title = entry.id === entry.operationId ? kindTitle(entry) : null
  const hasFailed = errorReasons.length > 0 || errorText !== null
  return (
    <div className={classes.process}>
      <ProcessStateIcon state={shownState(entry)} />
      <span>{name}</span>
      {title !== null && <span className="rk-note">{title}</span>}
      {hasFailed && (
        <span className={classes.why}>
          <FailureText reasons={errorReasons} text={errorText ?? ''} />
        </span>
      )}
      {state === 'running' && (
        <Box component="span" flex={1} miw={40} maw={120}>
          <ThinProgress value={progress} label={`${name} ${projectRoomName}`} />
        </Box>
      )}
    </div>
  )
}

/** @returns a function that gives a region's name by its id; a removed region is shown as undefined */
function useRegionNames(): (id: number | null) => string {
  const { t } = useTranslation('monitoring')
  const { data } = useQuery(regionsQuery)
  return (id) => {
    if (id === null) return t('noRegion')
    if (data === undefined) return ''
    return data.find((each) => each.regionId === id)?.regionName ?? t('undefinedRegion')
  }
}

const icons = {
  waiting: IconClock,
  running: IconLoader2,
  cancelling: IconRotate,
  done: IconCircleCheck,
  failed: IconCircleX,
  cancelled: IconBan,
  undone: IconArrowBackUp,
} as const satisfies Record<ShownState, unknown>

type ShownState = OperationState | 'undone'

/** A step that had ended before it was undone was not cancelled. */
export function shownState({
  state,
  isUndone,
  hasFailed,
}: Pick<MonitoringEntry, 'state' | 'isUndone' | 'hasFailed'>): ShownState {
  if (hasFailed) return 'failed'
  return isUndone ? 'undone' : state
}

/** Shows a process's state by shape and colour; the text of the state is the icon's name and tooltip. */
export function ProcessStateIcon({ state }: { state: ShownState }) {
  const { t } = useTranslation('monitoring')
  // A newer server may know more states.
  const Icon = icons[state] ?? IconHelpCircle
  const label = t(`states.${state}`, { defaultValue: state })
  return (
    <Tooltip label={label}>
      <Icon size={16} stroke={2} className="rk-state-icon" data-state={state} role="img" aria-label={label} />
    </Tooltip>
  )
}
