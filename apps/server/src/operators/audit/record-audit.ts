/** Records in the audit trail who did what, when, to which room, in the same transaction as the change itself. */
import { type AuditAction, because, type CodedReason, englishReason } from '@roomkeeper/contract'
import type { ManagedOperation } from '#operations/index.ts'
import type { Db, Tx } from '#platform/database.ts'
import type { AuditChange } from '../tables.ts'

/** Who asked for a change, and in which request. */
export interface AuditContext {
  actor: string
  requestId: string
}

export interface AuditEntry {
  /** The e-mail address of an operator, with the name of the API token if there is one, `system`, or `unknown`. */
  actor: string
  action: AuditAction
  room?: { id: string; name: string }
  operationId?: string
  /** A name of what the entry is about, or what is to be said of it. */
  detail?: string | CodedReason
  changes?: AuditChange[]
  requestId?: string | null
}

/** Records that somebody cancelled or retried an operation. */
export function auditManaged(tx: Tx, managed: ManagedOperation): Promise<void> {
  const { action, operationId, process, room, caller, requestId } = managed
  const entry = { actor: caller.actor, action, operationId, detail: because('audit-process', { process }), requestId }
  return recordAudit(tx, room === null ? entry : { ...entry, room })
}

export async function recordAudit(db: Db | Tx, entry: AuditEntry): Promise<void> {
  const { detail = null } = entry
  const isName = typeof detail === 'string' || detail === null
  await db
    .insertInto('audit')
    .values({
      actor: entry.actor,
      action: entry.action,
      roomId: entry.room?.id ?? null,
      roomName: entry.room?.name ?? null,
      operationId: entry.operationId ?? null,
      detail: isName ? detail : englishReason(detail),
      detailReasons: JSON.stringify(isName ? [] : [detail]),
      changes: JSON.stringify(entry.changes ?? []),
      requestId: entry.requestId ?? null,
    })
    .execute()
}
