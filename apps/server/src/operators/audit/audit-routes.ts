/** The calls that read the audit trail. */
import type { Database } from '#platform/database.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'
import { exportAudit, findAudit } from './find-audit.ts'

export function auditHandlers(database: Database): Pick<Handlers, 'audit' | 'exportAudit'> {
  return {
    audit: async ({ query }) => ok(await findAudit(database.db, query)),
    exportAudit: async ({ query }) => ({
      status: 200,
      stream: await exportAudit(database, query),
      headers: { 'content-disposition': `attachment; filename="audit_${new Date().toISOString()}.csv"` },
    }),
  }
}
