import type { Webhook } from '@roomkeeper/contract'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { onDemand } from '#ui/on-demand.tsx'

const WebhookDialog = onDemand(() => import('./WebhookDialog.tsx'), 'WebhookDialog')

/** @param webhook null: adds one */
export function openWebhookDialog(webhook: Webhook | null): void {
  openDialog(<WebhookDialog webhook={webhook} />)
}
