import type { BackupContents, ProjectRoom } from '@roomkeeper/contract'
import type { Reason } from '@roomkeeper/rules'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { isSessionEnd } from '#api/text-of-error.ts'
import { useLeaveGuard } from '#ui/dialog/confirm.tsx'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { FileUpload } from '#uploads/index.ts'
import { BackupReview, isOfOtherRoom, whyUnfitFor } from './BackupReview.tsx'
import classes from './restore.module.css'
import { StartRestore, useRestore } from './StartRestore.tsx'

export interface RestoreTabProps {
  room: ProjectRoom
  /** Why the room cannot be restored now, or null. */
  whyNot: Reason | null
  onAccepted: () => void
}

interface Uploaded {
  tmpFileName: string
  backup: BackupContents
}

/** A .zip that is uploaded as soon as it is chosen, looked at, and then restored. */
export function ClassicRestore({ room, whyNot, onAccepted }: RestoreTabProps) {
  const { t } = useTranslation(['restore', 'rooms', 'upload'])
  const [uploaded, setUploaded] = useState<Uploaded | null>(null)
  const [confirmsOther, setConfirmsOther] = useState(false)
  const { tenantName } = room
  const restore = useRestore(
    tenantName,
    (body: { tmpFileName: string; confirmOtherRoom: boolean }, headers) =>
      client.call('restoreRoom', { body: { projectRoom: { tenantName }, ...body }, headers }),
    onAccepted,
  )
  useLeaveGuard({
    isNeeded: () => uploaded !== null && !restore.wasAccepted.current,
    title: t('leave.title'),
    text: t('leave.text'),
    stay: t('leave.stay'),
    leave: t('leave.leave'),
  })
  const take = (answer: Uploaded | null) => {
    setUploaded(answer)
    setConfirmsOther(false)
    restore.reset()
  }
  const reason = () => {
    if (whyNot !== null) return t(`rooms:reasons.${whyNot}`)
    if (uploaded === null) return t('classic.uploadFirst')
    if (whyUnfitFor(room, uploaded.backup) !== null) return t('unfit.title')
    return isOfOtherRoom(room, uploaded.backup) && !confirmsOther ? t('confirmFirst') : null
  }
  return (
    <div className={classes.tab}>
      <FileUpload
        route="uploadBackup"
        label={t('classic.file')}
        accept=".zip"
        emptyText={t('upload:none')}
        failedText={t('upload:failed')}
        disabled={whyNot !== null || restore.isPending}
        onStarted={() => take(null)}
        onUploaded={(answer) => {
          take(answer)
          toastSuccess(t('upload:successful.title'), t('upload:successful.text'))
        }}
        onFailed={(error) => {
          if (!isSessionEnd(error)) toastError(t('upload:failed'), t('classic.uploadFailed'))
        }}
      />
      {uploaded !== null && (
        <BackupReview
          room={room}
          backup={uploaded.backup}
          otherRoomIsConfirmed={confirmsOther}
          onConfirmOtherRoom={setConfirmsOther}
        />
      )}
      <StartRestore
        whyNot={reason()}
        isPending={restore.isPending}
        error={restore.error}
        onStart={() => {
          if (uploaded !== null) {
            restore.mutate({ tmpFileName: uploaded.tmpFileName, confirmOtherRoom: confirmsOther })
          }
        }}
      />
    </div>
  )
}
