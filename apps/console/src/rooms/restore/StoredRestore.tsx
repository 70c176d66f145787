import { Radio } from '@mantine/core'
import type { RoomBackup } from '@roomkeeper/contract'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { apiQuery, loadStateOf } from '#api/queries.ts'
import { Verified } from '#backups/index.ts'
import { formatBytes, formatMoment } from '#ui/format.ts'
import type { Column } from '#ui/table/column.ts'
import { NotLoaded } from '#ui/table/NotLoaded.tsx'
import { Table } from '#ui/table/Table.tsx'
import { type RestoreSourceProps, StartRestore, useRestore } from './StartRestore.tsx'

interface StoredRestoreProps extends RestoreSourceProps {
  /** The room's backups. */
  backups: UseQueryResult<RoomBackup[]>
  initialBackupId: string | undefined
}

/** Restores a backup that the console has stored. It is chosen from the list, inspected, and then restored. */
export function StoredRestore({ room, whyNot, onAccepted, backups, initialBackupId }: StoredRestoreProps) {
  const { t } = useTranslation(['restore', 'backups'])
  const [chosen, setChosen] = useState(initialBackupId ?? null)
  const usable = backups.data?.filter(({ isKnownBad }) => isKnownBad !== true) ?? []
  // It may be gone, or found to be bad, since it was chosen.
  const backupId = usable.find(({ id }) => id === chosen)?.id ?? null
  // A backup that is listed later does not take the focus.
  const [autoFocusId] = useState(backupId ?? usable[0]?.id)
  const contents = useQuery({ ...contentsQuery(backupId ?? ''), enabled: backupId !== null })
  const { tenantName } = room
  const restore = useRestore(
    tenantName,
    (body: { backupId: string; confirmOtherRoom: boolean }, headers) =>
      client.call('restoreRoom', { body: { projectRoom: { tenantName }, ...body }, headers }),
    onAccepted,
  )
  const choose = (id: string) => {
    setChosen(id)
    restore.reset()
  }
  const load = loadStateOf(contents, t('stored.failed'))
  return (
    <div className="rk-column">
      <Radio.Group value={backupId} onChange={choose} label={t('stored.which')}>
        <Table
          label={t('stored.which')}
          rows={backups.data}
          rowId={({ id }) => id}
          expectedRows={2}
          columns={useColumns({ isDisabled: restore.isPending, autoFocusId })}
          load={{ ...loadStateOf(backups, t('backups:loadFailed')), isOutdated: false }}
          orderKey={tenantName}
          empty={<p>{t('stored.none')}</p>}
        />
      </Radio.Group>
      {load.failure !== null && <NotLoaded {...load} />}
      <StartRestore
        room={room}
        whyNot={whyNot}
        backup={backupId === null ? null : (contents.data ?? null)}
        whyNone={backupId === null ? t('stored.chooseFirst') : (load.failure?.title ?? t('stored.reading'))}
        restore={restore}
        onStart={(confirmOtherRoom) => {
          if (backupId !== null) restore.mutate({ backupId, confirmOtherRoom })
        }}
      />
    </div>
  )
}

interface Choice {
  isDisabled: boolean
  autoFocusId: string | undefined
}

function useColumns({ isDisabled, autoFocusId }: Choice): Column<RoomBackup>[] {
  const { t, i18n } = useTranslation('backups')
  return [
    {
      id: 'createdAt',
      title: t('columns.createdAt'),
      isName: true,
      text: 'whole',
      cell: ({ id, createdAt, isKnownBad }) => (
        <Radio
          size="xs"
          value={id}
          // For the ring of the focus, which the table would cut.
          ml="2xs"
          label={formatMoment(createdAt)}
          disabled={isDisabled || isKnownBad === true}
          autoFocus={id === autoFocusId}
        />
      ),
    },
    {
      id: 'size',
      title: t('columns.size'),
      align: 'end',
      text: 'whole',
      cell: ({ size }) => formatBytes(size, i18n.language),
    },
    { id: 'policies', title: t('columns.policies'), cell: ({ policies = [] }) => policies.join(', ') || '–' },
    { id: 'verifiedAt', title: t('columns.verifiedAt'), cell: (backup) => <Verified {...backup} /> },
  ]
}

/** What a backup holds, which never changes. */
function contentsQuery(id: string) {
  const query = apiQuery(['rooms', 'backup-contents', id], 'inspectRoomBackup', { params: { id } })
  return { ...query, staleTime: Number.POSITIVE_INFINITY }
}
