import type { RoomDraft } from '@roomkeeper/contract'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client, useIdempotencyKey } from '#api/client.ts'
import { loadTexts } from '#locales/load-texts.ts'
import { toastAccepted } from '#operations/index.ts'
import { confirm, useLeaveGuard } from '#ui/dialog/confirm.tsx'
import { BackButton, Page } from '#ui/Page.tsx'
import { NewRoomForm } from '../form/NewRoomForm.tsx'
import { formOf } from '../form/room-form.ts'
import { FileList, type ImportedFiles, ImportFiles, ImportNote } from './ImportFiles.tsx'

/** The screen that creates a project room from backups: first the files, then the form that they fill. */
export function ImportPage() {
  const navigate = useNavigate()
  const { t } = useTranslation('import')
  const [files, setFiles] = useState<ImportedFiles>({ room: null, product: null, chosen: {} })
  const [step, setStep] = useState<'files' | 'form'>('files')
  // While the files are chosen, so that the form follows them at once.
  useEffect(() => void loadTexts('form', 'rooms'), [])
  // The page of the sign-in leads operators who are signed in to the list.
  const goBack = () => void navigate({ to: '/project/operator' })
  const goToList = () => void navigate({ to: '/project/administration' })
  const hasFiles = files.room !== null || files.product !== null
  useLeaveGuard({
    // In the second step, the form asks.
    isNeeded: () => step === 'files' && hasFiles,
    title: t('leave.title'),
    text: t('leave.text'),
    stay: t('leave.stay'),
    leave: t('leave.leave'),
  })
  return (
    <Page title={t('title')} width="form" before={<BackButton onClick={goBack} />}>
      {step === 'files' ? (
        <ImportFiles files={files} onFiles={setFiles} onNext={() => setStep('form')} />
      ) : (
        <ImportForm files={files} onBack={() => setStep('files')} onAccepted={goToList} />
      )}
    </Page>
  )
}

interface ImportFormProps {
  files: ImportedFiles
  onBack: () => void
  onAccepted: () => void
}

function ImportForm({ files, onBack, onAccepted }: ImportFormProps) {
  const { t } = useTranslation('import')
  const keyFor = useIdempotencyKey()
  const { room, product } = files
  const known = room ?? product?.backup
  if (known === undefined) throw new Error('Nothing was uploaded.')
  const send = (projectRoom: RoomDraft) => {
    const body = {
      projectRoom,
      tmpFileName: room?.tmpFileName ?? null,
      productTmpFileName: product?.tmpFileName ?? null,
    }
    return client.call('importRoom', { body, headers: keyFor(body) })
  }
  const texts = {
    submit: t('submit'),
    failed: t('failed'),
    afterFailure: t('againIsSafe'),
    leave: t('leave.title'),
  }
  const backToFiles = async () => {
    const isSure = await confirm({
      title: t('back.title'),
      question: t('back.question'),
      confirm: t('back.action'),
    })
    if (isSure) onBack()
  }
  return (
    <>
      <ImportNote />
      <FileList files={files} onBack={backToFiles} />
      <NewRoomForm
        // A product backup tells only a room's product and edition. The form does not need the names of its databases.
        initial={formOf(room ?? { product: known.product, edition: known.edition })}
        fixed={['product']}
        texts={texts}
        alwaysConfirmsLeaving
        send={send}
        onAccepted={({ tenantName }, operationId) => {
          toastAccepted(operationId, {
            title: t('title'),
            text: t('accepted.text', { room: tenantName }),
          })
          onAccepted()
        }}
      />
    </>
  )
}
