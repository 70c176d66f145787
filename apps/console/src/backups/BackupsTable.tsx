import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '#ui/Table.module.css'
import { type AnyBackup, BackupRow } from './BackupRow.tsx'
import { useDeleteBackup } from './use-delete-backup.ts'

interface BackupsTableProps<Backup extends AnyBackup> {
  label: string
  backups: readonly Backup[]
  /** Of the columns that come first; `leadOf` gives their cells. */
  leadTitles?: readonly string[]
  leadOf?: (backup: Backup) => ReactNode
}

/** Backups to be downloaded and deleted. */
export function BackupsTable<Backup extends AnyBackup>({
  label,
  backups,
  leadTitles = [],
  leadOf,
}: BackupsTableProps<Backup>) {
  const { t } = useTranslation('backups')
  const deleteBackup = useDeleteBackup()
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {leadTitles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            <th scope="col">{t('columns.createdAt')}</th>
            <th scope="col">{t('columns.kind')}</th>
            <th scope="col" className={classes.right}>
              {t('columns.size')}
            </th>
            <th scope="col">{t('columns.sha256')}</th>
            <th scope="col">{t('columns.verifiedAt')}</th>
            <th scope="col" className={`${classes.right} ${classes.sticky}`}>
              {t('columns.actions')}
            </th>
          </tr>
        </thead>
        <tbody>
          {backups.map((backup) => (
            <BackupRow
              key={backup.id}
              backup={backup}
              lead={leadOf?.(backup)}
              onDelete={(each) => void deleteBackup(each)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}
