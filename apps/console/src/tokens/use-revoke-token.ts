import type { ApiToken } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { formatMoment } from '#ui/format.ts'
import { toastSuccess } from '#ui/toast.ts'
import { tokensQuery } from './queries.ts'

/** @returns a function that revokes a token after saying what stops working */
export function useRevokeToken() {
  const { t } = useTranslation('tokens')
  const queryClient = useQueryClient()
  return async ({ id, name, owner, isOwn, lastUsedAt, lastUsedFrom }: ApiToken) => {
    const used = lastUsedAt === null ? null : { at: formatMoment(lastUsedAt), address: lastUsedFrom ?? '?' }
    const isRevoked = await confirm({
      title: t('revoke.title', { name }),
      question: isOwn ? t('revoke.question') : t('revoke.questionOf', { owner }),
      consequence: used === null ? t('revoke.unused') : t('revoke.used', used),
      confirm: t('revoke.confirm'),
      danger: true,
      failed: t('revoke.failed'),
      run: () =>
        client
          .call('revokeToken', { params: { id } })
          .finally(() => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey })),
    })
    if (isRevoked) toastSuccess(name, t('revoke.done'))
  }
}
