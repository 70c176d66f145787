import { fieldError, type Notification, type NotificationDraft } from '@roomkeeper/contract'
import { changedFields, recordChange } from '#changes/index.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { cleanHtml, linkThatIsRefused } from './clean-html.ts'

type NotificationHandlers = Pick<
  Handlers,
  'notifications' | 'createNotification' | 'changeNotification' | 'deleteNotification' | 'customerNotifications'
>

const fields = ['message', 'startDate', 'endDate', 'displayPopup', 'deactivate'] as const

export function notificationHandlers(database: Database): NotificationHandlers {
  const { db } = database
  return {
    notifications: async () =>
      ok(await queryRows<Notification>(db, `select ${columns} from notifications ${latestFirst}`)),
    customerNotifications: async () =>
      ok(
        await queryRows<Notification>(
          db,
          `select ${columns} from notifications
            where not is_deactivated and start_at <= now() and end_at > now() ${latestFirst}`,
        ),
      ),
    async createNotification({ body, caller, requestId }) {
      const message = cleanMessage(body)
      return database.transaction(async (tx) => {
        const [made] = await queryRows<Notification>(
          tx,
          `insert into notifications (message, start_at, end_at, is_popup, is_deactivated)
           values ($1, $2, $3, $4, $5) returning ${columns}`,
          [message, body.startDate, body.endDate, body.displayPopup, body.deactivate],
        )
        if (made === undefined) throw new Error('The insert of a notification gave no row.')
        const detail = String(made.notificationId)
        const changes = changedFields(fields, null, made)
        await recordChange(tx, { actor: caller.actor, kind: 'notification.create', detail, changes, requestId })
        return ok(made)
      })
    },
    async changeNotification({ body, caller, requestId }) {
      const message = cleanMessage(body)
      const id = body.notificationId
      return database.transaction(async (tx) => {
        const before = await lockNotification(tx, id)
        await queryRows(
          tx,
          `update notifications set message = $2, start_at = $3, end_at = $4, is_popup = $5, is_deactivated = $6
            where id = $1`,
          [id, message, body.startDate, body.endDate, body.displayPopup, body.deactivate],
        )
        const after = await lockNotification(tx, id)
        const changes = changedFields(fields, before, after)
        const entry = {
          actor: caller.actor,
          kind: 'notification.change' as const,
          detail: String(id),
          changes,
          requestId,
        }
        if (changes.length > 0) await recordChange(tx, entry)
        return ok(after)
      })
    },
    async deleteNotification({ params, caller, requestId }) {
      await database.transaction(async (tx) => {
        const before = await lockNotification(tx, Number(params.id))
        await queryRows(tx, 'delete from notifications where id = $1', [before.notificationId])
        const changes = changedFields(fields, before, null)
        const detail = String(before.notificationId)
        await recordChange(tx, { actor: caller.actor, kind: 'notification.delete', detail, changes, requestId })
      })
      return noContent
    },
  }
}

const columns = `
  id as notification_id, message, start_at as start_date, end_at as end_date, is_popup as display_popup,
  is_deactivated as deactivate`
const latestFirst = 'order by start_at desc, id desc'

/**
 * @throws Refusal `invalid-input` if nothing of the message is left after cleaning, or if cleaning would remove a link,
 *   which its author would not notice
 */
function cleanMessage({ message }: NotificationDraft): string {
  const link = linkThatIsRefused(message)
  if (link !== null) throw refuseInput([fieldError('message', 'link-refused', { link: link.slice(0, 200) })])
  const cleaned = cleanHtml(message)
  if (cleaned === '') throw refuseInput([fieldError('message', 'message-missing')])
  return cleaned
}

/** @throws Refusal `notification-unknown` */
async function lockNotification(tx: Tx, id: number): Promise<Notification> {
  const [found] = await queryRows<Notification>(tx, `select ${columns} from notifications where id = $1 for update`, [
    id,
  ])
  if (found === undefined) throw refuse('notification-unknown')
  return found
}
