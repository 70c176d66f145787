import type { ProjectRoom } from '@roomkeeper/contract'
import { IconCircleCheck } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { intlTag } from '#locales/number-format.ts'
import { formatMoment } from '#ui/format.ts'
import type { Column } from '#ui/table/column.ts'
import classes from './RoomsTable.module.css'

/** How long ago the last backup was made, marked if it was restored in a test. The tooltip has the exact times. */
export function useLastBackupColumn(): Column<ProjectRoom, 'lastBackup'> {
  const { t, i18n } = useTranslation('rooms')
  return useMemo(() => {
    const age = ageIn(i18n.language)
    return {
      id: 'lastBackup',
      title: t('columns.lastBackup'),
      size: 132,
      text: 'whole',
      isHiddenByDefault: true,
      cell: ({ lastBackupAt, lastBackupVerifiedAt }) => {
        if (lastBackupAt === null) return <span className={classes.none}>{t('lastBackup.none')}</span>
        const at = formatMoment(lastBackupAt)
        if (lastBackupVerifiedAt === null) return <span data-tip={at}>{age(lastBackupAt)}</span>
        const tip = `${at}. ${t('lastBackup.restoredAt', { at: formatMoment(lastBackupVerifiedAt) })}`
        return (
          <span className={classes.restored} data-tip={tip}>
            {age(lastBackupAt)}
            <IconCircleCheck size={15} stroke={1.9} role="img" aria-label={t('lastBackup.restored')} />
          </span>
        )
      },
    }
  }, [t, i18n.language])
}

/** `5 minutes ago`, `3 hours ago`, `12 days ago`. */
function ageIn(language: string): (iso: string) => string {
  const format = new Intl.RelativeTimeFormat(intlTag(language))
  return (iso) => {
    const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(iso)) / 60_000))
    if (minutes < 60) return format.format(-minutes, 'minute')
    if (minutes < 48 * 60) return format.format(-Math.floor(minutes / 60), 'hour')
    return format.format(-Math.floor(minutes / 1440), 'day')
  }
}
