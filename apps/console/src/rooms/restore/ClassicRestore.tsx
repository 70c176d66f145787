import type { Answer, BackupContents } from '@roomkeeper/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { isSessionEnd } from '#locales/error-texts.ts'
import { useLeaveGuard } from '#ui/dialog/confirm.tsx'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { FileUpload } from '#uploads/index.ts'
import { type RestoreSourceProps, StartRestore, useRestore } from './StartRestore.tsx'

interface Uploaded {
  tmpFileName: string
  backup: BackupContents
}

/** Restores an uploaded .zip: it is uploaded as soon as it is chosen, checked, and then restored. */
export function ClassicRestore({ room, whyNot, onAccepted }: RestoreSourceProps) {
  const { t } = useTranslation('restore')
  const [uploaded, setUploaded] = useState<Uploaded | null>(null)
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
    restore.reset()
  }
  return (
    <div className="rk-column">
      <BackupUpload route="uploadBackup" isDisabled={whyNot !== null || restore.isPending} onAnswer={take} />
      <StartRestore
        room={room}
        whyNot={whyNot}
        backup={uploaded?.backup ?? null}
        whyNone={t('classic.uploadFirst')}
        restore={restore}
        onStart={(confirmOtherRoom) => {
          if (uploaded !== null) restore.mutate({ tmpFileName: uploaded.tmpFileName, confirmOtherRoom })
        }}
      />
    </div>
  )
}

interface BackupUploadProps<Route extends 'uploadBackup' | 'uploadImport'> {
  route: Route
  isDisabled?: boolean
  /** Called with the server's answer about the file, and with null as soon as another file is chosen. */
  onAnswer: (answer: Answer<Route>['body'] | null) => void
}

/** Uploads a .zip with a backup; toasts show the result. */
export function BackupUpload<Route extends 'uploadBackup' | 'uploadImport'>(props: BackupUploadProps<Route>) {
  const { route, isDisabled = false, onAnswer } = props
  const { t } = useTranslation(['restore', 'upload'])
  return (
    <FileUpload
      route={route}
      label={t('classic.file')}
      accept=".zip"
      isFirst
      emptyText={t('upload:none')}
      failedText={t('upload:failed')}
      disabled={isDisabled}
      onStarted={() => onAnswer(null)}
      onUploaded={(answer) => {
        onAnswer(answer)
        toastSuccess(t('upload:successful.title'), t('upload:successful.text'))
      }}
      onFailed={(error) => {
        if (!isSessionEnd(error)) toastError(t('upload:failed'), t('classic.uploadFailed'))
      }}
    />
  )
}
