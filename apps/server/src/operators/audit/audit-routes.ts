/** The calls that read the audit trail. */
import type { AuditExportQuery, CsvForm } from '@roomkeeper/contract'
import type { Database } from '#platform/database.ts'
import { asAttachment, type Caller, type Handlers, ok, type StreamReply } from '#platform/http/handler.ts'
import { answerWithTicket, redeemTicket } from '../download-tickets.ts'
import { exportAudit, findAudit } from './find-audit.ts'

type AuditHandlers = Pick<Handlers, 'audit' | 'exportAudit' | 'createAuditTicket' | 'downloadAudit'>

export function auditHandlers(database: Database): AuditHandlers {
  const { db } = database
  const sendExport = async (
    query: AuditExportQuery & { csv: CsvForm },
    { operatorId }: Caller,
  ): Promise<StreamReply> => {
    const stream = await exportAudit(database, query, operatorId)
    return { status: 200, stream, headers: asAttachment(`audit_${new Date().toISOString()}.csv`) }
  }
  return {
    audit: async ({ query }) => ok(await findAudit(db, query)),
    exportAudit: ({ query, caller }) => sendExport(query, caller),
    async createAuditTicket({ body, caller }) {
      database.exports.check(caller.operatorId)
      return answerWithTicket(db, 'downloadAudit', body, caller)
    },
    async downloadAudit({ params, address }) {
      const { wanted, caller } = await redeemTicket(db, 'downloadAudit', params.ticket, address)
      return { ...(await sendExport({ ...wanted.query, csv: wanted.csv }, caller)), caller }
    },
  }
}
