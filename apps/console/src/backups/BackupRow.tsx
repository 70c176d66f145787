import { CopyButton, Tooltip } from '@mantine/core'
import type { RemovedRoomBackup, RoomBackup } from '@roomkeeper/contract'
import { IconCheck, IconCircleCheck, IconCopy, IconDownload, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { formatBytes } from '#ui/format-bytes.ts'
import { formatMoment } from '#ui/format-moment.ts'
import { IconAction } from '#ui/IconAction.tsx'
import classes from '#ui/Table.module.css'
import { toastError } from '#ui/toast.ts'
import own from './BackupRow.module.css'

/** So much of a digest tells two backups apart. */
const shownDigits = 12

export type AnyBackup = RoomBackup | RemovedRoomBackup

/** Null: the page that lists it is its project room's. */
export function whoseBackup(backup: AnyBackup): { room: string; region: string } | null {
  return 'projectRoomName' in backup ? { room: backup.projectRoomName, region: backup.regionName } : null
}

interface BackupRowProps<Backup extends AnyBackup> {
  backup: Backup
  /** Cells that come first. */
  lead?: ReactNode
  onDelete: (backup: Backup) => void
}

export function BackupRow<Backup extends AnyBackup>({ backup, lead, onDelete }: BackupRowProps<Backup>) {
  const { t, i18n } = useTranslation('backups')
  const at = formatMoment(backup.createdAt)
  const whose = whoseBackup(backup)
  const download = useDownload(backup.id)
  return (
    <tr>
      {lead}
      <th scope="row" className={classes.noWrap}>
        {at}
      </th>
      <td>
        {t(`kinds.${backup.kind}`)}
        {backup.kind === 'd2o' && <div className={own.location}>{backup.location}</div>}
      </td>
      <td className={`${classes.right} ${classes.noWrap}`}>{formatBytes(backup.size, i18n.language)}</td>
      <td>
        <Digest sha256={backup.sha256} />
      </td>
      <td>
        <Verified at={backup.verifiedAt} />
      </td>
      <td className={`${classes.right} ${classes.noWrap} ${classes.sticky}`}>
        <IconAction
          label={whose === null ? t('download.label', { at }) : t('download.labelOf', { at, ...whose })}
          icon={IconDownload}
          why={backup.kind === 'classic' ? null : t(`download.${backup.kind}`)}
          isBusy={download.isPending}
          onClick={() => download.mutate()}
        />
        <IconAction
          label={whose === null ? t('delete.label', { at }) : t('delete.labelOf', { at, ...whose })}
          icon={IconTrash}
          onClick={() => onDelete(backup)}
        />
      </td>
    </tr>
  )
}

function Digest({ sha256 }: { sha256: string }) {
  const { t } = useTranslation(['backups', 'app'])
  return (
    <span className={own.digest}>
      <span className={own.digits} title={sha256}>
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

/** By icon and word; the tooltip says when. */
function Verified({ at }: { at: string | null }) {
  const { t } = useTranslation('backups')
  if (at === null) return <span className={own.unverified}>{t('unverified')}</span>
  return (
    <Tooltip label={t('verifiedAt', { at: formatMoment(at) })}>
      <span className={own.verified}>
        <IconCircleCheck size={15} stroke={1.9} aria-hidden />
        {t('verified')}
      </span>
    </Tooltip>
  )
}

/** The browser itself fetches the file, by a link for this file only, so that it can pause and resume. */
function useDownload(id: string) {
  const { t } = useTranslation('backups')
  return useMutation({
    mutationFn: () => client.call('createBackupTicket', { params: { id } }),
    onSuccess: ({ body }) => window.location.assign(body.url),
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('download.failed'), textOf(error))
    },
  })
}
