import { Text } from '@mantine/core'
import { type OperationStep, ProblemError, type ProjectRoom } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { FailureText, OperationLog, operationLogQuery, RetryOperation, stepTitle } from '#operations/index.ts'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'

interface RoomFailureProps {
  room: ProjectRoom
  /** Called when the retry was accepted. */
  onRetried?: () => void
  /** Called when a link leads to the region's settings. */
  onLeave?: (() => void) | undefined
}

/** Why the room's newest operation failed: the reason, the step, the log, and Retry. */
export function RoomFailure({ room, onRetried, onLeave }: RoomFailureProps) {
  const { failedOperationId: operationId, tenantName } = room
  const { maySeeLog, data, error } = useFailedOperation(room)
  return (
    <div className="rk-column rk-gap-sm">
      <FailureReason room={room} onLeave={onLeave} />
      {maySeeLog && operationId !== null && !isRefused(error) && (
        <>
          <FailedStep steps={data?.steps ?? []} />
          <OperationLog operationId={operationId} onLeave={onLeave} />
          {data !== undefined && (
            <RetryOperation
              operationId={operationId}
              roomName={tenantName}
              whyNot={data.whyNotRetry}
              onRetried={onRetried}
            />
          )}
        </>
      )}
    </div>
  )
}

/** Why the room's newest operation failed. */
export function FailureReason({ room, onLeave }: Pick<RoomFailureProps, 'room' | 'onLeave'>) {
  const { t } = useTranslation('rooms')
  const { errorMessage, errorReasons } = room
  const { data } = useFailedOperation(room)
  const [reasons, message] =
    errorMessage === null ? [data?.errorReasons ?? [], data?.errorText ?? null] : [errorReasons, errorMessage]
  return (
    <p className="rk-failure">
      <FailureText reasons={reasons} text={message ?? t('failure.noMessage')} onLeave={onLeave} />
    </p>
  )
}

/** The server refuses the log to operators who may not manage the operation. */
function useFailedOperation({ failedOperationId }: ProjectRoom) {
  const { role } = useOperator()
  const maySeeLog = failedOperationId !== null && roleAllows(role, 'edit')
  return { maySeeLog, ...useQuery({ ...operationLogQuery(failedOperationId ?? ''), enabled: maySeeLog }) }
}

function FailedStep({ steps }: { steps: readonly OperationStep[] }) {
  const { t } = useTranslation(['rooms', 'operations'])
  const failed = steps.find((step) => step.state === 'failed')
  if (failed === undefined) return null
  return <Text fw={600}>{t('failure.step', { step: stepTitle(failed.id, failed.name) })}</Text>
}

function isRefused(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.status === 403
}

/** Why a room is in error, with Retry. */
export function RoomErrorDialog({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation('rooms')
  const close = useCloseDialog()
  return (
    <Dialog title={t('failure.title', { name: room.tenantName })} width="large" closesOutside>
      <RoomFailure room={room} onRetried={close} onLeave={close} />
    </Dialog>
  )
}
