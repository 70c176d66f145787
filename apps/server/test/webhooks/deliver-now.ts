/** For tests of webhooks: makes deliveries due now by changing their times in the database. */
import { type Network, type ReceivedWebhook, until, type WebhookReceiver } from '@roomkeeper/dev-env'
import { Webhook } from 'standardwebhooks'

/** Makes each waiting delivery due, as if its pause was over. `claimed`: also deliveries that a worker is trying. */
export async function hurry({ database }: Network, claimed: 'claimed' | 'unclaimed' = 'unclaimed'): Promise<void> {
  await database.rows(
    `update webhook_deliveries set next_try_at = now() where state = 'waiting' and (claim is null or $1)`,
    [claimed === 'claimed'],
  )
}

/** Waits until no delivery of the webhook is waiting. */
export async function allDelivered(network: Network, webhookId: string): Promise<void> {
  await until('all to be delivered', async () => {
    await hurry(network)
    const [row] = await network.database.rows<{ waiting: number }>(
      `select count(*)::int as waiting from webhook_deliveries where webhook_id = $1 and state = 'waiting'`,
      [webhookId],
    )
    return row?.waiting === 0
  })
}

export interface ToldEvent {
  type: string
  timestamp: string
  data: Record<string, unknown> & { room?: { id: string; name: string }; operation?: { id: string } | null }
}

/** The body, verified as a receiver does. @throws when no signature is right */
export function verified({ headers, body }: Pick<ReceivedWebhook, 'headers' | 'body'>, secret: string): ToldEvent {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as ToldEvent
}

/** What the receiver has accepted, each once, in the order in which it was accepted first. */
export function acceptedBy({ received }: WebhookReceiver, secret: string): ToldEvent[] {
  const seen = new Map<unknown, ToldEvent>()
  for (const each of received) {
    const event = verified(each, secret)
    const id = each.headers['webhook-id']
    if (each.isAccepted && !seen.has(id)) seen.set(id, event)
  }
  return [...seen.values()]
}
