/**
 * What housekeeping does for webhooks every minute, in pieces: what is old, and what was deleted, is removed. It waits for
 * no row, because it locks them in no order.
 */
import { mailServerId } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'
import { inPieces } from '#platform/in-pieces.ts'
import { steadyTime } from '#platform/steady-time.ts'
import { forgetFormerSecrets } from './secrets.ts'

const keptDays = 30
const atOnce = 5000

export async function tidyWebhooks(db: Db): Promise<void> {
  await inPieces(
    db,
    `delete from webhook_deliveries where id in (
       select id from webhook_deliveries
        where state <> 'waiting' and at < ${steadyTime} - make_interval(days => $1) order by at limit $2 for update skip locked) returning 1`,
    [keptDays, atOnce],
    atOnce,
  )
  await inPieces(
    db,
    `delete from webhook_deliveries where id in (
       select d.id from webhooks w join webhook_deliveries d on d.webhook_id = w.id
        where w.deleted_at is not null limit $1 for update of d skip locked) returning 1`,
    [atOnce],
    atOnce,
  )
  // They hold addresses that strangers have typed, and nothing that an operator would send again.
  await inPieces(
    db,
    `delete from webhook_deliveries where id in (
       select id from webhook_deliveries where webhook_id = $1 and type = 'mail.room-names' and state <> 'waiting'
        limit $2 for update skip locked) returning 1`,
    [mailServerId, atOnce],
    atOnce,
  )
  // Not at once: who has read it as on, just before, may still be writing a delivery, which refers to it.
  await queryRows(
    db,
    `delete from webhooks where id in (
       select id from webhooks w where deleted_at < ${steadyTime} - interval '1 hour'
          and not exists (select from webhook_deliveries d where d.webhook_id = w.id) for update skip locked)`,
  )
  await forgetFormerSecrets(db)
}
