import { Button } from '@mantine/core'
import type { ProjectRoom } from '@roomkeeper/contract'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { CancelOperation, managesOperation, nameOfProcess, OperationLog, useStepTitles } from '#operations/index.ts'
import { ThinProgress } from '#ui/ThinProgress.tsx'
import { FailureReason, RoomFailure } from '../RoomFailure.tsx'
import classes from './RoomNotices.module.css'

/** The running operation of the room, or its last failure. */
export function RoomNotices({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation(['rooms', 'edit'])
  if (room.runningOperation !== null) return <Running room={room} />
  if (room.projectRoomState === 'ERROR') {
    return (
      <Notice title={t('room.error')}>
        <RoomFailure room={room} />
      </Notice>
    )
  }
  // The room works as before the failure, so the reason is enough until it is opened.
  return room.failedOperationId === null ? null : <LastFailure key={room.failedOperationId} room={room} />
}

function Running({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation('rooms')
  const { role } = useOperator()
  const stepTitle = useStepTitles()
  const running = room.runningOperation
  if (running === null) return null
  const process = running.processType === null ? t('operation') : nameOfProcess(running.processType)
  return (
    <Notice
      title={`${process}: ${running.step === null ? t('waiting') : stepTitle(running.stepId, running.step)}`}
      action={<CancelOperation operation={running} roomName={room.tenantName} />}
    >
      <ThinProgress value={running.progress} label={`${process} ${room.tenantName}`} />
      {managesOperation(role, running.processType) && <OperationLog operationId={running.operationId} />}
    </Notice>
  )
}

function LastFailure({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation(['edit', 'app'])
  const [isOpen, setIsOpen] = useState(false)
  const button = (
    <Button variant="default" size="compact-sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
      {isOpen ? t('lastFailure.hide') : t('lastFailure.show')}
    </Button>
  )
  return (
    <Notice title={t('lastFailure.title')} action={button}>
      {isOpen ? <RoomFailure room={room} /> : <FailureReason room={room} />}
    </Notice>
  )
}

interface NoticeProps {
  title: string
  action?: ReactNode
  children: ReactNode
}

function Notice({ title, action, children }: NoticeProps) {
  return (
    <section className={classes.notice} aria-label={title}>
      <div className={classes.head}>
        <h2>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}
