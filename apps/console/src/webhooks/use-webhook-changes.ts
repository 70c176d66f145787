/** Changes of webhooks, with a question if something would be lost. */
import type { Webhook } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { showSecret } from '#ui/dialog/SecretDialog.tsx'
import { useNumberFormat } from '#ui/format.ts'
import { toastSuccess } from '#ui/toast.ts'
import { refetchWebhooks } from './queries.ts'

/** @returns a function that removes a webhook after saying what goes with it */
export function useDeleteWebhook() {
  const { t } = useTranslation('webhooks')
  const queryClient = useQueryClient()
  return async ({ id, name, url }: Webhook) => {
    const isDeleted = await confirm({
      title: t('delete.title', { name }),
      question: t('delete.question'),
      consequence: t('delete.consequence', { url }),
      confirm: t('delete.confirm'),
      danger: true,
      failed: t('delete.failed'),
      run: () => client.call('deleteWebhook', { params: { id } }).finally(() => void refetchWebhooks(queryClient)),
    })
    if (isDeleted) toastSuccess(name, t('delete.done'))
  }
}

/** @returns a function that makes a new secret, after a question, and shows it this once */
export function useRenewSecret() {
  const { t } = useTranslation('webhooks')
  const show = useShowSecret()
  return async ({ id, name }: Webhook) => {
    let secret = null as string | null
    await confirm({
      title: t('renew.title', { name }),
      question: t('renew.question'),
      consequence: t('renew.consequence'),
      confirm: t('renew.confirm'),
      failed: t('renew.failed'),
      run: async () => {
        secret = (await client.call('renewWebhookSecret', { params: { id } })).body.secret
      },
    })
    // Only now, so that the focus returns to where it was before the question.
    if (secret !== null) show({ name, secret, isRenewed: true })
  }
}

/** @returns a function that shows the secret of a webhook this once */
export function useShowSecret() {
  const { t } = useTranslation('webhooks')
  return ({ name, secret, isRenewed }: { name: string; secret: string; isRenewed: boolean }) =>
    showSecret({
      title: t('secret.title', { name }),
      note: isRenewed ? t('secret.noteRenewed') : t('secret.note'),
      label: t('secret.label'),
      secret,
      children: t('secret.use'),
    })
}

/** Switches a webhook on, or off; one that was changed meanwhile is refused. Asks if events wait for their delivery. */
export function useSwitchWebhook() {
  const { t } = useTranslation('webhooks')
  const number = useNumberFormat()
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: ({ webhook: { id, version, name, url, events }, isOn }: { webhook: Webhook; isOn: boolean }) =>
      client.call('changeWebhook', { params: { id }, body: { version, name, url, events, isOn } }),
    onSuccess: (_, { webhook, isOn }) => toastSuccess(webhook.name, isOn ? t('switchOn.done') : t('switchOff.done')),
    meta: { failed: t('edit.failed') },
    onSettled: () => refetchWebhooks(queryClient),
  })
  const mayGiveUp = ({ name, waiting }: Webhook) =>
    confirm({
      title: t('switchOff.title', { name }),
      question: t('switchOff.question', { count: waiting, n: number.format(waiting) }),
      confirm: t('switchOff.confirm'),
      danger: true,
    })
  const run = async (webhook: Webhook) => {
    if (webhook.isOn && webhook.waiting > 0 && !(await mayGiveUp(webhook))) return
    mutate({ webhook, isOn: !webhook.isOn })
  }
  return { run, isPending }
}
