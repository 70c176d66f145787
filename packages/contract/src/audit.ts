/** The audit trail: who did what, when, to which room, and what changed from what to what. */
import { z } from 'zod'
import { reasonList } from './coded-text.ts'
import { csvForm } from './csv-form.ts'
import { coded } from './field-errors.ts'
import { paged, pageOf } from './lists.ts'
import { operationStates } from './operations.ts'
import { searched } from './plain-text.ts'
import type { Route } from './route.ts'
import { csvByTicket, downloadLink, refusalsOfExports, refusalsOfTickets } from './tickets.ts'
import { webhookDelivery } from './webhooks.ts'

/** How the operation of an entry ended, or where it stands; why it failed, by its text and the codes of its sentences. */
export const auditOutcome = z.object({
  state: z.enum(operationStates),
  errorText: z.string().nullable(),
  errorReasons: reasonList,
})

/** An e-mail, and what became of it. Its id is that of the delivery to the mail server. */
export const sentMail = webhookDelivery.pick({ id: true, state: true }).extend({
  to: z.string(),
  /** Why the last try failed. */
  errorText: z.string().nullable(),
  errorReasons: reasonList,
})
export type SentMail = z.output<typeof sentMail>

/** Everything that the audit trail may record. The first part names what it affects. */
export const auditActions = [
  'room.create',
  'room.import',
  'room.edit',
  'room.suspend',
  'room.resume',
  'room.delete',
  'room.backup',
  'room.backup-d2o',
  'room.restore',
  'room.restore-d2o',
  'room.restore-deleted',
  'room.purge-begin',
  'room.purge',
  'room.migrate',
  'room.adopt',
  'room.remove-with-region',
  'room.update-system-database',
  'room.notify',
  'room.remind',
  'room.label',
  'room.note',
  'room.note-change',
  'room.note-delete',
  'database.import',
  'database.delete',
  'database.backup',
  'database.restore',
  'backup.verify',
  'backup.download',
  'backup.ticket',
  'backup.delete',
  'backup-policy.create',
  'backup-policy.edit',
  'backup-policy.delete',
  'bulk.start',
  'upload.backup',
  'upload.database',
  'operation.cancel',
  'operation.retry',
  'operator.sign-in',
  'operator.sign-in-failed',
  'operator.sign-out',
  'operator.second-factor',
  'operator.second-factor-failed',
  'operator.password-change',
  'operator.password-change-failed',
  'operator.create',
  'operator.change',
  'operator.confirm',
  'operator.delete',
  'operator.refused',
  'token.create',
  'token.revoke',
  'token.refused',
  'user.delete',
  'region.create',
  'region.edit',
  'region.delete',
  'region.refused',
  'live-migration.create',
  'live-migration.change',
  'live-migration.delete',
  'live-migration.start',
  'live-migration.stop',
  'live-migration.reset-priority',
  'live-migration.delete-states',
  'live-migration.force-delete',
  'configuration.change',
  'maintenance.change',
  'notification.create',
  'notification.change',
  'notification.delete',
  'view.create',
  'view.change',
  'view.delete',
  'customer.merge',
  'system-databases.update',
  'doctor.run',
  'doctor.repair',
  'audit.acknowledge',
  'export.rooms',
  'export.audit',
  'export.bulk-items',
  'export.migrations',
  'export.migration-logs',
  'webhook.create',
  'webhook.change',
  'webhook.delete',
  'webhook.secret',
  'webhook.test',
  'webhook.resend',
  'webhook.switch-off',
  'mail.resend',
] as const
export type AuditAction = (typeof auditActions)[number]

export const auditEntry = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  /** An operator's e-mail, with the name of the API token if there is one; `system`; what was typed where a sign-in
   * failed, or `unknown` where that is no e-mail address. */
  actor: z.string(),
  /** One of `auditActions`, or of a later release. */
  action: z.string(),
  room: z.string().nullable(),
  operationId: z.uuid().nullable(),
  detail: z.string().nullable(),
  /** Empty: the detail is a name. */
  detailReasons: reasonList,
  changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
  requestId: z.string().nullable(),
  /** Null: no operation, or one whose end is not known (any more). */
  outcome: auditOutcome.nullable(),
  /** The e-mails of its operation of the last 30 days. */
  mails: z.array(sentMail),
})
export type AuditEntry = z.output<typeof auditEntry>

const auditPage = pageOf(auditEntry)

const text = (max: number) => searched.trim().max(max).default('')
/** An empty text does not filter. `actor`, `room` and `action` match by prefix, ignoring case. */
const auditFilter = {
  actor: text(320),
  room: text(64),
  action: text(60),
  from: z.iso.datetime({ offset: true, error: coded('must-be-time') }).optional(),
  /** Exclusive. */
  to: z.iso.datetime({ offset: true, error: coded('must-be-time') }).optional(),
}
export const auditExportQuery = z.object(auditFilter)
export const auditQuery = auditExportQuery.extend(paged())
export type AuditQuery = z.output<typeof auditQuery>
export type AuditExportQuery = z.output<typeof auditExportQuery>

export const auditRoutes = {
  audit: {
    method: 'GET',
    path: '/api/operator/audit',
    access: 'admin',
    summary: 'The audit trail, newest first, failed sign-ins included.',
    query: auditQuery,
    answers: { 200: auditPage },
  },
  exportAudit: {
    method: 'GET',
    path: '/api/operator/audit/export',
    access: 'admin',
    summary: 'The matching part of the audit trail as CSV, newest first.',
    query: auditExportQuery.extend({ csv: csvForm }),
    refuses: [...refusalsOfExports],
    answers: { 200: z.unknown() },
    stream: 'text/csv; charset=utf-8',
  },
  createAuditTicket: {
    method: 'POST',
    path: '/api/operator/audit/export/ticket',
    access: 'admin',
    summary: 'A link with which a browser downloads the matching part of the audit trail as CSV: for one minute, once.',
    body: z.object({ query: auditExportQuery, csv: csvForm }),
    refuses: [...refusalsOfExports],
    answers: { 200: downloadLink },
  },
  downloadAudit: {
    ...csvByTicket,
    path: '/api/operator/audit/export/download/:ticket',
    refuses: [...refusalsOfTickets, ...refusalsOfExports],
  },
} as const satisfies Record<string, Route>
