import type { OperatorAccount } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#api/text-of-error.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { useLastPresent } from '#ui/use-last-present.ts'
import { operatorsQuery } from './queries.ts'

interface DeleteOperatorDialogProps {
  /** null keeps it closed. */
  account: OperatorAccount | null
  onClose: () => void
}

/** Asks for the e-mail address before the account is removed. */
export function DeleteOperatorDialog({ account, onClose }: DeleteOperatorDialogProps) {
  const { t } = useTranslation('operators')
  const queryClient = useQueryClient()
  const shown = useLastPresent(account)
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (id: string) => client.call('deleteOperator', { params: { id } }),
    onSuccess: () => {
      toastSuccess(t('delete.title'), t('delete.done', { email: shown?.email }))
      onClose()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: operatorsQuery.queryKey }),
  })
  const close = () => {
    reset()
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={account !== null}
      onClose={close}
      title={t('delete.title')}
      question={t('delete.question', { email: shown?.email, name: shown?.name })}
      consequence={t('delete.consequence')}
      confirm={t('delete.confirm')}
      nameToType={shown?.email}
      isDangerous
      isPending={isPending}
      failure={error === null ? null : { title: t('delete.failed'), text: textOf(error) }}
      onConfirm={() => {
        if (account !== null) mutate(account.id)
      }}
    />
  )
}
