import { Button, Collapse } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { OperationSummary } from '@roomkeeper/contract'
import { isActorOf } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { SidePanel } from '#ui/dialog/Dialog.tsx'
import { formatMoment, useNumberFormat } from '#ui/format.ts'
import { ThinProgress } from '#ui/ThinProgress.tsx'
import { FinishedOperations } from './FinishedOperations.tsx'
import { CancelOperation, managesOperation } from './OperationActions.tsx'
import { OperationLog } from './OperationLog.tsx'
import classes from './OperationsPanel.module.css'
import { useOperationTitles } from './operation-titles.ts'
import { useSubjects } from './process-names.ts'
import { runningOperationsQuery } from './queries.ts'
import { Subject } from './Subject.tsx'
import { useStepTitles } from './use-step-titles.ts'
import { WholeTitle } from './WholeTitle.tsx'

/** The running operations: the operator's own first, then those of others. */
export function OperationsPanel() {
  // Also what the cards and the logs need, so that the first one does not take the panel, and the focus, away for a moment.
  const { t } = useTranslation(['operations', 'titles'])
  return (
    <SidePanel title={t('title')} width={420}>
      <Operations />
    </SidePanel>
  )
}

function Operations() {
  const { t } = useTranslation(['operations', 'app'])
  const { email } = useOperator()
  const { data = [] } = useQuery(runningOperationsQuery)
  const own = data.filter((each) => isActorOf(each.startedBy, email))
  const others = data.filter((each) => !isActorOf(each.startedBy, email))
  return (
    <>
      {data.length === 0 && <p className={classes.none}>{t('none')}</p>}
      <Group title={t('own')} operations={own} />
      <Group title={t('others')} operations={others} />
      <FinishedOperations />
    </>
  )
}

interface GroupProps {
  title: string
  operations: readonly OperationSummary[]
}

function Group({ title, operations }: GroupProps) {
  const number = useNumberFormat()
  if (operations.length === 0) return null
  return (
    <section className={classes.group}>
      <h3>{`${title} (${number.format(operations.length)})`}</h3>
      <ul>
        {operations.map((each) => (
          <OperationCard key={each.operationId} operation={each} />
        ))}
      </ul>
    </section>
  )
}

/** A running operation: its room, step and progress, and its log when opened. */
function OperationCard({ operation }: { operation: OperationSummary }) {
  const { t } = useTranslation('operations')
  const { role } = useOperator()
  const stepTitle = useStepTitles()
  const [isOpen, { toggle }] = useDisclosure()
  const { operationId, projectRoomName, processType, step, stepId, progress, startedAt, startedBy } = operation
  const title = useOperationTitles()(operation)
  const subject = useSubjects()(projectRoomName)
  return (
    <li className={classes.card}>
      <div className={classes.line}>
        <div className={classes.title}>
          <WholeTitle operation={operation} />
          <Subject stored={projectRoomName} />
        </div>
        <span className={classes.percent}>{`${Math.round(progress * 100)} %`}</span>
      </div>
      <ThinProgress value={progress} label={t('progressOf', { name: title, room: subject })} />
      <div className={classes.line}>
        <span className={classes.step}>{step === null ? t('waiting') : stepTitle(stepId, step)}</span>
        <span className={classes.buttons}>
          {managesOperation(role, processType) && (
            <Button variant="subtle" size="compact-xs" aria-expanded={isOpen} onClick={toggle}>
              {isOpen ? t('hideLog') : t('showLog')}
            </Button>
          )}
          <CancelOperation operation={operation} roomName={subject} title={title} />
        </span>
      </div>
      <div className={classes.by}>{t('startedBy', { who: startedBy, when: formatMoment(startedAt) })}</div>
      <Collapse expanded={isOpen}>{isOpen && <OperationLog operationId={operationId} />}</Collapse>
    </li>
  )
}
