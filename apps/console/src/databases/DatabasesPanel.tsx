import type { ProjectRoom, RoomDatabase } from '@roomkeeper/contract'
import { whyNotChangeDatabases } from '@roomkeeper/rules'
import { IconDatabaseExport, IconRestore, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { usePollInterval } from '#api/events.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { loadStateOf } from '#api/queries.ts'
import { PinnedNotes } from '#notes/index.ts'
import { toastAccepted } from '#operations/index.ts'
import { IconAction } from '#ui/ActionButtons.tsx'
import { confirm } from '#ui/dialog/confirm.tsx'
import { formatBytes, formatMoment } from '#ui/format.ts'
import { Panel } from '#ui/Page.tsx'
import { isGivenUp, SlowQuery } from '#ui/SlowAnswer.tsx'
import type { Column } from '#ui/table/column.ts'
import { Table } from '#ui/table/Table.tsx'
import { databasesQuery } from './queries.ts'

/** The databases of a room and the actions on each. For administrators only. */
export function DatabasesPanel({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation('databases')
  const refetchInterval = usePollInterval()
  const databases = databasesQuery(room)
  const query = useQuery({ ...databases, refetchInterval })
  const columns = useColumns(room)
  return (
    <Panel title={t('title')} hint={t('hint')}>
      <SlowQuery query={query} queryKey={databases.queryKey} region={room.regionName} />
      {!isGivenUp(query) && (
        <Table
          label={t('title')}
          columns={columns}
          rows={query.data}
          rowId={({ databaseName }) => databaseName}
          orderKey={room.tenantName}
          expectedRows={2}
          // The list is asked for again when an operation begins or ends: its rows answer the same question.
          load={{ ...loadStateOf(query, t('loadFailed')), isOutdated: false }}
          empty={<p>{t('none')}</p>}
        />
      )}
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

/** Starts the backup of a database. There is no dialog, so a toast shows a failure. */
function useBackUpDatabase(projectRoomName: string) {
  const { t } = useTranslation('databases')
  const tellAccepted = useTellAccepted()
  return useMutation({
    mutationFn: (databaseName: string) => client.call('backupDatabase', { body: { projectRoomName, databaseName } }),
    onSuccess: ({ body }, name) => tellAccepted('backup', name, body.operationId),
    meta: { failed: t('backup.failed') },
  })
}

const routes = { restore: 'restoreDatabase', delete: 'deleteDatabase' } as const

/** @returns a function that restores or deletes a database after asking, because its content is lost */
function useDatabaseChange({ tenantName: room, pinnedNotes }: ProjectRoom) {
  const { t } = useTranslation('databases')
  const tellAccepted = useTellAccepted()
  return async (kind: keyof typeof routes, { databaseName: name, backupAt }: RoomDatabase) => {
    await confirm({
      title: t(`${kind}.title`, { name }),
      question: t(`${kind}.question`, { name, room }),
      consequence: t(`${kind}.consequence`, { at: backupAt === null ? '' : formatMoment(backupAt) }),
      details: <PinnedNotes mt="md" notes={pinnedNotes} />,
      confirm: t(`${kind}.confirm`),
      danger: true,
      failed: t(`${kind}.failed`),
      run: async () => {
        const { body } = await client.call(routes[kind], { body: { projectRoomName: room, databaseName: name } })
        void tellAccepted(kind, name, body.operationId)
      },
    })
  }
}

function useTellAccepted() {
  const { t } = useTranslation('databases')
  const queryClient = useQueryClient()
  return (kind: 'backup' | keyof typeof routes, name: string, operationId: string) => {
    toastAccepted(operationId, { title: t(`${kind}.title`, { name }), text: t('accepted') })
    return queryClient.invalidateQueries({ queryKey: ['rooms'] })
  }
}
