/** The calls that read the audit trail. */
import type { AuditExportQuery, CsvForm } from '@roomkeeper/contract'
import type { Database } from '#platform/database.ts'
import { asAttachment, type Handlers, ok, type StreamReply } from '#platform/http/handler.ts'
import { answerWithTicket, redeemTicket } from '../download-tickets.ts'
import { exportAudit, findAudit } from './find-audit.ts'
import type { Reading } from './record-export.ts'

type AuditHandlers = Pick<Handlers, 'audit' | 'exportAudit' | 'createAuditTicket' | 'downloadAudit'>

export function auditHandlers(database: Database): AuditHandlers {
  const { db } = database
  const sendExport = async (query: AuditExportQuery & { csv: CsvForm }, reading: Reading): Promise<StreamReply> => {
    const stream = await exportAudit(database, query, reading)
    return {
      status: 200,
      stream,
      headers: asAttachment(`audit_${new Date().toISOString()}.csv`),
      caller: reading.caller,
    }
  }
  return {
    audit: async ({ query }) => ok(await findAudit(db, query)),
    exportAudit: (call) => sendExport(call.query, call),
    async createAuditTicket({ body, caller }) {
      database.exports.check(caller.operatorId)
      return answerWithTicket(db, 'downloadAudit', body, caller)
    },
    async downloadAudit({ params, address, requestId }) {
      const { wanted, caller } = await redeemTicket(db, 'downloadAudit', params.ticket, address)
      const query = { ...wanted.query, csv: wanted.csv }
      return sendExport(query, { caller, requestId })
    },
  }
}
