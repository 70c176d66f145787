import type { ProjectRoom, RoomDatabase } from '@roomkeeper/contract'
import { whyNotChangeDatabases } from '@roomkeeper/rules'
import { IconDatabaseExport, IconRestore, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { loadStateOf } from '#api/load-state.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { IconAction } from '#ui/ActionButtons.tsx'
import { formatBytes, formatMoment } from '#ui/format.ts'
import { Panel } from '#ui/Page.tsx'
import type { Column } from '#ui/table/column.ts'
import { Table } from '#ui/table/Table.tsx'
import { databasesQuery } from './queries.ts'
import { useBackUpDatabase, useDatabaseChange } from './use-database-change.ts'

/** The databases of a room and what can be done with each. For administrators only. */
export function DatabasesPanel({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation('databases')
  const refetchInterval = usePollInterval()
  const query = useQuery({ ...databasesQuery(room), refetchInterval })
  return (
    <Panel title={t('title')} hint={t('hint')}>
      <Table
        label={t('title')}
        columns={useColumns(room)}
        rows={query.data}
        rowId={({ databaseName }) => databaseName}
        expectedRows={2}
        load={loadStateOf(query, t('loadFailed'))}
        empty={<p>{t('none')}</p>}
      />
    </Panel>
  )
}

function useColumns(room: ProjectRoom): Column<RoomDatabase>[] {
  const { t, i18n } = useTranslation('databases')
  return [
    { id: 'databaseName', title: t('columns.databaseName'), isName: true, cell: ({ databaseName }) => databaseName },
    {
      id: 'size',
      title: t('columns.size'),
      align: 'end',
      text: 'whole',
      cell: ({ size }) => formatBytes(size, i18n.language),
    },
    { id: 'createdAt', title: t('columns.createdAt'), text: 'whole', cell: ({ createdAt }) => formatMoment(createdAt) },
    {
      id: 'backupAt',
      title: t('columns.backupAt'),
      text: 'whole',
      cell: ({ backupAt }) => (backupAt === null ? t('never') : formatMoment(backupAt)),
    },
    {
      id: 'actions',
      title: t('columns.actions'),
      isActions: true,
      cell: (database) => <DatabaseActions room={room} database={database} />,
    },
  ]
}

interface DatabaseActionsProps {
  room: ProjectRoom
  database: RoomDatabase
}

function DatabaseActions({ room, database }: DatabaseActionsProps) {
  const { t } = useTranslation(['databases', 'rooms'])
  const reason = whyNotChangeDatabases(room, useOperator().role)
  const why = reason === null ? null : t(`rooms:reasons.${reason}`)
  const backUp = useBackUpDatabase(room.tenantName)
  const change = useDatabaseChange(room)
  const { databaseName: name, backupAt } = database
  return (
    <>
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
    </>
  )
}
