/**
 * Tells webhooks that a region is down, or up again, after its health was written: once each, whichever process wrote
 * it. A region of unknown health is neither; what was told of it stays until its health is known.
 */
import type { WebhookData } from '@roomkeeper/contract'
import { queryRows, type Tx } from '#platform/database.ts'
import { enqueueWebhooks, type OutgoingEvent } from '#platform/webhook-outbox.ts'

type Health = WebhookData<'region.down'>['health']

/** In the transaction that has written the health. */
export async function tellOfHealth(tx: Tx, id: number): Promise<void> {
  const [changed] = await queryRows<{ name: string; health: Health | 'answers'; downSince: string }>(
    tx,
    `with before as (select id, down_since from regions where id = $1)
     update regions r set down_since = case when health = 'answers' then null else now() end
       from before where r.id = before.id and health is not null and (health = 'answers') = (r.down_since is not null)
     returning r.name, r.health, coalesce(r.down_since, before.down_since) as down_since`,
    [id],
  )
  if (changed === undefined) return
  const { name, health, downSince } = changed
  const data = { region: { id, name }, downSince }
  const event = health === 'answers' ? { type: 'region.up', data } : { type: 'region.down', data: { ...data, health } }
  await enqueueWebhooks(tx, [{ ...event, orderingKey: `region ${id}`, roomId: null, roomName: null } as OutgoingEvent])
}
