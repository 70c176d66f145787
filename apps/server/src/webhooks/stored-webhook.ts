/** Reads webhooks, as the wire shows them. */
import type { Webhook } from '@roomkeeper/contract'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'

const select = `
  select id, name, url, events, is_on, version, created_at, last_delivered_at, failing_since, switched_off_at,
         (select count(*)::int from webhook_deliveries d
           where d.webhook_id = webhooks.id and d.state = 'waiting') as waiting
    from webhooks where deleted_at is null`

export function listWebhooks(db: Db | Tx): Promise<Webhook[]> {
  return queryRows<Webhook>(db, `${select} order by lower(name)`)
}

/** @throws Refusal `webhook-unknown` */
export async function findWebhook(db: Db | Tx, id: string): Promise<Webhook> {
  const [found] = await queryRows<Webhook>(db, `${select} and id = $1`, [id])
  if (found === undefined) throw refuse('webhook-unknown')
  return found
}

/** Locks it until the transaction ends. @throws Refusal `webhook-unknown` */
export async function lockWebhook(tx: Tx, id: string): Promise<Webhook> {
  await queryRows(tx, 'select from webhooks where id = $1 for no key update', [id])
  return findWebhook(tx, id)
}
