import { Box, CopyButton, Tooltip } from '@mantine/core'
import type { RemovedRoomBackup, RoomBackup } from '@roomkeeper/contract'
import {
  IconAlertTriangle,
  IconCheck,
  IconCopy,
  IconDownload,
  IconRestore,
  IconShieldCheck,
  IconTrash,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { toastAccepted } from '#operations/index.ts'
import { IconAction } from '#ui/ActionButtons.tsx'
import { confirm } from '#ui/dialog/confirm.tsx'
import { downloadFrom } from '#ui/download-from.ts'
import { formatBytes, formatMoment } from '#ui/format.ts'
import type { Column } from '#ui/table/column.ts'
import type { LoadState } from '#ui/table/NotLoaded.tsx'
import type { PagerProps } from '#ui/table/Pager.tsx'
import { Table } from '#ui/table/Table.tsx'
import { toastSuccess } from '#ui/toast.ts'
import classes from './BackupsTable.module.css'

/** This many characters of a digest are enough to tell two backups apart. */
const shownDigits = 12

interface BackupsTableProps<Backup extends AnyBackup> {
  label: string
  backups: readonly Backup[] | undefined
  /** Columns to put first. */
  lead?: readonly Column<Backup>[]
  load: LoadState
  /** Only for backups that may change by themselves. */
  orderKey?: string
  /** How a backup is restored, and why none can be now. Absent for backups of rooms that are gone. */
  restore?: RestoreAction<Backup>
  empty: ReactNode
  pages?: PagerProps | undefined
}

interface RestoreAction<Backup> {
  why: string | null
  onClick: (backup: Backup) => void
}

/** A table of backups, each with buttons to restore it, to download it, to restore it in a test, and to delete it. */
export function BackupsTable<Backup extends AnyBackup>(props: BackupsTableProps<Backup>) {
  const { backups, lead = [], restore, ...rest } = props
  const deleteBackup = useDeleteBackup()
  return (
    <Table
      {...rest}
      rows={backups}
      rowId={({ id }) => id}
      expectedRows={2}
      columns={[...lead, ...useColumns<Backup>({ restore, onDelete: (backup) => void deleteBackup(backup) })]}
    />
  )
}

interface RowActions<Backup> {
  restore: RestoreAction<Backup> | undefined
  onDelete: (backup: Backup) => void
}

function useColumns<Backup extends AnyBackup>(actions: RowActions<Backup>): Column<Backup>[] {
  const { t, i18n } = useTranslation('backups')
  return [
    {
      id: 'createdAt',
      title: t('columns.createdAt'),
      isName: true,
      text: 'whole',
      cell: ({ createdAt }) => formatMoment(createdAt),
    },
    {
      id: 'kind',
      title: t('columns.kind'),
      cell: ({ kind, location }) => (
        <>
          {t(`kinds.${kind}`)}
          {kind === 'd2o' && (
            <Box maw={220} className="rk-note rk-text">
              {location}
            </Box>
          )}
        </>
      ),
    },
    {
      id: 'size',
      title: t('columns.size'),
      align: 'end',
      text: 'whole',
      cell: ({ size }) => formatBytes(size, i18n.language),
    },
    { id: 'sha256', title: t('columns.sha256'), cell: ({ sha256 }) => <Digest sha256={sha256} /> },
    { id: 'verifiedAt', title: t('columns.verifiedAt'), cell: (backup) => <Verified {...backup} /> },
    {
      id: 'actions',
      title: t('columns.actions'),
      isActions: true,
      cell: (backup) => <BackupActions backup={backup} {...actions} />,
    },
  ]
}

interface BackupActionsProps<Backup> extends RowActions<Backup> {
  backup: Backup
}

function BackupActions<Backup extends AnyBackup>({ backup, restore, onDelete }: BackupActionsProps<Backup>) {
  const { t } = useTranslation('backups')
  const at = formatMoment(backup.createdAt)
  const whose = whoseBackup(backup)
  const download = useDownload(backup.id)
  const verify = useVerify(backup)
  return (
    <>
      {restore !== undefined && (
        <IconAction
          label={t('restore.label', { at })}
          icon={IconRestore}
          why={restore.why ?? (backup.isKnownBad === true ? t('badHint') : null)}
          onClick={() => restore.onClick(backup)}
        />
      )}
      <IconAction
        label={whose === null ? t('download.label', { at }) : t('download.labelOf', { at, ...whose })}
        icon={IconDownload}
        why={backup.kind === 'classic' ? null : t(`download.${backup.kind}`)}
        isBusy={download.isPending}
        onClick={() => download.mutate()}
      />
      <IconAction
        label={whose === null ? t('verify.label', { at }) : t('verify.labelOf', { at, ...whose })}
        icon={IconShieldCheck}
        why={backup.kind === 'database' ? t('verify.database') : null}
        isBusy={verify.isPending}
        onClick={() => verify.mutate()}
      />
      <IconAction
        label={whose === null ? t('delete.label', { at }) : t('delete.labelOf', { at, ...whose })}
        icon={IconTrash}
        onClick={() => onDelete(backup)}
      />
    </>
  )
}

function Digest({ sha256 }: { sha256: string }) {
  const { t } = useTranslation(['backups', 'app'])
  return (
    <span className={classes.digest}>
      <span className={classes.digits} title={sha256}>
        {sha256.slice(0, shownDigits)}
      </span>
      <CopyButton value={sha256}>
        {({ copied, copy }) => (
          <IconAction
            label={copied ? t('app:copied') : t('copyDigest', { sha256 })}
            icon={copied ? IconCheck : IconCopy}
            onClick={copy}
          />
        )}
      </CopyButton>
    </span>
  )
}

type WhatIsKnown = Pick<AnyBackup, 'checkedAt' | 'verifiedAt' | 'isKnownBad' | 'hasDamagedIndexes'>

/** Shows the state as icon and text. The tooltip says when. */
export function Verified({ checkedAt, verifiedAt, isKnownBad, hasDamagedIndexes }: WhatIsKnown) {
  const { t } = useTranslation('backups')
  const wrong = isKnownBad === true ? 'bad' : hasDamagedIndexes === true ? 'indexes' : null
  if (wrong !== null)
    return (
      <Tooltip label={t(`${wrong}Hint`)} multiline>
        <span className={classes.bad}>
          <IconAlertTriangle size={15} stroke={1.9} aria-hidden />
          {t(wrong)}
        </span>
      </Tooltip>
    )
  const at = verifiedAt ?? checkedAt
  if (at === null) return <span className="rk-dimmed">{t('unverified')}</span>
  const how = verifiedAt === null ? 'checked' : 'verified'
  // Only the shield says that it is known to restore.
  const Icon = verifiedAt === null ? IconCheck : IconShieldCheck
  return (
    <Tooltip label={t(`${how}At`, { at: formatMoment(at) })}>
      <span className={classes[how]}>
        <Icon size={15} stroke={1.9} aria-hidden />
        {t(how)}
      </span>
    </Tooltip>
  )
}

/** @returns a function that asks, then deletes the backup and its file in the store */
function useDeleteBackup() {
  const { t } = useTranslation('backups')
  const queryClient = useQueryClient()
  return async (backup: AnyBackup) => {
    const at = formatMoment(backup.createdAt)
    const whose = whoseBackup(backup)
    const isDeleted = await confirm({
      title: whose === null ? t('delete.title', { at }) : t('delete.titleOf', { at, ...whose }),
      question: t('delete.question'),
      consequence: t('delete.consequence', { location: backup.location }),
      confirm: t('delete.confirm'),
      danger: true,
      failed: t('delete.failed'),
      run: () => client.call('deleteRoomBackup', { params: { id: backup.id } }),
    })
    if (!isDeleted) return
    toastSuccess(t('delete.confirm'), whose === null ? t('delete.done', { at }) : t('delete.doneOf', { at, ...whose }))
    await queryClient.invalidateQueries({ queryKey: ['rooms', 'backups'] })
  }
}

/** The browser downloads the file itself, by a link that is valid for this file only, so it can pause and resume. */
function useDownload(id: string) {
  const { t } = useTranslation('backups')
  return useMutation({
    mutationFn: () => client.call('createBackupTicket', { params: { id } }),
    onSuccess: ({ body }) => downloadFrom(body.url),
    meta: { failed: t('download.failed') },
  })
}

/** Restores the backup in a test. Its end is told by the toast, and by the table. */
function useVerify(backup: AnyBackup) {
  const { t } = useTranslation('backups')
  return useMutation({
    mutationFn: () => client.call('verifyRoomBackup', { params: { id: backup.id } }),
    onSuccess: ({ body }) => {
      const at = formatMoment(backup.createdAt)
      const ends = { done: t('verify.done', { at }), failed: t('verify.ended', { at }) }
      toastAccepted(body.operationId, { title: t('verify.title'), text: t('verify.accepted', { at }), ends })
    },
    meta: { failed: t('verify.failed') },
  })
}

type AnyBackup = RoomBackup | RemovedRoomBackup

/** The room and region of a removed room's backup. Null for a backup of an existing room. */
function whoseBackup(backup: AnyBackup): { room: string; region: string } | null {
  return 'projectRoomName' in backup ? { room: backup.projectRoomName, region: backup.regionName } : null
}
