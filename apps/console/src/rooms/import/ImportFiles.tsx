import { Button } from '@mantine/core'
import { type BackupContents, type ImportedRoom, ProblemError, type RefusalCode } from '@roomkeeper/contract'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isSessionEnd, textOf } from '#locales/error-texts.ts'
import { NextStep } from '#ui/form/FormFoot.tsx'
import { Section } from '#ui/Page.tsx'
import { NoteAlert } from '#ui/ProblemAlert.tsx'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { FileUpload } from '#uploads/index.ts'

/** The uploaded backups: of a room, of a product's content, or both. */
export interface ImportedFiles {
  room: ImportedRoom | null
  product: { tmpFileName: string; backup: BackupContents } | null
  /** The files as they were chosen. */
  chosen: { room?: File; product?: File }
}

interface ImportFilesProps {
  files: ImportedFiles
  onFiles: (change: (before: ImportedFiles) => ImportedFiles) => void
  onNext: () => void
}

/** The first step: uploads one or two backups. */
export function ImportFiles({ files, onFiles, onNext }: ImportFilesProps) {
  const { t } = useTranslation(['import', 'upload'])
  const [hasFailed, setHasFailed] = useState(false)
  const [running, setRunning] = useState<Readonly<Record<'room' | 'product', boolean>>>({ room: false, product: false })
  const failureText = useFailureText()
  const whyUnfit = useCallback(
    ({ backup }: { backup: BackupContents }) => (backup.kind === 'product' ? null : t('file.notProduct')),
    [t],
  )
  const set = (changes: Partial<ImportedFiles>) =>
    onFiles((before) => ({ ...before, ...changes, chosen: { ...before.chosen, ...changes.chosen } }))
  const noteBusy = (which: 'room' | 'product') => (isBusy: boolean) =>
    setRunning((before) => ({ ...before, [which]: isBusy }))
  const whyNot = () => {
    if (running.room || running.product) return t('uploadRuns')
    return files.room === null && files.product === null ? t('uploadFirst') : null
  }
  const upload = {
    accept: '.zip',
    emptyText: t('upload:none'),
    failedText: t('upload:failed'),
    // A failure is shown at both controls.
    showsFailure: hasFailed,
    onFailed: (error: unknown) => {
      setHasFailed(true)
      if (!isSessionEnd(error)) toastError(t('upload:failed'), failureText(error))
    },
  } as const
  const begin = (changes: Partial<ImportedFiles>) => () => {
    setHasFailed(false)
    set(changes)
  }
  const take = (changes: Partial<ImportedFiles>) => {
    set(changes)
    toastSuccess(t('upload:successful.title'), t('upload:successful.text'))
  }
  return (
    <Section title={t('section.files')} hint={t('section.hint')}>
      <div data-wide className="rk-column">
        <FileUpload
          {...upload}
          route="uploadImport"
          label={t('file.room')}
          isFirst
          uploaded={files.room === null ? undefined : files.chosen.room}
          onStarted={begin({ room: null })}
          onUploaded={(room, file) => take({ room, chosen: { room: file } })}
          onBusy={noteBusy('room')}
        />
        <FileUpload
          {...upload}
          route="uploadBackup"
          label={t('file.product')}
          whyUnfit={whyUnfit}
          uploaded={files.product === null ? undefined : files.chosen.product}
          onStarted={begin({ product: null })}
          onUploaded={(product, file) => take({ product, chosen: { product: file } })}
          onBusy={noteBusy('product')}
        />
        <ImportNote />
        <NextStep why={whyNot()} onClick={onNext}>
          {t('next')}
        </NextStep>
      </div>
    </Section>
  )
}

/** The uploaded files, in the step that makes a room of them. */
export function FileList({ files, onBack }: { files: ImportedFiles; onBack: () => void }) {
  const { t } = useTranslation('import')
  const uploaded = (['room', 'product'] as const).filter((each) => files[each] !== null)
  return (
    <Section title={t('section.files')}>
      <ul data-wide className="rk-list rk-text">
        {uploaded.map((each) => (
          <li key={each}>
            {t(`file.${each}`)}: <strong>{files.chosen[each]?.name}</strong>
          </li>
        ))}
      </ul>
      <div data-wide>
        <Button variant="default" size="xs" onClick={onBack}>
          {t('back.action')}
        </Button>
      </div>
    </Section>
  )
}

/** Asks the operator to check values that a backup may lack. */
export function ImportNote() {
  const { t } = useTranslation('import')
  return <NoteAlert>{t('note')}</NoteAlert>
}

/** Failures that say nothing about the file: 'Wrong file' would mislead the operator. */
const notOfTheFile: readonly RefusalCode[] = [
  'storage-full',
  'too-large',
  'unpacks-too-large',
  'too-many-calls',
  'not-allowed',
  'database-unreachable',
  'database-busy',
  'object-store-refused',
  'object-store-unreachable',
  'other-store',
]

/** @returns a function that gives the text of a failed upload */
function useFailureText(): (error: unknown) => string {
  const { t } = useTranslation('import')
  return (error) => {
    if (error instanceof TypeError) return textOf(error)
    if (!(error instanceof ProblemError)) return t('wrong.file')
    const code = error.code as RefusalCode
    if (code === 'wrong-file-content') return t('wrong.content')
    if (code === 'no-upload-content') return t('wrong.empty')
    return notOfTheFile.includes(code) ? textOf(error) : t('wrong.file')
  }
}
