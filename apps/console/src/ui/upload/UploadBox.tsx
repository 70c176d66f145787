import { Button, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.layer.css'
import { IconAlertCircle, IconCircleCheck, IconFileUpload } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLeaveGuard } from '../dialog/confirm.tsx'
import { useUnsavedEntries } from '../form/FormDialog.tsx'
import classes from './UploadBox.module.css'
import { UploadOutcome } from './UploadOutcome.tsx'
import { type Send, type Upload, type UploadListeners, useUpload } from './use-upload.ts'

export interface UploadBoxProps<Answer> extends UploadListeners<Answer> {
  /** What is uploaded, such as 'Project room backup'. */
  label: string
  /** The accepted file extension. */
  accept: `.${string}`
  send: Send<Answer>
  /** The status before a file is chosen; afterwards the status is the file's name. */
  emptyText?: string | undefined
  /** The status after a failure. */
  failedText?: string | undefined
  /** Shows the status of a failure although this upload did not fail. */
  showsFailure?: boolean | undefined
  /** Why a failed upload failed. */
  textOf: (error: unknown) => string
  /** Whether the same file may be sent again. */
  mayRepeat: (error: unknown) => boolean
  disabled?: boolean | undefined
  /** The file that was uploaded before, when the box is shown again. */
  uploaded?: File | undefined
  /** Whether it is the first field of its page, which has the focus when the page opens. */
  isFirst?: boolean | undefined
}

/** A box into which to drop a file or choose one. The file is sent at once; the box shows progress and result. */
export function UploadBox<Answer>(props: UploadBoxProps<Answer>) {
  const { label, accept, send, onStarted, onUploaded, onFailed, onBusy, disabled = false } = props
  const { t } = useTranslation('upload')
  const { upload, start, cancel, forgetFailure } = useUpload(
    send,
    { onStarted, onUploaded, onFailed, onBusy },
    props.uploaded,
  )
  const [refusal, setRefusal] = useState<string | null>(null)
  const openChooser = useRef<() => void>(null)
  const isBusy = upload.phase === 'sending' || upload.phase === 'checking'
  const takesNone = disabled || isBusy
  useUploadGuard(isBusy)

  const whyNotTaken = (file: File) =>
    file.name.toLowerCase().endsWith(accept) ? null : t('wrongKind', { name: file.name, kind: accept })
  const take = (files: readonly File[]) => {
    const [file] = files
    // Files dropped now are ignored: a disabled drop zone would let the browser open them instead of this page.
    if (file === undefined || takesNone) return
    const why = files.length > 1 ? t('onlyOne') : whyNotTaken(file)
    setRefusal(why)
    if (why === null) start(file)
    else forgetFailure()
  }
  return (
    <Dropzone
      openRef={openChooser}
      onDrop={take}
      onReject={(rejected) => take(rejected.map(({ file }) => file))}
      multiple={false}
      activateOnClick={false}
      activateOnKeyboard={false}
      enablePointerEvents
      // Hidden from assistive technology: the button does the same.
      inputProps={{ accept, disabled: takesNone, 'aria-label': label, 'aria-hidden': true }}
      classNames={{ root: classes.root, inner: 'rk-column rk-gap-xs' }}
      data-phase={upload.phase}
    >
      <Head box={props} upload={upload} onChoose={() => openChooser.current?.()} onCancel={cancel} />
      {upload.phase === 'idle' && refusal === null && !disabled && (
        <p className="rk-note rk-text">{t('drop', { kind: accept })}</p>
      )}
      <UploadOutcome {...props} upload={upload} onAgain={start} />
      {refusal !== null && (
        <p role="alert" className="rk-problem">
          {refusal}
        </p>
      )}
    </Dropzone>
  )
}

/** Asks before the page is left, or its dialog closed, during an upload. */
function useUploadGuard(isBusy: boolean): void {
  const { t } = useTranslation('upload')
  const isGuarded = useUnsavedEntries(() => isBusy)
  useLeaveGuard({
    isNeeded: () => isBusy && !isGuarded,
    title: t('leave.title'),
    text: t('leave.text'),
    stay: t('leave.stay'),
    leave: t('leave.leave'),
  })
}

interface HeadProps<Answer> {
  box: UploadBoxProps<Answer>
  upload: Upload
  onChoose: () => void
  onCancel: () => void
}

/** What is uploaded, its status, and the button for it. */
function Head<Answer>({ box, upload, onChoose, onCancel }: HeadProps<Answer>) {
  const { t } = useTranslation('upload')
  const labelId = useId()
  const statusId = useId()
  const isBusy = upload.phase === 'sending' || upload.phase === 'checking'
  return (
    <div className="rk-row rk-gap-sm">
      <Icon phase={upload.phase} />
      <div className="rk-grow">
        <Text component="div" fw={600} id={labelId}>
          {box.label}
        </Text>
        <output className="rk-dimmed rk-text" id={statusId}>
          {statusOf(upload, box)}
        </output>
      </div>
      {isBusy ? (
        <Button variant="default" size="xs" aria-describedby={labelId} onClick={onCancel}>
          {t('cancel')}
        </Button>
      ) : (
        <Button
          variant="default"
          size="xs"
          disabled={box.disabled ?? false}
          autoFocus={box.isFirst ?? false}
          aria-describedby={`${labelId} ${statusId}`}
          onClick={onChoose}
        >
          {t(upload.phase === 'idle' ? 'choose' : 'chooseOther', { kind: box.accept })}
        </Button>
      )}
    </div>
  )
}

function Icon({ phase }: { phase: Upload['phase'] }) {
  const props = { size: 22, stroke: 1.6, className: 'rk-state-icon', 'aria-hidden': true } as const
  if (phase === 'done') return <IconCircleCheck {...props} data-state="done" />
  if (phase === 'failed') return <IconAlertCircle {...props} data-state="failed" />
  return <IconFileUpload {...props} />
}

function statusOf<Answer>(upload: Upload, { emptyText, failedText, showsFailure }: UploadBoxProps<Answer>) {
  if (upload.phase === 'failed' || showsFailure === true) return failedText ?? ''
  return upload.phase === 'idle' ? (emptyText ?? '') : upload.file.name
}
