import { Skeleton } from '@mantine/core'
import type { ProjectRoom, RoomDatabase } from '@roomkeeper/contract'
import { whyNotChangeDatabases } from '@roomkeeper/rules'
import { IconDatabaseExport, IconRestore, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { textOf } from '#api/text-of-error.ts'
import { formatBytes } from '#ui/format-bytes.ts'
import { formatMoment } from '#ui/format-moment.ts'
import { IconAction } from '#ui/IconAction.tsx'
import { LoadFailure } from '#ui/LoadFailure.tsx'
import { Panel } from '#ui/Panel.tsx'
import classes from '#ui/Table.module.css'
import { databasesQuery } from './queries.ts'
import { useBackUpDatabase, useDatabaseChange } from './use-database-change.ts'

/** The databases of a room and what can be done with each. For administrators only. */
export function DatabasesPanel({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation('databases')
  const refetchInterval = usePollInterval()
  const { data, error, isPending, refetch } = useQuery({ ...databasesQuery(room), refetchInterval })
  return (
    <Panel title={t('title')} hint={t('hint')}>
      {error !== null && <LoadFailure title={t('loadFailed')} text={textOf(error)} onAgain={() => void refetch()} />}
      {isPending && <Skeleton height={108} />}
      {data !== undefined && <DatabasesTable room={room} databases={data} />}
    </Panel>
  )
}

interface DatabasesTableProps {
  room: ProjectRoom
  databases: readonly RoomDatabase[]
}

function DatabasesTable({ room, databases }: DatabasesTableProps) {
  const { t } = useTranslation('databases')
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={t('title')}>
        <thead>
          <tr>
            <th scope="col">{t('columns.databaseName')}</th>
            <th scope="col" className={classes.right}>
              {t('columns.size')}
            </th>
            <th scope="col">{t('columns.createdAt')}</th>
            <th scope="col">{t('columns.backupAt')}</th>
            <th scope="col" className={classes.right}>
              {t('columns.actions')}
            </th>
          </tr>
        </thead>
        <tbody>
          {databases.map((database) => (
            <DatabaseRow key={database.databaseName} room={room} database={database} />
          ))}
        </tbody>
      </table>
      {databases.length === 0 && <p>{t('none')}</p>}
    </div>
  )
}

interface DatabaseRowProps {
  room: ProjectRoom
  database: RoomDatabase
}

function DatabaseRow({ room, database }: DatabaseRowProps) {
  const { t, i18n } = useTranslation(['databases', 'rooms'])
  const reason = whyNotChangeDatabases(room, useOperator().role)
  const why = reason === null ? null : t(`rooms:reasons.${reason}`)
  const backUp = useBackUpDatabase(room.tenantName)
  const change = useDatabaseChange(room)
  const { databaseName: name, size, createdAt, backupAt } = database
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className={`${classes.right} ${classes.noWrap}`}>{formatBytes(size, i18n.language)}</td>
      <td className={classes.noWrap}>{formatMoment(createdAt)}</td>
      <td className={classes.noWrap}>{backupAt === null ? t('never') : formatMoment(backupAt)}</td>
      <td className={`${classes.right} ${classes.noWrap}`}>
        <IconAction
          label={t('backup.label', { name })}
          icon={IconDatabaseExport}
          why={why}
          isBusy={backUp.isPending}
          onClick={() => backUp.mutate(name)}
        />
        <IconAction
          label={t('restore.label', { name })}
          icon={IconRestore}
          why={why ?? (backupAt === null ? t('restore.noBackup') : null)}
          onClick={() => void change('restore', database)}
        />
        <IconAction
          label={t('delete.label', { name })}
          icon={IconTrash}
          why={why}
          onClick={() => void change('delete', database)}
        />
      </td>
    </tr>
  )
}
