/**
 * Every kind of change and its consequences. A kind names all four, so a new kind cannot omit one by mistake.
 * docs/changes.md has the same table; a test compares the two.
 *
 * - `audit`: the entry in the audit trail. Most entries record a request. The operation says how it ended, so most
 *   outcomes have no entry.
 * - `live`: the events for open consoles. `room gone`: the room was removed.
 * - `webhook`: the event for webhooks. Webhooks are told what has happened, so most requests have none.
 * - `mail`: `queued`: `recordChange` queues the e-mail that it is given. `by a step`: a step of the operation queues
 *   the e-mails, because the operation's log names the recipients and results; that step records `mail.of-operation`.
 */
import type { AuditAction, ServerEvent, WebhookEvent } from '@roomkeeper/contract'

export type LiveEvent = ServerEvent['type'] | 'room gone'

export interface Consequences {
  audit: AuditAction | null
  live: readonly LiveEvent[]
  webhook: WebhookEvent | null
  mail: 'queued' | 'by a step' | null
}

export const changeKinds = {
  // Rooms: what was asked for.
  'room.create': { audit: 'room.create', live: ['room'], webhook: null, mail: 'by a step' },
  'room.import': { audit: 'room.import', live: ['room'], webhook: null, mail: 'by a step' },
  'room.suspend': { audit: 'room.suspend', live: ['room'], webhook: null, mail: 'by a step' },
  'room.resume': { audit: 'room.resume', live: ['room'], webhook: null, mail: 'by a step' },
  'room.delete': { audit: 'room.delete', live: ['room'], webhook: null, mail: null },
  'room.backup': { audit: 'room.backup', live: ['room'], webhook: null, mail: null },
  'room.backup-d2o': { audit: 'room.backup-d2o', live: ['room'], webhook: null, mail: null },
  'room.restore': { audit: 'room.restore', live: ['room'], webhook: null, mail: null },
  'room.restore-d2o': { audit: 'room.restore-d2o', live: ['room'], webhook: null, mail: null },
  'room.restore-deleted': { audit: 'room.restore-deleted', live: ['room'], webhook: null, mail: null },
  'room.purge-begin': { audit: 'room.purge-begin', live: [], webhook: null, mail: null },
  'room.update-system-database': { audit: 'room.update-system-database', live: [], webhook: null, mail: null },
  'room.notify': { audit: 'room.notify', live: [], webhook: null, mail: 'by a step' },
  'database.import': { audit: 'database.import', live: [], webhook: null, mail: null },
  'database.delete': { audit: 'database.delete', live: [], webhook: null, mail: null },
  'database.backup': { audit: 'database.backup', live: [], webhook: null, mail: null },
  'database.restore': { audit: 'database.restore', live: [], webhook: null, mail: null },

  // Rooms: what became of them.
  'room.work-began': { audit: null, live: ['room'], webhook: null, mail: null },
  // Also recorded when the operation failed (webhooks then get `operation.failed`) or was undone.
  'room.work-ended': { audit: null, live: ['room'], webhook: null, mail: null },
  'room.created': { audit: null, live: ['room'], webhook: 'room.created', mail: null },
  'room.suspended': { audit: null, live: ['room'], webhook: 'room.suspended', mail: null },
  'room.resumed': { audit: null, live: ['room'], webhook: 'room.resumed', mail: null },
  'room.edit': { audit: 'room.edit', live: ['room'], webhook: 'room.changed', mail: null },
  'room.migrate': { audit: 'room.migrate', live: ['room', 'migration'], webhook: 'room.changed', mail: null },
  'room.adopt': { audit: 'room.adopt', live: ['room'], webhook: 'room.created', mail: null },
  // A check or a repair has corrected the console's record of the room.
  'room.corrected': { audit: null, live: ['room'], webhook: 'room.changed', mail: null },
  'room.label': { audit: 'room.label', live: ['room'], webhook: 'room.changed', mail: null },
  // Notes are for operators only.
  'room.note': { audit: 'room.note', live: ['room'], webhook: null, mail: null },
  'room.note-change': { audit: 'room.note-change', live: ['room'], webhook: null, mail: null },
  'room.note-delete': { audit: 'room.note-delete', live: ['room'], webhook: null, mail: null },
  'room.remind': { audit: 'room.remind', live: [], webhook: 'room.expiring', mail: 'by a step' },
  'room.deleted': { audit: null, live: ['room gone'], webhook: 'room.deleted', mail: null },
  // The creation was undone, so webhooks never got `room.created`.
  'room.not-created': { audit: null, live: ['room gone'], webhook: null, mail: null },
  // The event of the region tells the consoles.
  'room.remove-with-region': { audit: 'room.remove-with-region', live: [], webhook: 'room.deleted', mail: null },
  'room.purge': { audit: 'room.purge', live: [], webhook: null, mail: null },
  'user.delete': { audit: 'user.delete', live: [], webhook: null, mail: null },

  // Operations.
  // It has started or ended, or its step, progress or log has changed.
  'operation.changed': { audit: null, live: ['operation'], webhook: null, mail: null },
  'operation.failed': { audit: null, live: [], webhook: 'operation.failed', mail: null },
  'operation.cancel': { audit: 'operation.cancel', live: ['operation'], webhook: null, mail: null },
  'operation.retry': { audit: 'operation.retry', live: ['operation'], webhook: null, mail: null },
  'mail.of-operation': { audit: null, live: [], webhook: null, mail: 'queued' },
  'bulk.start': { audit: 'bulk.start', live: ['bulk'], webhook: null, mail: null },
  'bulk.changed': { audit: null, live: ['bulk'], webhook: null, mail: null },
  'system-databases.update': { audit: 'system-databases.update', live: ['bulk'], webhook: null, mail: null },

  // Backups.
  'backup.verify': { audit: 'backup.verify', live: [], webhook: null, mail: null },
  'backup.download': { audit: 'backup.download', live: [], webhook: null, mail: null },
  'backup.ticket': { audit: 'backup.ticket', live: [], webhook: null, mail: null },
  // The lists of rooms show the last backup of each.
  'backup.delete': { audit: 'backup.delete', live: ['room'], webhook: null, mail: null },
  // Only scheduled backups. No live event: consoles see the policy's number of failures when they read it again.
  'backup.failed': { audit: null, live: [], webhook: 'backup.failed', mail: null },
  'backup-policy.create': { audit: 'backup-policy.create', live: ['backup-policy'], webhook: null, mail: null },
  'backup-policy.edit': { audit: 'backup-policy.edit', live: ['backup-policy'], webhook: null, mail: null },
  'backup-policy.delete': { audit: 'backup-policy.delete', live: ['backup-policy'], webhook: null, mail: null },
  'upload.backup': { audit: 'upload.backup', live: [], webhook: null, mail: null },
  'upload.database': { audit: 'upload.database', live: [], webhook: null, mail: null },

  // Regions.
  'region.create': { audit: 'region.create', live: ['region'], webhook: null, mail: null },
  'region.edit': { audit: 'region.edit', live: ['region'], webhook: null, mail: null },
  'region.delete': { audit: 'region.delete', live: ['region'], webhook: null, mail: null },
  'region.refused': { audit: 'region.refused', live: [], webhook: null, mail: null },
  'region.changed': { audit: null, live: ['region'], webhook: null, mail: null },
  // Recorded beside the change that the answer of the region led to.
  'region.down': { audit: null, live: [], webhook: 'region.down', mail: null },
  'region.up': { audit: null, live: [], webhook: 'region.up', mail: null },

  // Live migrations.
  'live-migration.create': {
    audit: 'live-migration.create',
    live: ['migration', 'region'],
    webhook: null,
    mail: null,
  },
  'live-migration.change': {
    audit: 'live-migration.change',
    live: ['migration', 'region'],
    webhook: null,
    mail: null,
  },
  'live-migration.delete': {
    audit: 'live-migration.delete',
    live: ['migration', 'region'],
    webhook: null,
    mail: null,
  },
  'live-migration.start': { audit: 'live-migration.start', live: ['migration'], webhook: null, mail: null },
  'live-migration.stop': { audit: 'live-migration.stop', live: ['migration'], webhook: null, mail: null },
  'live-migration.reset-priority': {
    audit: 'live-migration.reset-priority',
    live: ['migration'],
    webhook: null,
    mail: null,
  },
  'live-migration.delete-states': {
    audit: 'live-migration.delete-states',
    live: ['migration'],
    webhook: null,
    mail: null,
  },
  'live-migration.force-delete': { audit: 'live-migration.force-delete', live: [], webhook: null, mail: null },
  'migration.changed': { audit: null, live: ['migration'], webhook: null, mail: null },
  'migration.ended': { audit: null, live: ['migration'], webhook: 'migration.ended', mail: null },

  // Operators. The pages of accounts, tokens and webhooks load when they are opened; they follow no live events.
  'operator.sign-in': { audit: 'operator.sign-in', live: [], webhook: null, mail: null },
  'operator.sign-in-failed': { audit: 'operator.sign-in-failed', live: [], webhook: null, mail: null },
  'operator.sign-out': { audit: 'operator.sign-out', live: [], webhook: null, mail: null },
  'operator.second-factor': { audit: 'operator.second-factor', live: [], webhook: null, mail: null },
  'operator.second-factor-failed': { audit: 'operator.second-factor-failed', live: [], webhook: null, mail: null },
  'operator.password-change': { audit: 'operator.password-change', live: [], webhook: null, mail: null },
  'operator.password-change-failed': { audit: 'operator.password-change-failed', live: [], webhook: null, mail: null },
  'operator.create': { audit: 'operator.create', live: [], webhook: null, mail: null },
  'operator.change': { audit: 'operator.change', live: [], webhook: null, mail: null },
  'operator.confirm': { audit: 'operator.confirm', live: [], webhook: null, mail: null },
  'operator.delete': { audit: 'operator.delete', live: [], webhook: null, mail: null },
  'operator.refused': { audit: 'operator.refused', live: [], webhook: null, mail: null },
  'token.create': { audit: 'token.create', live: [], webhook: null, mail: null },
  'token.revoke': { audit: 'token.revoke', live: [], webhook: null, mail: null },
  'token.refused': { audit: 'token.refused', live: [], webhook: null, mail: null },

  // Settings of the whole installation, views, notifications, webhooks.
  'configuration.change': { audit: 'configuration.change', live: [], webhook: null, mail: null },
  'maintenance.change': { audit: 'maintenance.change', live: ['maintenance'], webhook: null, mail: null },
  'notification.create': { audit: 'notification.create', live: [], webhook: null, mail: null },
  'notification.change': { audit: 'notification.change', live: [], webhook: null, mail: null },
  'notification.delete': { audit: 'notification.delete', live: [], webhook: null, mail: null },
  'view.create': { audit: 'view.create', live: [], webhook: null, mail: null },
  'view.change': { audit: 'view.change', live: [], webhook: null, mail: null },
  'view.delete': { audit: 'view.delete', live: [], webhook: null, mail: null },
  'customer.merge': { audit: 'customer.merge', live: ['customers'], webhook: null, mail: null },
  'webhook.create': { audit: 'webhook.create', live: [], webhook: null, mail: null },
  'webhook.change': { audit: 'webhook.change', live: [], webhook: null, mail: null },
  'webhook.delete': { audit: 'webhook.delete', live: [], webhook: null, mail: null },
  'webhook.secret': { audit: 'webhook.secret', live: [], webhook: null, mail: null },
  // A test goes to one webhook, even if that listens to no events.
  'webhook.test': { audit: 'webhook.test', live: [], webhook: null, mail: null },
  'webhook.resend': { audit: 'webhook.resend', live: [], webhook: null, mail: null },
  'webhook.switch-off': { audit: 'webhook.switch-off', live: [], webhook: null, mail: null },
  'mail.resend': { audit: 'mail.resend', live: [], webhook: null, mail: null },
  'customer.forgot-names': { audit: null, live: [], webhook: null, mail: 'queued' },

  // What needs attention.
  'attention.changed': { audit: null, live: ['attention'], webhook: 'attention.changed', mail: null },
  'attention.updated': { audit: null, live: ['attention'], webhook: null, mail: null },

  // Consistency, audit trail, exports.
  'doctor.run': { audit: 'doctor.run', live: [], webhook: null, mail: null },
  'doctor.repair': { audit: 'doctor.repair', live: [], webhook: null, mail: null },
  'audit.acknowledge': { audit: 'audit.acknowledge', live: [], webhook: null, mail: null },
  'export.rooms': { audit: 'export.rooms', live: [], webhook: null, mail: null },
  'export.audit': { audit: 'export.audit', live: [], webhook: null, mail: null },
  'export.bulk-items': { audit: 'export.bulk-items', live: [], webhook: null, mail: null },
  'export.migrations': { audit: 'export.migrations', live: [], webhook: null, mail: null },
  'export.migration-logs': { audit: 'export.migration-logs', live: [], webhook: null, mail: null },
} as const satisfies Record<string, Consequences>

export type ChangeKind = keyof typeof changeKinds
