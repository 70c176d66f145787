/** The calls about webhooks themselves. */
import { randomUUID } from 'node:crypto'
import { fieldError, mailServerId, mostWaitingCounted, type Webhook, type WebhookDraft } from '@roomkeeper/contract'
import { changedFields, type FieldChange, mostWebhooks, recordChange } from '#changes/index.ts'
import { lockUntilCommit } from '#platform/advisory-locks.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import type { AddressGuard } from './address-guard.ts'
import { newSigningSecret, replaceSecret } from './secrets.ts'
import type { SendingParts } from './try-delivery.ts'

export interface WebhookParts extends SendingParts {
  database: Database
}

type WebhookHandlers = Pick<
  Handlers,
  'webhooks' | 'createWebhook' | 'changeWebhook' | 'deleteWebhook' | 'renewWebhookSecret'
>

export function webhookRouteHandlers({ database, secrets, guard }: WebhookParts): WebhookHandlers {
  return {
    webhooks: async () => ok(await listWebhooks(database.db)),
    async createWebhook({ body, caller, requestId }) {
      checkAddress(guard, body)
      const secret = newSigningSecret()
      const made = await savingName(database, body.name, async (tx) => {
        await checkPlaces(tx)
        const id = randomUUID()
        await queryRows(
          tx,
          `insert into webhooks (id, name, url, events, is_on, secret, created_by, changed_by)
           values ($1, $2, $3, $4, $5, $6, $7, $7)`,
          [id, body.name, body.url, [...new Set(body.events)], body.isOn, secrets.seal(secret), caller.actor],
        )
        const entry = { kind: 'webhook.create' as const, detail: body.name, changes: changesOf(null, body) }
        await recordChange(tx, { ...entry, actor: caller.actor, requestId })
        return findWebhook(tx, id)
      })
      return ok({ ...made, secret: secret.reveal() })
    },
    async changeWebhook({ params, body, caller, requestId }) {
      checkAddress(guard, body)
      const changed = await savingName(database, body.name, async (tx) => {
        const before = await lockWebhook(tx, params.id)
        if (typeof body.version === 'number' && body.version !== before.version) throw refuse('webhook-stale')
        const changes = changesOf(before, body)
        if (changes.length === 0) return findWebhook(tx, params.id)
        await queryRows(tx, updateWebhook, [
          params.id,
          body.name,
          body.url,
          [...new Set(body.events)],
          body.isOn,
          caller.actor,
        ])
        const entry = { kind: 'webhook.change' as const, detail: before.name, changes }
        await recordChange(tx, { ...entry, actor: caller.actor, requestId })
        return findWebhook(tx, params.id)
      })
      return ok(changed)
    },
    async deleteWebhook({ params, caller, requestId }) {
      await database.transaction(async (tx) => {
        const { name: detail } = await lockWebhook(tx, params.id)
        // It may have a million deliveries, which housekeeping removes. Nothing signs with its secrets any more.
        await queryRows(
          tx,
          `update webhooks set is_on = false, deleted_at = steady_now(), secret = '', former_secrets = '[]'
            where id = $1`,
          [params.id],
        )
        await recordChange(tx, { kind: 'webhook.delete', detail, actor: caller.actor, requestId })
      })
      return noContent
    },
    async renewWebhookSecret({ params, caller, requestId }) {
      const secret = newSigningSecret()
      await database.transaction(async (tx) => {
        const { name: detail } = await lockWebhook(tx, params.id)
        await replaceSecret(tx, params.id, { secret: secrets.seal(secret), changedBy: caller.actor })
        await recordChange(tx, { kind: 'webhook.secret', detail, actor: caller.actor, requestId })
      })
      return ok({ secret: secret.reveal() })
    },
  }
}

/** What a name leads to is known only when something is sent. @throws Refusal `invalid-input` */
function checkAddress(guard: AddressGuard, { url }: WebhookDraft): void {
  const address = guard.forbiddenIn(new URL(url))
  if (address !== null) throw refuseInput([fieldError('url', 'webhook-address-forbidden', { address })])
}

/** Holds a lock, so that two calls at once do not both take the last place. @throws Refusal `too-many-webhooks` */
async function checkPlaces(tx: Tx): Promise<void> {
  await lockUntilCommit(tx, 'webhooks')
  const [{ there } = { there: 0 }] = await queryRows<{ there: number }>(
    tx,
    'select count(*)::int as there from webhooks where deleted_at is null and id <> $1',
    [mailServerId],
  )
  if (there >= mostWebhooks) throw refuse('too-many-webhooks', { max: mostWebhooks })
}

/** Switched on again, or led elsewhere, it has not failed yet. */
const updateWebhook = `
  update webhooks
     set name = $2, url = $3, events = $4, is_on = $5, version = version + 1, changed_by = $6, changed_at = now(),
         failing_since = case when url = $3 and (is_on or not $5) then failing_since end,
         switched_off_at = case when is_on or not $5 then switched_off_at end
   where id = $1`

const fields = ['name', 'url', 'events', 'isOn'] as const

/** Of a URL only where it leads: its path is often the secret of the receiver. */
function changesOf(before: WebhookDraft | null, after: WebhookDraft): FieldChange[] {
  const host = (url: unknown) => (typeof url === 'string' ? new URL(url).origin : url)
  return changedFields(fields, before, after).map((change) =>
    change.field === 'url' ? { field: 'url', from: host(change.from), to: host(change.to) } : change,
  )
}

async function savingName<T>(database: Database, name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await database.transaction(work)
  } catch (error) {
    throw violatesUnique(error, 'webhooks_name') ? refuse('webhook-name-taken', { name }) : error
  }
}

function listWebhooks(db: Db | Tx): Promise<Webhook[]> {
  return queryRows<Webhook>(db, `${selectWebhooks} order by lower(name)`)
}

/** @throws Refusal `webhook-unknown` */
export async function findWebhook(db: Db | Tx, id: string): Promise<Webhook> {
  const [found] = await queryRows<Webhook>(db, `${selectWebhooks} and id = $1`, [id])
  if (found === undefined) throw refuse('webhook-unknown')
  return found
}

const selectWebhooks = `
  select id, name, url, events, is_on, version, created_at, created_by, changed_at, changed_by, last_delivered_at,
         failing_since, switched_off_at,
         (select count(*)::int from (select from webhook_deliveries d
           where d.webhook_id = webhooks.id and d.state = 'waiting' limit ${mostWaitingCounted}) as counted) as waiting
    from webhooks where deleted_at is null and id <> '${mailServerId}'`

type WebhookSettings = Pick<Webhook, 'name' | 'url' | 'events' | 'isOn' | 'version'>

/** Locks it until the transaction ends. @throws Refusal `webhook-unknown` */
async function lockWebhook(tx: Tx, id: string): Promise<WebhookSettings> {
  const [found] = await queryRows<WebhookSettings>(
    tx,
    `select name, url, events, is_on, version from webhooks where id = $1 and id <> $2 and deleted_at is null
        for no key update`,
    [id, mailServerId],
  )
  if (found === undefined) throw refuse('webhook-unknown')
  return found
}
