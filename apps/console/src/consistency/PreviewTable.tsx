import type { RepairPreview } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import tables from '#ui/Table.module.css'
import classes from './Consistency.module.css'
import { previewRows } from './preview-rows.ts'
import { usePreviewWords } from './use-preview-words.ts'

/** What a repair would change, from what to what. */
export function PreviewTable({ changes }: Pick<RepairPreview, 'changes'>) {
  const { t } = useTranslation('consistency')
  const words = usePreviewWords()
  return (
    <div className={classes.changes}>
      <table className={tables.table} aria-label={t('wouldChange')}>
        <caption>{t('wouldChange')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('field')}</th>
            <th scope="col">{t('from')}</th>
            <th scope="col">{t('to')}</th>
          </tr>
        </thead>
        <tbody>
          {previewRows(changes).map((row) => (
            <tr key={`${row.field} ${row.part}`}>
              <th scope="row">{words.name(row)}</th>
              <td>{words.value(row, row.from)}</td>
              <td>{words.value(row, row.to)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
