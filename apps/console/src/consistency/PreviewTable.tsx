import type { RepairPreview } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { Table } from '#ui/table/Table.tsx'
import classes from './Consistency.module.css'
import { previewRows } from './preview-rows.ts'
import { usePreviewWords } from './use-preview-words.ts'

/** What a repair would change, from what to what. */
export function PreviewTable({ changes }: Pick<RepairPreview, 'changes'>) {
  const { t } = useTranslation('consistency')
  const words = usePreviewWords()
  return (
    <div className={classes.changes}>
      <Table
        label={t('wouldChange')}
        hasVisibleLabel
        rows={previewRows(changes)}
        rowId={({ field, part }) => `${field} ${part}`}
        columns={[
          { id: 'field', title: t('field'), isName: true, cell: (row) => words.name(row) },
          { id: 'from', title: t('from'), cell: (row) => words.value(row, row.from) },
          { id: 'to', title: t('to'), cell: (row) => words.value(row, row.to) },
        ]}
      />
    </div>
  )
}
