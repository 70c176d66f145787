import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { formatBytes, useNumberFormat } from '#ui/format.ts'
import classes from './BackupPolicyForm.module.css'
import { type BackupPolicyForm, draftOf, errorsOf } from './backup-policy-form.ts'
import { previewQuery } from './queries.ts'

const typingMilliseconds = 400

/** What the entries come to, while they are changed: how many rooms, and how much space once retention is full. */
export function PolicyPreview({ form }: { form: BackupPolicyForm }) {
  const { t, i18n } = useTranslation('backup-policies')
  const number = useNumberFormat()
  const [settled] = useDebouncedValue(form, typingMilliseconds)
  const { name: _, verifyEvery: __, ...wrong } = errorsOf(settled)
  const isPossible = Object.keys(wrong).length === 0
  const { data, error, isPlaceholderData } = useQuery({ ...previewQuery(draftOf(settled)), enabled: isPossible })
  const text = () => {
    if (error !== null) return t('preview.failed', { message: textOf(error) })
    if (!isPossible || data === undefined) return t('preview.waits')
    if (data.rooms === 0) return t('preview.none')
    const rooms = t('preview.rooms', { count: data.rooms, n: number.format(data.rooms) })
    const backups = t('preview.backups', { count: data.backupsPerRoom, n: number.format(data.backupsPerRoom) })
    const space =
      data.bytes === null ? t('preview.unknown') : t('preview.space', { size: formatBytes(data.bytes, i18n.language) })
    return `${rooms} ${backups} ${space}`
  }
  return (
    <section aria-label={t('preview.title')} className={classes.preview} data-outdated={isPlaceholderData || undefined}>
      <strong>{t('preview.title')}</strong>
      <p role="status">{text()}</p>
    </section>
  )
}
