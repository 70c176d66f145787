import { Button } from '@mantine/core'
import type { MonitoringEntry } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/regions.ts'
import { formatMoment } from '#ui/format-moment.ts'
import tableClasses from '#ui/Table.module.css'
import { ThinProgress } from '#ui/ThinProgress.tsx'
import { SortHeader } from '#ui/table/SortHeader.tsx'
import classes from './Monitoring.module.css'
import type { MonitoringSearch } from './monitoring-search.ts'
import { ProcessStateIcon } from './ProcessStateIcon.tsx'

const columns = ['projectRoomName', 'region', 'processType', 'executionTime'] as const

interface MonitoringTableProps {
  entries: readonly MonitoringEntry[]
  sort: MonitoringSearch['sort']
  /** Other rows are on their way; these stay until then, dimmed. */
  isOutdated: boolean
  onSort: (sort: MonitoringSearch['sort']) => void
  onLogs: (entry: MonitoringEntry) => void
}

export function MonitoringTable({ entries, sort, isOutdated, onSort, onLogs }: MonitoringTableProps) {
  const { t } = useTranslation('monitoring')
  const regionName = useRegionNames()
  return (
    <div className={tableClasses.scroll}>
      <table
        className={`${tableClasses.table} ${classes.table}`}
        aria-label={t('title')}
        aria-busy={isOutdated}
        data-outdated={isOutdated || undefined}
      >
        <thead>
          <tr>
            {columns.map((by) => (
              <SortHeader
                key={by}
                label={t(`columns.${by}`)}
                dir={sort.by === by ? sort.dir : null}
                onSort={(dir) => onSort({ by, dir })}
              />
            ))}
            <th scope="col" className={tableClasses.right}>
              {t('columns.logs')}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id} data-state={entry.state}>
              <th scope="row">{entry.projectRoomName === '' ? t('all') : entry.projectRoomName}</th>
              <td>{regionName(entry.region)}</td>
              <td>
                <Process entry={entry} />
              </td>
              <td className={tableClasses.noWrap}>{formatMoment(entry.executionTime)}</td>
              <td className={tableClasses.right}>
                <Button size="compact-xs" variant="default" onClick={() => onLogs(entry)}>
                  {t('logs')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Process({ entry: { processType, state, progress, projectRoomName } }: { entry: MonitoringEntry }) {
  return (
    <div className={classes.process}>
      <ProcessStateIcon state={state} />
      <span>{processType}</span>
      {state === 'running' && (
        <span className={classes.progress}>
          <ThinProgress value={progress} label={`${processType} ${projectRoomName}`} />
        </span>
      )}
    </div>
  )
}

/** @returns a region's name by its id; one that is gone is undefined. */
function useRegionNames(): (id: number | null) => string {
  const { t } = useTranslation('monitoring')
  const { data } = useQuery(regionsQuery)
  return (id) => {
    if (id === null) return t('noRegion')
    if (data === undefined) return ''
    return data.find((each) => each.regionId === id)?.regionName ?? t('undefinedRegion')
  }
}
