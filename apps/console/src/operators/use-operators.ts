import type { OperatorAccount } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { apiQuery } from '#api/queries.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { toastSuccess } from '#ui/toast.ts'

/** All accounts, sorted by e-mail. */
export const operatorsQuery = { ...apiQuery(['operators'], 'operators', {}), staleTime: 10_000 }

/** @returns a function that asks, and lets an account sign in again that is locked since a dump was restored */
export function useConfirmOperator() {
  const { t } = useTranslation(['operators', 'app'])
  const queryClient = useQueryClient()
  const refetch = () => void queryClient.invalidateQueries({ queryKey: operatorsQuery.queryKey })
  return async ({ id, email, name, role }: OperatorAccount) => {
    const isConfirmed = await confirm({
      title: t('confirm.title'),
      question: t('confirm.question', { email, name, role: t(`app:roles.${role}`) }),
      consequence: t('confirm.consequence'),
      confirm: t('confirm.confirm'),
      failed: t('confirm.failed'),
      run: () => client.call('confirmOperator', { params: { id } }).finally(refetch),
    })
    if (isConfirmed) toastSuccess(t('confirm.title'), t('confirm.done', { email }))
  }
}

/** @returns a function that deletes an account after its e-mail address was typed */
export function useDeleteOperator() {
  const { t } = useTranslation('operators')
  const queryClient = useQueryClient()
  const refetch = () => void queryClient.invalidateQueries({ queryKey: operatorsQuery.queryKey })
  return async ({ id, email, name }: OperatorAccount) => {
    const isDeleted = await confirm({
      title: t('delete.title'),
      question: t('delete.question', { email, name }),
      consequence: t('delete.consequence'),
      confirm: t('delete.confirm'),
      nameToType: email,
      danger: true,
      failed: t('delete.failed'),
      run: () => client.call('deleteOperator', { params: { id } }).finally(refetch),
    })
    if (isDeleted) toastSuccess(t('delete.title'), t('delete.done', { email }))
  }
}
