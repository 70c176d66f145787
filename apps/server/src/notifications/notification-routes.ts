import { fieldError, type Notification, type NotificationDraft } from '@roomkeeper/contract'
import { type Selectable, sql } from 'kysely'
import { changedFields, recordChange } from '#changes/index.ts'
import type { Database, Tx } from '#platform/database.ts'
import { type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { cleanHtml, linkThatIsRefused } from './clean-html.ts'
import type { NotificationsTable } from './tables.ts'

type NotificationHandlers = Pick<
  Handlers,
  'notifications' | 'createNotification' | 'changeNotification' | 'deleteNotification' | 'customerNotifications'
>

const fields = ['message', 'startDate', 'endDate', 'displayPopup', 'deactivate'] as const

export function notificationHandlers(database: Database): NotificationHandlers {
  const all = () => database.db.selectFrom('notifications').selectAll().orderBy('startAt', 'desc').orderBy('id', 'desc')
  return {
    notifications: async () => ok((await all().execute()).map(presentNotification)),
    async customerNotifications() {
      const inForce = all()
        .where('isDeactivated', '=', false)
        .where('startAt', '<=', sql<string>`now()`)
        .where('endAt', '>', sql<string>`now()`)
      return ok((await inForce.execute()).map(presentNotification))
    },
    async createNotification({ body, caller, requestId }) {
      const values = columnsOf(body)
      return database.transaction(async (tx) => {
        const row = await tx.insertInto('notifications').values(values).returningAll().executeTakeFirstOrThrow()
        const detail = String(row.id)
        const changes = changesBetween(null, row)
        await recordChange(tx, { actor: caller.actor, kind: 'notification.create', detail, changes, requestId })
        return ok(presentNotification(row))
      })
    },
    async changeNotification({ body, caller, requestId }) {
      const values = columnsOf(body)
      return database.transaction(async (tx) => {
        const before = await lockNotification(tx, body.notificationId)
        const row = await tx
          .updateTable('notifications')
          .set(values)
          .where('id', '=', before.id)
          .returningAll()
          .executeTakeFirstOrThrow()
        const changes = changesBetween(before, row)
        const entry = {
          actor: caller.actor,
          kind: 'notification.change' as const,
          detail: String(row.id),
          changes,
          requestId,
        }
        if (changes.length > 0) await recordChange(tx, entry)
        return ok(presentNotification(row))
      })
    },
    async deleteNotification({ params, caller, requestId }) {
      await database.transaction(async (tx) => {
        const before = await lockNotification(tx, Number(params.id))
        await tx.deleteFrom('notifications').where('id', '=', before.id).execute()
        const changes = changesBetween(before, null)
        const detail = String(before.id)
        await recordChange(tx, { actor: caller.actor, kind: 'notification.delete', detail, changes, requestId })
      })
      return noContent
    },
  }
}

type Row = Selectable<NotificationsTable>

/**
 * @throws Refusal `invalid-input` if nothing of the message is left after cleaning, or if a link would be: whoever wrote
 * it would not notice
 */
function columnsOf({ message, startDate, endDate, displayPopup, deactivate }: NotificationDraft) {
  const link = linkThatIsRefused(message)
  if (link !== null) throw refuseInput([fieldError('message', 'link-refused', { link: link.slice(0, 200) })])
  const cleaned = cleanHtml(message)
  if (cleaned === '') throw refuseInput([fieldError('message', 'message-missing')])
  return {
    message: cleaned,
    startAt: startDate,
    endAt: endDate,
    isPopup: displayPopup,
    isDeactivated: deactivate,
  }
}

function presentNotification(row: Row): Notification {
  return {
    notificationId: row.id,
    message: row.message,
    startDate: row.startAt,
    endDate: row.endAt,
    displayPopup: row.isPopup,
    deactivate: row.isDeactivated,
  }
}

/** @throws Refusal `notification-unknown` */
async function lockNotification(tx: Tx, id: number): Promise<Row> {
  const row = await tx.selectFrom('notifications').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (row === undefined) throw refuse('notification-unknown')
  return row
}

function changesBetween(before: Row | null, after: Row | null) {
  return changedFields(fields, before && presentNotification(before), after && presentNotification(after))
}
