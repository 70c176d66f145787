/** Reads webhooks, as the wire shows them. */
import { mailServerId, mostWaitingCounted, type Webhook } from '@roomkeeper/contract'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'

const select = `
  select id, name, url, events, is_on, version, created_at, created_by, changed_at, changed_by, last_delivered_at,
         failing_since, switched_off_at,
         (select count(*)::int from (select from webhook_deliveries d
           where d.webhook_id = webhooks.id and d.state = 'waiting' limit ${mostWaitingCounted}) as counted) as waiting
    from webhooks where deleted_at is null and id <> '${mailServerId}'`

export function listWebhooks(db: Db | Tx): Promise<Webhook[]> {
  return queryRows<Webhook>(db, `${select} order by lower(name)`)
}

/** @throws Refusal `webhook-unknown` */
export async function findWebhook(db: Db | Tx, id: string): Promise<Webhook> {
  const [found] = await queryRows<Webhook>(db, `${select} and id = $1`, [id])
  if (found === undefined) throw refuse('webhook-unknown')
  return found
}

export type WebhookSettings = Pick<Webhook, 'name' | 'url' | 'events' | 'isOn' | 'version'>

/** Locks it until the transaction ends. @throws Refusal `webhook-unknown` */
export async function lockWebhook(tx: Tx, id: string): Promise<WebhookSettings> {
  const [found] = await queryRows<WebhookSettings>(
    tx,
    `select name, url, events, is_on, version from webhooks where id = $1 and id <> $2 and deleted_at is null
        for no key update`,
    [id, mailServerId],
  )
  if (found === undefined) throw refuse('webhook-unknown')
  return found
}
