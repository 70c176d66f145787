import { Button, Group } from '@mantine/core'
import { ProblemError } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#api/text-of-error.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { toastSuccess } from '#ui/toast.ts'

interface RetryOperationProps {
  operationId: string
  roomName: string
  /** It was accepted again and runs. */
  onRetried?: (() => void) | undefined
}

/** Runs a failed operation again from its failed step; a refusal stays in view. */
export function RetryOperation({ operationId, roomName, onRetried }: RetryOperationProps) {
  const { t } = useTranslation('operations')
  const queryClient = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.call('retryOperation', { params: { id: operationId } }),
    onSuccess: () => {
      toastSuccess(t('retry.title'), t('retry.accepted', { name: roomName }))
      onRetried?.()
      return queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
  })
  // What the operation needs is gone: only a new one helps.
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
