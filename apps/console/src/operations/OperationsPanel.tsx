import { Box, Collapse, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { FinishedOperation, OperationSummary } from '@roomkeeper/contract'
import { isActorOf, isAdministrator } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { DisclosureButton } from '#ui/DisclosureButton.tsx'
import { SidePanel } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { formatMoment, useNumberFormat } from '#ui/format.ts'
import { ThinProgress } from '#ui/ThinProgress.tsx'
import { FailureText } from './FailureText.tsx'
import { CancelOperation, managesOperation } from './OperationActions.tsx'
import { OperationLog } from './OperationLog.tsx'
import classes from './OperationsPanel.module.css'
import { OutcomePill } from './OutcomePill.tsx'
import { isRoom, operationTitle, stepTitle, type Titled, targetName, titleWithTarget } from './operation-names.ts'
import { finishedOperationsQuery, runningOperationsQuery } from './queries.ts'
import { WaitingOperation } from './WaitingStep.tsx'

/** The running operations: the operator's own first, then those of others. */
export function OperationsPanel() {
  // Also the texts of the cards and the logs; see `loadTexts`.
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
      {data.length === 0 && (
        <Text c="dimmed" my="xs">
          {t('none')}
        </Text>
      )}
      <RunningGroup title={t('own')} operations={own} />
      <RunningGroup title={t('others')} operations={others} />
      <FinishedOperations />
    </>
  )
}

interface RunningGroupProps {
  title: string
  operations: readonly OperationSummary[]
}

function RunningGroup({ title, operations }: RunningGroupProps) {
  const number = useNumberFormat()
  if (operations.length === 0) return null
  return (
    <Group title={`${title} (${number.format(operations.length)})`}>
      {operations.map((each) => (
        <OperationCard key={each.operationId} operation={each} />
      ))}
    </Group>
  )
}

interface GroupProps {
  title: string
  label?: string
  /** A card for each operation. */
  children: ReactNode
}

function Group({ title, label, children }: GroupProps) {
  return (
    <Box component="section" className="rk-column rk-gap-xs" mt="sm" aria-label={label}>
      <h3 className="rk-group-title">{title}</h3>
      <ul className="rk-list rk-column rk-gap-xs">{children}</ul>
    </Box>
  )
}

function Card({ children }: { children: ReactNode }) {
  return (
    <Box component="li" px="sm" py="xs" className="rk-column rk-gap-xs rk-panel">
      {children}
    </Box>
  )
}

/** A running operation: its room, step and progress, and its log when opened. */
function OperationCard({ operation }: { operation: OperationSummary }) {
  const { t } = useTranslation(['operations', 'titles'])
  const { role } = useOperator()
  const close = useCloseDialog()
  const [isOpen, { toggle }] = useDisclosure()
  const { operationId, projectRoomName, processType, step, stepId, progress, startedAt, startedBy, isBeingPutBack } =
    operation
  const title = operationTitle(operation)
  const subject = targetName(projectRoomName)
  const doing = step === null ? t('waiting') : stepTitle(stepId, step)
  return (
    <Card>
      <div className={classes.line}>
        <OperationHeading operation={operation} />
        <span className={classes.percent}>{`${Math.round(progress * 100)} %`}</span>
      </div>
      <ThinProgress value={progress} label={t('progressOf', { name: title, room: subject })} />
      <div className={classes.line}>
        <span className={classes.step}>{isBeingPutBack ? t('puttingBack', { step: doing }) : doing}</span>
        <span className="rk-row">
          {managesOperation(role, processType) && (
            <DisclosureButton isOpen={isOpen} toggle={toggle}>
              {isOpen ? t('hideLog') : t('showLog')}
            </DisclosureButton>
          )}
          <CancelOperation operation={operation} roomName={subject} title={title} />
        </span>
      </div>
      <WaitingOperation operationId={operationId} onLeave={close} />
      <div className="rk-note">{t('startedBy', { who: startedBy, when: formatMoment(startedAt) })}</div>
      <Collapse expanded={isOpen}>{isOpen && <OperationLog operationId={operationId} />}</Collapse>
    </Card>
  )
}

/** All operators' operations that have ended in the last hours: failures first. */
function FinishedOperations() {
  const { t } = useTranslation('operations')
  const { data = [] } = useQuery({ ...finishedOperationsQuery, refetchInterval: usePollInterval() })
  if (data.length === 0) return null
  return (
    <Group title={t('finished')} label={t('finished')}>
      {data.map((each) => (
        <FinishedCard key={each.operationId} operation={each} />
      ))}
    </Group>
  )
}

interface DeletedRoomLinkProps {
  operation: FinishedOperation
  onLeave: () => void
}

/** For administrators: leads to the last backup of a deleted room, or to the certificate of a purged one. */
function DeletedRoomLink({ operation: { kind, projectRoomName: search }, onLeave }: DeletedRoomLinkProps) {
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
  const { t } = useTranslation(['operations', 'titles'])
  const { role } = useOperator()
  const close = useCloseDialog()
  const [isOpen, { toggle }] = useDisclosure()
  const { operationId, processType, state, startedBy, endedAt, errorText, errorReasons } = operation
  return (
    <Card>
      <div className={classes.line}>
        <OperationHeading operation={operation} />
        <span className={classes.percent}>
          <OutcomePill state={state} />
        </span>
      </div>
      {state === 'failed' && errorText !== null && (
        <div className="rk-text">
          <FailureText reasons={errorReasons} text={errorText} onLeave={close} />
        </div>
      )}
      <div className={classes.line}>
        <span className="rk-note">{t('endedBy', { who: startedBy, when: formatMoment(endedAt) })}</span>
        {state === 'done' && <DeletedRoomLink operation={operation} onLeave={close} />}
        {managesOperation(role, processType) && (
          <DisclosureButton isOpen={isOpen} toggle={toggle} ml="auto" flex="none">
            {isOpen ? t('hideLog') : t('showLog')}
          </DisclosureButton>
        )}
      </div>
      <Collapse expanded={isOpen}>{isOpen && <OperationLog operationId={operationId} onLeave={close} />}</Collapse>
    </Card>
  )
}

interface OperationHeadingProps {
  operation: Titled & { operationId: string; projectRoomName: string }
}

/** For the panel: the title of an operation, for a bulk as a link to its screen, and a link to the room it works on. */
function OperationHeading({ operation }: OperationHeadingProps) {
  const close = useCloseDialog()
  const { kind, operationId, projectRoomName: room } = operation
  const title = titleWithTarget(operation)
  return (
    <div className={classes.title}>
      {kind === 'bulk.run' ? (
        <Link to="/project/bulk/$id" params={{ id: operationId }} onClick={close}>
          {title}
        </Link>
      ) : (
        <strong>{title}</strong>
      )}
      {isRoom(room) && (
        <Link to="/project/edit_project_room/$id" params={{ id: room }} onClick={close}>
          {room}
        </Link>
      )}
    </div>
  )
}
