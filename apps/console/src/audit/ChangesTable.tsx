import type { AuditEntry } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import classes from './RoomHistory.module.css'
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
    <table className={classes.changes}>
      <thead>
        <tr>
          <th scope="col">{t('field')}</th>
          <th scope="col">{t('from')}</th>
          <th scope="col">{t('to')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, from, to }) => (
          <tr key={field}>
            <th scope="row">{labelOf(field)}</th>
            <td>{wordsOf(field, from)}</td>
            <td>{wordsOf(field, to)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
