import type { ProjectRoom } from '@roomkeeper/contract'
import { IconCircleCheck } from '@tabler/icons-react'
import { formatMoment } from '#ui/format.ts'
import type { Column } from '#ui/table/column.ts'
import classes from './last-backup-column.module.css'

interface Texts {
  title: string
  /** Of a room without a backup. */
  none: string
  /** That the backup was restored in a test. */
  restored: string
  restoredAt: (moment: string) => string
  language: string
}

/** How long ago the last backup was made, marked if it was restored in a test. The tooltip has the exact times. */
export function lastBackupColumn(texts: Texts): Column<ProjectRoom, 'lastBackup'> {
  const age = ageIn(texts.language)
  return {
    id: 'lastBackup',
    title: texts.title,
    size: 132,
    text: 'whole',
    isHiddenAtFirst: true,
    cell: ({ lastBackupAt, lastBackupVerifiedAt }) => {
      if (lastBackupAt === null) return <span className={classes.none}>{texts.none}</span>
      const at = formatMoment(lastBackupAt)
      if (lastBackupVerifiedAt === null) return <span data-tip={at}>{age(lastBackupAt)}</span>
      const tip = `${at}. ${texts.restoredAt(formatMoment(lastBackupVerifiedAt))}`
      return (
        <span className={classes.restored} data-tip={tip}>
          {age(lastBackupAt)}
          <IconCircleCheck size={15} stroke={1.9} role="img" aria-label={texts.restored} />
        </span>
      )
    },
  }
}

/** `5 minutes ago`, `3 hours ago`, `12 days ago`. */
function ageIn(language: string): (iso: string) => string {
  const format = new Intl.RelativeTimeFormat(known(language))
  return (iso) => {
    const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(iso)) / 60_000))
    if (minutes < 60) return format.format(-minutes, 'minute')
    if (minutes < 48 * 60) return format.format(-Math.floor(minutes / 60), 'hour')
    return format.format(-Math.floor(minutes / 1440), 'day')
  }
}

/** A language that was added on the server may have a name that is no language tag. */
function known(language: string): string {
  try {
    return new Intl.Locale(language).toString()
  } catch {
    return 'en'
  }
}
