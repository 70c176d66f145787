import type { OperatorAccount } from '@roomkeeper/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { toastSuccess } from '#ui/toast.ts'

/** All accounts, sorted by e-mail. */
export const operatorsQuery = queryOptions({
  queryKey: ['operators'],
  queryFn: async ({ signal }) => (await client.call('operators', { signal })).body,
})

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
