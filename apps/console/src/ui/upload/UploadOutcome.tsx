import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { intlTag } from '#locales/number-format.ts'
import { formatBytes } from '../format.ts'
import { ThinProgress } from '../ThinProgress.tsx'
import classes from './UploadBox.module.css'
import type { Upload } from './use-upload.ts'

interface UploadOutcomeProps {
  upload: Upload
  /** Whether the status says that the upload failed, although another one did. */
  showsFailure?: boolean | undefined
  /** What is uploaded. */
  label: string
  /** Why a failed upload failed. */
  textOf: (error: unknown) => string
  /** Whether the same file may be sent again. */
  mayRepeat: (error: unknown) => boolean
  onAgain: (file: File) => void
}

/** The progress of an upload, or its result. */
export function UploadOutcome({ upload, showsFailure = false, label, onAgain, ...about }: UploadOutcomeProps) {
  switch (upload.phase) {
    case 'idle':
      return null
    case 'sending':
    case 'checking':
      return <Progress upload={upload} label={label} />
    case 'done':
      return <Done upload={upload} showsFailure={showsFailure} />
    case 'failed':
      return <Failure upload={upload} {...about} onAgain={() => onAgain(upload.file)} />
  }
}

interface ProgressProps {
  upload: Extract<Upload, { phase: 'sending' | 'checking' }>
  label: string
}

/** Bytes, rate and remaining time. */
function Progress({ upload, label }: ProgressProps) {
  const { t, i18n } = useTranslation('upload')
  const { file, phase } = upload
  const inBytes = (bytes: number) => formatBytes(bytes, i18n.language)
  const sent = phase === 'sending' ? upload.sentBytes : file.size
  const rate = phase === 'sending' ? upload.bytesPerSecond : null
  return (
    <div className="rk-column rk-gap-xs">
      <ThinProgress value={file.size === 0 ? 1 : sent / file.size} label={t('progress', { label })} />
      <div className={classes.figures}>
        <span>{t('sent', { sent: inBytes(sent), total: inBytes(file.size) })}</span>
        {rate !== null && <span>{t('rate', { rate: inBytes(rate) })}</span>}
        <span className="rk-push">
          {phase === 'checking' ? t('checking') : timeLeft(rate === null ? null : (file.size - sent) / rate)}
        </span>
      </div>
    </div>
  )

  function timeLeft(seconds: number | null): string {
    if (seconds === null || !Number.isFinite(seconds)) return ''
    if (seconds < 10) return t('left.moments')
    if (seconds < 100) return t('left.seconds', { n: Math.ceil(seconds / 10) * 10 })
    const minutes = Math.ceil(seconds / 60)
    if (minutes < 100) return t('left.minutes', { n: minutes })
    return t('left.hours', {
      n: new Intl.NumberFormat(intlTag(i18n.language), { maximumFractionDigits: 1 }).format(minutes / 60),
    })
  }
}

function Done({ upload, showsFailure }: { upload: Extract<Upload, { phase: 'done' }>; showsFailure: boolean }) {
  const { t, i18n } = useTranslation('upload')
  const { name, size } = upload.file
  return (
    <p className="rk-note rk-text">
      {t('done', { name, size: formatBytes(size, i18n.language) })} {showsFailure && t('otherFailed')}
    </p>
  )
}

interface FailureProps {
  upload: Extract<Upload, { phase: 'failed' }>
  textOf: (error: unknown) => string
  mayRepeat: (error: unknown) => boolean
  onAgain: () => void
}

function Failure({ upload, textOf, mayRepeat, onAgain }: FailureProps) {
  const { t } = useTranslation('upload')
  const { error, file } = upload
  const text = error instanceof TypeError ? t('lost') : textOf(error)
  return (
    <div role="alert" className="rk-problem rk-row rk-gap-sm">
      <span>{t('failedFile', { name: file.name, text })}</span>
      {mayRepeat(error) && (
        <Button variant="default" size="compact-xs" onClick={onAgain}>
          {t('again')}
        </Button>
      )}
    </div>
  )
}
