import { Button, Collapse } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { FinishedOperation } from '@roomkeeper/contract'
import { isAdministrator } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { formatMoment } from '#ui/format.ts'
import { FailureText } from './FailureText.tsx'
import { managesOperation } from './OperationActions.tsx'
import { OperationLog } from './OperationLog.tsx'
import classes from './OperationsPanel.module.css'
import { OutcomePill } from './OutcomePill.tsx'
import { finishedOperationsQuery } from './queries.ts'
import { Subject } from './Subject.tsx'
import { WholeTitle } from './WholeTitle.tsx'

/** All operators' operations that have ended in the last hours: failures first. */
export function FinishedOperations() {
  const { t } = useTranslation('operations')
  const { data = [] } = useQuery({ ...finishedOperationsQuery, refetchInterval: usePollInterval() })
  if (data.length === 0) return null
  return (
    <section className={classes.group} aria-label={t('finished')}>
      <h3>{t('finished')}</h3>
      <ul>
        {data.map((each) => (
          <FinishedCard key={each.operationId} operation={each} />
        ))}
      </ul>
    </section>
  )
}

interface WhatIsLeftProps {
  operation: FinishedOperation
  onLeave: () => void
}

/** For administrators: of a deleted room its last backup, of a purged one its certificate. */
function WhatIsLeft({ operation: { kind, projectRoomName: search }, onLeave }: WhatIsLeftProps) {
  const { t } = useTranslation('operations')
  const { role } = useOperator()
  if (!isAdministrator(role) || (kind !== 'room.delete' && kind !== 'room.purge')) return null
  const purged = kind === 'room.purge' ? true : undefined
  return (
    <Link to="/project/deleted" search={{ search, purged }} onClick={onLeave}>
      {purged === true ? t('certificate') : t('bringBack')}
    </Link>
  )
}

/** How an operation ended, why, and its log when opened. */
function FinishedCard({ operation }: { operation: FinishedOperation }) {
  const { t } = useTranslation('operations')
  const { role } = useOperator()
  const close = useCloseDialog()
  const [isOpen, { toggle }] = useDisclosure()
  const { operationId, projectRoomName, processType, state, startedBy, endedAt, errorText, errorReasons } = operation
  return (
    <li className={classes.card}>
      <div className={classes.line}>
        <div className={classes.title}>
          <WholeTitle operation={operation} />
          <Subject stored={projectRoomName} />
        </div>
        <span className={classes.percent}>
          <OutcomePill state={state} />
        </span>
      </div>
      {state === 'failed' && errorText !== null && (
        <div className={classes.why}>
          <FailureText reasons={errorReasons} text={errorText} onLeave={close} />
        </div>
      )}
      <div className={classes.line}>
        <span className={classes.by}>{t('endedBy', { who: startedBy, when: formatMoment(endedAt) })}</span>
        {state === 'done' && <WhatIsLeft operation={operation} onLeave={close} />}
        {managesOperation(role, processType) && (
          <Button variant="subtle" size="compact-xs" ml="auto" flex="none" aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? t('hideLog') : t('showLog')}
          </Button>
        )}
      </div>
      <Collapse expanded={isOpen}>{isOpen && <OperationLog operationId={operationId} onLeave={close} />}</Collapse>
    </li>
  )
}
