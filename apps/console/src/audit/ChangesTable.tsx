import type { AuditEntry } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { Table } from '#ui/table/Table.tsx'
import { useChangeWords } from './use-change-words.ts'

interface ChangesTableProps {
  changes: AuditEntry['changes']
  /** The name of the room that was changed, if it was a room. */
  room: string
}

/** Which field changed from what to what. */
export function ChangesTable({ changes, room }: ChangesTableProps) {
  const { t } = useTranslation('audit')
  const { labelOf, wordsOf } = useChangeWords({ tenantName: room })
  return (
    <Table
      isDense
      rows={changes}
      rowId={({ field }) => field}
      columns={[
        { id: 'field', title: t('field'), isName: true, cell: ({ field }) => labelOf(field) },
        { id: 'from', title: t('from'), cell: ({ field, from }) => wordsOf(field, from) },
        { id: 'to', title: t('to'), cell: ({ field, to }) => wordsOf(field, to) },
      ]}
    />
  )
}
