import { Group } from '@mantine/core'
import type { DeletedRoom } from '@roomkeeper/contract'
import { IconAlertCircle, IconListDetails, IconProgress, IconRestore, IconTrash, IconTrashX } from '@tabler/icons-react'
import { keepPreviousData, type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { apiQuery, loadStateOf } from '#api/queries.ts'
import { Verified } from '#backups/index.ts'
import { OperationLog, toastAccepted } from '#operations/index.ts'
import { IconAction } from '#ui/ActionButtons.tsx'
import { confirm } from '#ui/dialog/confirm.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { formatBytes, formatDate, formatMoment } from '#ui/format.ts'
import { PagedTable } from '#ui/ListPage.tsx'
import { Pill } from '#ui/Pill.tsx'
import type { Column, RowContext } from '#ui/table/column.ts'
import type { PagedSearch } from '#ui/use-paged-search.ts'
import { useRoomWords } from '../room-words.tsx'
import { DeletedLink } from './DeletedLink.tsx'
import classes from './DeletedRooms.module.css'
import { RestoreDeletedDialog } from './RestoreDeletedDialog.tsx'

export type WantedRooms = PagedSearch['wanted'] & { search: string }

/** A page of deleted rooms, and how long they are kept. */
export function deletedRoomsQuery(query: WantedRooms) {
  return {
    ...apiQuery(['deleted-rooms', 'kept', query], 'deletedRooms', { query }, { background: 'always' }),
    placeholderData: keepPreviousData,
  }
}

export interface DeletedTableProps<Row> {
  query: UseQueryResult<{ data: Row[]; totalElements: number; totalPages: number }>
  list: PagedSearch
}

/** The rooms that can come back, those deleted last first. */
export function DeletedTable({ query, list }: DeletedTableProps<DeletedRoom>) {
  const { t } = useTranslation('deleted')
  return (
    <PagedTable
      label={t('title')}
      list={list}
      found={query.data}
      columns={useColumns()}
      rowId={({ id }) => id}
      details={({ operationId }) => operationId !== null && <OperationLog operationId={operationId} />}
      load={loadStateOf(query, t('failed'))}
      none={{ icon: IconTrash, title: t('none'), text: t('noneText') }}
      noMatch={{ title: t('noMatch'), text: t('noMatchText') }}
    />
  )
}

function useColumns(): Column<DeletedRoom>[] {
  const { t } = useTranslation('deleted')
  const words = useRoomWords()
  return [
    {
      id: 'name',
      title: t('columns.name'),
      isName: true,
      size: { share: 13, atLeast: 120 },
      cell: ({ projectRoomName }) => projectRoomName,
    },
    {
      id: 'customer',
      title: t('columns.customer'),
      isOnCard: true,
      size: { share: 16, atLeast: 110 },
      cell: ({ companyName, customerEmail }) => [companyName, customerEmail].filter(Boolean).join(', '),
    },
    {
      id: 'deletedAt',
      title: t('columns.deletedAt'),
      text: 'whole',
      size: 164,
      cell: ({ deletedAt }) => <time dateTime={deletedAt}>{formatMoment(deletedAt)}</time>,
    },
    {
      id: 'keptUntil',
      title: t('columns.keptUntil'),
      text: 'whole',
      isOnCard: true,
      size: 132,
      cell: (room) => <KeptUntil room={room} />,
    },
    {
      id: 'backup',
      title: t('columns.backup'),
      text: 'whole',
      size: 188,
      cell: ({ backup }) => <LastBackup backup={backup} />,
    },
    {
      id: 'product',
      title: t('columns.product'),
      text: 'whole',
      size: 99,
      cell: ({ product }) => words.product[product] ?? product,
    },
    {
      id: 'edition',
      title: t('columns.edition'),
      size: { share: 8, atLeast: 72 },
      cell: ({ edition }) => words.edition[edition] ?? edition,
    },
    {
      id: 'deletedBy',
      title: t('columns.deletedBy'),
      size: { share: 10, atLeast: 90 },
      cell: ({ deletedBy }) => deletedBy,
    },
    {
      id: 'actions',
      title: t('columns.actions'),
      isActions: true,
      size: 112,
      cell: (room, details) => <DeletedActions room={room} details={details} />,
    },
  ]
}

function LastBackup({ backup }: Pick<DeletedRoom, 'backup'>) {
  const { t, i18n } = useTranslation('deleted')
  if (backup === null) return t('noBackup')
  return (
    <Group display="inline-flex" gap="xs" wrap="nowrap">
      {formatBytes(backup.size, i18n.language)}
      <Verified {...backup} />
    </Group>
  )
}

/** Of a room that comes back or is purged, what is under way. */
function KeptUntil({ room: { state, keptUntil } }: { room: DeletedRoom }) {
  const { t } = useTranslation('deleted')
  if (state === 'KEPT')
    return (
      <time className={classes.until} data-until={t('until')} dateTime={keptUntil}>
        {formatDate(keptUntil)}
      </time>
    )
  const isFailure = state === 'PURGE_FAILED'
  return (
    <Pill tone={isFailure ? 'bad' : 'busy'} icon={isFailure ? IconAlertCircle : IconProgress} isSmall>
      {t(`states.${state}`)}
    </Pill>
  )
}

/** Restore and purge; before them the log of what is under way or has failed. */
function DeletedActions({ room, details }: { room: DeletedRoom; details: RowContext }) {
  const { t } = useTranslation('deleted')
  const purge = usePurge()
  const { projectRoomName: name, operationId } = room
  return (
    <div className={classes.actions}>
      <span className={classes.log}>
        {operationId !== null && (
          <IconAction label={t('log', { name })} icon={IconListDetails} onClick={details.toggle} />
        )}
      </span>
      <IconAction
        label={t('restore.label', { name })}
        icon={IconRestore}
        why={useWhyNotRestore(room)}
        onClick={() => openDialog(<RestoreDeletedDialog room={room} />)}
      />
      <IconAction
        label={t('purge.label', { name })}
        icon={IconTrashX}
        why={useWhyNotPurge(room)}
        onClick={() => void purge(room)}
      />
    </div>
  )
}

function useWhyNotRestore({ state, backup }: DeletedRoom): string | null {
  const { t } = useTranslation('deleted')
  if (state !== 'KEPT') return t(`reasons.${state}`)
  return backup === null ? t('reasons.noBackup') : null
}

/** A purge that has failed can begin once more. */
function useWhyNotPurge({ state }: DeletedRoom): string | null {
  const { t } = useTranslation('deleted')
  return state === 'RESTORING' || state === 'PURGING' ? t(`reasons.${state}`) : null
}

/** @returns a function that purges a deleted room, after its name was typed */
function usePurge() {
  const { t } = useTranslation('deleted')
  const queryClient = useQueryClient()
  return async ({ id, projectRoomName: name }: DeletedRoom) => {
    const purge = async () => {
      const { operationId } = (await client.call('purgeDeletedRoom', { params: { id }, body: { typedName: name } }))
        .body
      toastAccepted(operationId, {
        title: t('purge.confirm'),
        text: t('purge.accepted', { name }),
        ends: {
          done: t('purge.done', { name }),
          afterDone: (
            <DeletedLink name={name} isPurged>
              {t('certificate.link')}
            </DeletedLink>
          ),
          afterFailure: <DeletedLink name={name}>{t('toDeleted')}</DeletedLink>,
        },
      })
    }
    await confirm({
      title: t('purge.title', { name }),
      question: t('purge.question', { name }),
      consequence: t('purge.consequence'),
      nameToType: name,
      confirm: t('purge.confirm'),
      danger: true,
      failed: t('purge.failed'),
      run: () => purge().finally(() => queryClient.invalidateQueries({ queryKey: ['deleted-rooms'] })),
    })
  }
}
