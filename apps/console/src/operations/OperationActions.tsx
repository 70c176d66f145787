import { Button, Group } from '@mantine/core'
import { ProblemError, type ProcessType, type Role } from '@roomkeeper/contract'
import { isAdministrator, isDirectSales } from '@roomkeeper/rules'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { textOf, textOfReasons } from '#locales/error-texts.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { toastAccepted } from './followed-operations.tsx'
import classes from './OperationActions.module.css'
import { processName } from './operation-names.ts'
import type { LoggedOperation } from './queries.ts'

interface CancelOperationProps {
  operation: {
    operationId: string
    processType: ProcessType | null
    /** Null while it is in the queue. */
    stepId: string | null
  }
  roomName: string
  /** What it is called; by default by its process. */
  title?: string
}

/** Steps that cannot be cancelled once begun. For other operations the server refuses a late cancel. */
const irreversibleSteps: ReadonlySet<string> = new Set(['delete-room', 'delete-database', 'restore-database'])

/** Cancels a running operation after asking. Renders nothing if the role may not cancel it or it is too late. */
export function CancelOperation({ operation, roomName: room, title }: CancelOperationProps) {
  const { t } = useTranslation('operations')
  const { role } = useOperator()
  const cancel = useCancel(operation.operationId)
  const { processType, stepId } = operation
  const name = title ?? processName(processType)
  const isTooLate = stepId !== null && irreversibleSteps.has(stepId)
  if (!managesOperation(role, processType) || isTooLate) return null
  const ask = async () => {
    const accepted = { title: t('cancel.action'), text: t('cancel.accepted', { room }) }
    await confirm({
      title: t('cancel.title', { name, room }),
      question: t(`cancel.consequence.${consequenceOf(processType)}`, { room }),
      confirm: t('cancel.action'),
      cancel: t('cancel.goOn'),
      danger: true,
      failed: t('cancel.refused'),
      run: () => cancel().then(() => toastAccepted(operation.operationId, accepted)),
    })
  }
  return (
    <Button
      variant="default"
      size="compact-xs"
      aria-label={t('cancel.label', { name, room })}
      onClick={() => void ask()}
    >
      {t('cancel.action')}
    </Button>
  )
}

function useCancel(operationId: string) {
  const queryClient = useQueryClient()
  return async () => {
    try {
      await client.call('cancelOperation', { params: { id: operationId } })
    } finally {
      // A refused cancel means that the operation has ended or moved on.
      for (const key of ['operations', 'rooms']) void queryClient.invalidateQueries({ queryKey: [key] })
    }
  }
}

function consequenceOf(process: ProcessType | null): 'removed' | 'restored' | 'before' {
  if (isCreation(process)) return 'removed'
  return process === 'Restore PR' ? 'restored' : 'before'
}

interface RetryOperationProps {
  operationId: string
  roomName: string
  /** Why a retry cannot help, and what to do instead. */
  whyNot: LoggedOperation['whyNotRetry']
  /** Called when the retry was accepted. */
  onRetried?: (() => void) | undefined
}

/** Retries a failed operation from its failed step; a refusal stays visible. */
export function RetryOperation({ operationId, roomName, whyNot, onRetried }: RetryOperationProps) {
  const { t } = useTranslation('operations')
  const queryClient = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.call('retryOperation', { params: { id: operationId } }),
    onSuccess: () => {
      toastAccepted(operationId, { title: t('retry.title'), text: t('retry.accepted', { name: roomName }) })
      onRetried?.()
      return queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
  })
  if (whyNot !== null) return <p className={classes.instead}>{textOfReasons(whyNot.reasons, whyNot.text)}</p>
  // The operation's data has been removed: only a new operation helps.
  const isOver = error instanceof ProblemError && error.code === 'start-again'
  return (
    <>
      {error !== null && <ProblemAlert title={t('retry.refused')}>{textOf(error)}</ProblemAlert>}
      <Group justify="flex-end">
        <Button loading={isPending} disabled={isOver} onClick={() => mutate()}>
          {t('retry.title')}
        </Button>
      </Group>
    </>
  )
}

/** Whether an operator may see an operation's log, cancel and retry it. The server checks again. */
export function managesOperation(role: Role, process: ProcessType | null): boolean {
  return manages(role, isCreation(process))
}

/** The same for an operation that the audit trail names by its action. */
export function managesOperationOf(role: Role, action: string): boolean {
  return manages(role, /^room\.(create|import)/.test(action))
}

/** Sales manage what they start: creations and imports. */
function manages(role: Role, createsRoom: boolean): boolean {
  return isAdministrator(role) || (isDirectSales(role) && createsRoom)
}

/** If a creation is cancelled, no room is left behind. */
function isCreation(process: ProcessType | null): boolean {
  return process === 'Create PR' || process === 'Import PR'
}
