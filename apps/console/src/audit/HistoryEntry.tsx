import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { AuditEntry, ProjectRoom, Role } from '@roomkeeper/contract'
import { isAdministrator, isDirectSales } from '@roomkeeper/rules'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { OperationLog } from '#operations/index.ts'
import { formatMoment } from '#ui/format.ts'
import { ChangesTable } from './ChangesTable.tsx'
import classes from './RoomHistory.module.css'
import { useChangeWords } from './use-change-words.ts'

interface HistoryEntryProps {
  entry: AuditEntry
  room: ProjectRoom
}

export function HistoryEntry({ entry, room }: HistoryEntryProps) {
  const { t } = useTranslation(['audit', 'operations'])
  const { role } = useOperator()
  const { actionOf } = useChangeWords(room)
  const [isOpen, { toggle }] = useDisclosure()
  const { actor, at, action, detail, operationId, changes } = entry
  return (
    <li className={classes.entry}>
      <div className={classes.line}>
        <strong>{actionOf(action)}</strong>
        <span className={classes.by}>
          {actor === 'system' ? t('system') : actor} · <time dateTime={at}>{formatMoment(at)}</time>
        </span>
        {operationId !== null && maySeeLog(role, action) && (
          <Button variant="subtle" size="compact-xs" aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? t('operations:hideLog') : t('operations:showLog')}
          </Button>
        )}
      </div>
      {detail !== null && <div className={classes.detail}>{detail}</div>}
      {changes.length > 0 && <ChangesTable changes={changes} room={room.tenantName} />}
      {isOpen && operationId !== null && <OperationLog operationId={operationId} />}
    </li>
  )
}

/** Sales see the logs of creations and imports. */
function maySeeLog(role: Role, action: string): boolean {
  return isAdministrator(role) || (isDirectSales(role) && /^room\.(create|import)/.test(action))
}
