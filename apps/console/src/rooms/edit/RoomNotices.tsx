import { Box, Group, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ProjectRoom } from '@roomkeeper/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import {
  CancelOperation,
  managesOperation,
  OperationLog,
  processName,
  stepTitle,
  WaitingOperation,
} from '#operations/index.ts'
import { DisclosureButton } from '#ui/DisclosureButton.tsx'
import { ThinProgress } from '#ui/ThinProgress.tsx'
import { FailureReason, RoomFailure } from '../RoomFailure.tsx'

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
  const { t } = useTranslation(['rooms', 'operations'])
  const { role } = useOperator()
  const running = room.runningOperation
  if (running === null) return null
  const process = running.processType === null ? t('operation') : processName(running.processType)
  return (
    <Notice
      title={`${process}: ${running.step === null ? t('waiting') : stepTitle(running.stepId, running.step)}`}
      action={<CancelOperation operation={running} roomName={room.tenantName} />}
    >
      <ThinProgress value={running.progress} label={`${process} ${room.tenantName}`} />
      <WaitingOperation operationId={running.operationId} />
      {managesOperation(role, running.processType) && <OperationLog operationId={running.operationId} />}
    </Notice>
  )
}

function LastFailure({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation(['edit', 'app'])
  const [isOpen, { toggle }] = useDisclosure()
  const button = (
    <DisclosureButton variant="default" size="compact-sm" isOpen={isOpen} toggle={toggle}>
      {isOpen ? t('lastFailure.hide') : t('lastFailure.show')}
    </DisclosureButton>
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
    <Box component="section" px="lg" py="sm" bdrs="lg" className="rk-column rk-gap-sm rk-panel" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Title order={2} size="h3" fw={700}>
          {title}
        </Title>
        <Box flex="none">{action}</Box>
      </Group>
      {children}
    </Box>
  )
}
