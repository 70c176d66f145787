import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ProcessType } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { textOf } from '#api/text-of-error.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { isCreation, managesOperation } from './who-manages.ts'

interface CancelOperationProps {
  operation: {
    operationId: string
    processType: ProcessType | null
    /** null while it waits in line. */
    step: string | null
  }
  roomName: string
}

/** The steps from which nothing can be brought back; the server refuses a cancel that is too late for others. */
const withoutReturn: ReadonlySet<string> = new Set([
  'delete the room on the region',
  'delete the database on the region',
  'restore the database on the region',
])

/** Cancels a running operation after asking; nothing at all where the role may not or where it is too late. */
export function CancelOperation({ operation, roomName: room }: CancelOperationProps) {
  const { t } = useTranslation('operations')
  const { role } = useOperator()
  const [isOpen, question] = useDisclosure()
  const { processType, step } = operation
  const { mutate, reset, isPending, error } = useCancel(operation.operationId, () => {
    toastSuccess(t('cancel.action'), t('cancel.accepted', { room }))
    question.close()
  })
  const name = processType ?? t('otherProcess')
  const isTooLate = step !== null && withoutReturn.has(step)
  if (!managesOperation(role, processType)) return null
  return (
    <>
      {!isTooLate && (
        <Button
          variant="default"
          size="compact-xs"
          aria-label={t('cancel.label', { name, room })}
          onClick={() => {
            reset()
            question.open()
          }}
        >
          {t('cancel.action')}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isOpen}
        onClose={question.close}
        title={t('cancel.title', { name, room })}
        question={t(`cancel.consequence.${consequenceOf(processType)}`, { room })}
        confirm={t('cancel.action')}
        cancel={t('cancel.goOn')}
        isDangerous
        isPending={isPending}
        failure={error === null ? null : { title: t('cancel.refused'), text: textOf(error) }}
        onConfirm={() => mutate()}
      />
    </>
  )
}

function useCancel(operationId: string, onAccepted: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => client.call('cancelOperation', { params: { id: operationId } }),
    onSuccess: onAccepted,
    // Also a refused cancel has learned something: the operation has ended or gone on.
    onSettled: () =>
      Promise.all(['operations', 'rooms'].map((key) => queryClient.invalidateQueries({ queryKey: [key] }))),
  })
}

function consequenceOf(process: ProcessType | null): 'removed' | 'restored' | 'before' {
  if (isCreation(process)) return 'removed'
  return process === 'Restore PR' ? 'restored' : 'before'
}
