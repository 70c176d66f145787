import { Button } from '@mantine/core'
import type { Bulk } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useOperator } from '#api/OperatorContext.tsx'

/** Begins no further room. Nothing for roles that may not take the action for its rooms, and once the bulk has ended. */
export function CancelBulk({ bulk }: { bulk: Bulk }) {
  const { t } = useTranslation('bulks')
  const { role } = useOperator()
  const { mutate, isPending } = useManage('cancelBulk', bulk.id, t('cancelRefused'))
  if (bulk.endedAt !== null || !roleAllows(role, bulk.access)) return null
  return (
    <Button variant="default" size="xs" disabled={bulk.isCancelling} loading={isPending} onClick={() => mutate()}>
      {t('cancel')}
    </Button>
  )
}

/** Takes the action again for the rooms that failed. */
export function RetryBulk({ bulk }: { bulk: Bulk }) {
  const { t } = useTranslation('bulks')
  const { role } = useOperator()
  const { mutate, isPending } = useManage('retryBulk', bulk.id, t('retryRefused'))
  if (!bulk.canRetry || !roleAllows(role, bulk.access)) return null
  return (
    <Button size="xs" loading={isPending} onClick={() => mutate()}>
      {bulk.counts.WAITING + bulk.counts.RUNNING > 0 ? t('retryRest') : t('retry', { count: bulk.counts.FAILED })}
    </Button>
  )
}

function useManage(call: 'cancelBulk' | 'retryBulk', id: string, refused: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => client.call(call, { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['bulks'] }),
    meta: { failed: refused },
  })
}
