/** Records in the audit trail who did what, when, to which room, in the same transaction as the change itself. */
import type { ManagedOperation } from '#operations/index.ts'
import type { Db, Tx } from '#platform/database.ts'
import type { AuditChange } from '../tables.ts'

export interface AuditEntry {
  /** The e-mail address of an operator, with the name of the API token if there is one, `system`, or `unknown`. */
  actor: string
  /** For example `room.create` or `operator.sign-in`. */
  action: string
  room?: { id: string; name: string }
  operationId?: string
  detail?: string
  changes?: AuditChange[]
  requestId?: string | null
}

/** Records that somebody cancelled or retried an operation. */
export function auditManaged(tx: Tx, managed: ManagedOperation): Promise<void> {
  const { action, operationId, process, room, caller, requestId } = managed
  const entry = { actor: caller.actor, action, operationId, detail: process, requestId }
  return recordAudit(tx, room === null ? entry : { ...entry, room })
}

export async function recordAudit(db: Db | Tx, entry: AuditEntry): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      actor: entry.actor,
      action: entry.action,
      roomId: entry.room?.id ?? null,
      roomName: entry.room?.name ?? null,
      operationId: entry.operationId ?? null,
      detail: entry.detail ?? null,
      changes: JSON.stringify(entry.changes ?? []),
      requestId: entry.requestId ?? null,
    })
    .execute()
}
