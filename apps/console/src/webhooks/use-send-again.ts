import type { WebhookDelivery } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { useAnswerText } from './DeliveryOutcome.tsx'
import { refetchWebhooks } from './queries.ts'

/** Sends a delivery again at once, and says how it went. @param id of the webhook */
export function useSendAgain(id: string) {
  const { t } = useTranslation('webhooks')
  const queryClient = useQueryClient()
  const answerOf = useAnswerText()
  return useMutation({
    mutationFn: async (deliveryId: string) =>
      (await client.call('resendWebhookDelivery', { params: { id, deliveryId } })).body,
    // The row says why it was not taken; a toast has no room for it.
    onSuccess: (delivery: WebhookDelivery) => {
      if (delivery.failure === null) toastSuccess(delivery.type, t('resend.taken', { answer: answerOf(delivery) }))
      else toastError(delivery.type, t('resend.notTaken'))
    },
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('resend.failed'), textOf(error))
    },
    onSettled: () => refetchWebhooks(queryClient),
  })
}
