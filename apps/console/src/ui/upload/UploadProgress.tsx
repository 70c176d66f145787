import { useTranslation } from 'react-i18next'
import { formatBytes } from '../format-bytes.ts'
import { ThinProgress } from '../ThinProgress.tsx'
import classes from './UploadBox.module.css'
import type { Upload } from './use-upload.ts'

interface UploadProgressProps {
  upload: Extract<Upload, { phase: 'sending' | 'checking' }>
  label: string
}

/** Bytes, rate and the time that is left. */
export function UploadProgress({ upload, label }: UploadProgressProps) {
  const { t, i18n } = useTranslation('upload')
  const { file, phase } = upload
  const inBytes = (bytes: number) => formatBytes(bytes, i18n.language)
  const sent = phase === 'sending' ? upload.sentBytes : file.size
  const rate = phase === 'sending' ? upload.bytesPerSecond : null
  return (
    <div className={classes.progress}>
      <ThinProgress value={file.size === 0 ? 1 : sent / file.size} label={t('progress', { label })} />
      <div className={classes.figures}>
        <span>{t('sent', { sent: inBytes(sent), total: inBytes(file.size) })}</span>
        {rate !== null && <span>{t('rate', { rate: inBytes(rate) })}</span>}
        <span>{phase === 'checking' ? t('checking') : timeLeft(rate === null ? null : (file.size - sent) / rate)}</span>
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
      n: new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 }).format(minutes / 60),
    })
  }
}
