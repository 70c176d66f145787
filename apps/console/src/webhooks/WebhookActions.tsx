import type { Webhook } from '@roomkeeper/contract'
import {
  IconKey,
  IconListDetails,
  IconPencil,
  IconSend,
  IconToggleLeft,
  IconToggleRight,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { IconAction } from '#ui/ActionButtons.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { onDemand } from '#ui/on-demand.tsx'
import { TestDialog } from './TestDialog.tsx'
import { useDeleteWebhook, useRenewSecret, useSwitchWebhook } from './use-webhook-changes.ts'
import classes from './Webhooks.module.css'

export const WebhookDialog = onDemand(async () => ({ default: (await import('./WebhookDialog.tsx')).WebhookDialog }))

/** What can be done with a webhook. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const navigate = useNavigate()
  const switching = useSwitchWebhook()
  const renewSecret = useRenewSecret()
  const deleteWebhook = useDeleteWebhook()
  const { id, name, isOn } = webhook
  return (
    <div className={classes.actions}>
      <IconAction
        label={t('actions.deliveries', { name })}
        icon={IconListDetails}
        onClick={() => void navigate({ to: '/project/webhooks/{-$id}', params: { id } })}
      />
      <IconAction
        label={t('actions.test', { name })}
        icon={IconSend}
        onClick={() => openDialog(<TestDialog webhook={webhook} />)}
      />
      <IconAction
        label={t('actions.edit', { name })}
        icon={IconPencil}
        onClick={() => openDialog(<WebhookDialog webhook={webhook} />)}
      />
      <IconAction
        label={isOn ? t('actions.switchOff', { name }) : t('actions.switchOn', { name })}
        icon={isOn ? IconToggleRight : IconToggleLeft}
        isBusy={switching.isPending}
        onClick={() => void switching.run(webhook)}
      />
      <IconAction label={t('actions.renew', { name })} icon={IconKey} onClick={() => void renewSecret(webhook)} />
      <IconAction label={t('actions.delete', { name })} icon={IconTrash} onClick={() => void deleteWebhook(webhook)} />
    </div>
  )
}
