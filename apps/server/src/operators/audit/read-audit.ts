/**
 * The audit trail as administrators read it: filtered, newest first, page by page or as CSV; and the history of a room.
 */

import type { Readable } from 'node:stream'
import {
  type AuditEntry,
  type AuditExportQuery,
  type AuditQuery,
  type CsvForm,
  type DeliveryFailure,
  englishReason,
  type OperationState,
  type Reasons,
  type SentMail,
} from '@roomkeeper/contract'
import pg from 'pg'
import { whyMailFailed } from '#changes/index.ts'
import { defusedSql, timeSql } from '#platform/csv.ts'
import { type Database, type Db, queryComposed, queryRows } from '#platform/database.ts'
import { asAttachment, type Handlers, ok, type StreamReply } from '#platform/http/handler.ts'
import { answerWithTicket, redeemTicket } from '../download-tickets.ts'
import { exportReader, type Reading } from './record-export.ts'
import { sealAudit } from './seal-audit.ts'

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

/** The history of a room, newest first. A later room of the same name has its own. */
export async function readHistory(
  db: Db,
  roomId: string,
  { page, size }: { page: number; size: number },
): Promise<AuditPage<EntryOfRoom>> {
  await sealAudit(db)
  const data = await readEntries(
    db,
    `where audit.id in (select id from audit where room_id = $1 order by at desc, id desc limit $2 offset $3::bigint * $2)
     ${newestFirst}`,
    [roomId, size, page],
  )
  const [count] = await queryRows<{ total: number }>(db, 'select count(*) as total from audit where room_id = $1', [
    roomId,
  ])
  const totalElements = count?.total ?? 0
  return { data, totalElements, totalPages: Math.ceil(totalElements / size) }
}

interface AuditPage<Entry> {
  data: Entry[]
  totalElements: number
  totalPages: number
}

/** Up to this many matches, sorting them is faster than scanning the whole trail in order. */
const fewMatches = 100_000

async function findAudit(db: Db, { page, size, ...filter }: AuditQuery): Promise<AuditPage<AuditEntry>> {
  await sealAudit(db)
  const { where, values } = conditionsOf(filter)
  const [count] = await queryComposed<{ total: number }>(
    db,
    `select count(*) as total from audit where ${where}`,
    values,
  )
  const totalElements = count?.total ?? 0
  const skipped = page * size
  const wanted = Math.max(0, Math.min(size, totalElements - skipped))
  // Reads from the nearer end, because PostgreSQL also reads the rows that it skips.
  const isNewerHalf = skipped <= totalElements / 2
  // The full size, so that a page that is not full also shows entries added since the count.
  const limit = isNewerHalf ? size : wanted
  const offset = isNewerHalf ? skipped : totalElements - skipped - wanted
  // Ordering by an expression keeps PostgreSQL from scanning the whole index of ids to find a few matches.
  const key = totalElements <= fewMatches ? '(id + 0)' : 'id'
  const data =
    wanted === 0
      ? []
      : await readEntries(
          db,
          `where audit.id in (
             select id from audit where ${where} order by ${key} ${isNewerHalf ? 'desc' : 'asc'}
             limit ${limit} offset ${offset}) order by audit.id desc`,
          values,
        )
  return { data, totalElements, totalPages: Math.ceil(totalElements / size) }
}

/** CSV in UTF-8 with a header row. Destroying the stream cancels the statement. */
async function exportAudit(
  { db, exports }: Database,
  { csv, ...filter }: AuditExportQuery & { csv: CsvForm },
  reading: Reading,
): Promise<Readable> {
  await sealAudit(db)
  const { where, values } = conditionsOf(filter)
  // COPY takes no parameters, so the values become literals.
  const literal = where.replace(/\$(\d+)/g, (_, number: string) => pg.escapeLiteral(values[Number(number) - 1] ?? ''))
  // Without the entry about this export, so that it has the number of rows that are sent.
  const [newest] = await queryRows<{ id: number }>(db, 'select coalesce(max(id), 0) as id from audit')
  const from = `(select * from audit where id <= ${newest?.id ?? 0} and ${literal}) audit ${outcomes}`
  return exports.csv(
    { columns: csvColumns(csv), from: `${from} ${changesText}`, order: 'audit.id desc' },
    exportReader(db, 'export.audit', filter, reading),
    csv,
  )
}

const changesText = `cross join lateral (
  select string_agg(concat(c ->> 'field', ': ', coalesce(c ->> 'from', '–'), ' → ', coalesce(c ->> 'to', '–')), '; ') as text
    from jsonb_array_elements(changes) c) changed`

const csvColumns = (form: CsvForm) => `
  audit.id as "Number", ${timeSql('at', form, 3)} as "Time", ${defusedSql('actor')} as "Operator",
  action as "Action", audit.room_name as "Project room", ${defusedSql('detail')} as "Detail", ${defusedSql('changed.text')} as "Changes",
  audit.operation_id as "Operation", audit.request_id as "Request", coalesce(o.state::text, k.state) as "Outcome",
  ${defusedSql('coalesce(o.error, k.error)')} as "Reason"`

/** The parameters count from `$1`, and all values are texts. */
function conditionsOf(filter: AuditExportQuery): { where: string; values: string[] } {
  const { actor, room, action, from, to } = filter
  const conditions: [string, string | undefined][] = [
    [`lower(actor) like lower(?)`, beginning(actor)],
    [`lower(room_name) like lower(?)`, beginning(room)],
    [`action like lower(?)`, beginning(action)],
    [`at >= ?::timestamptz`, from],
    [`at < ?::timestamptz`, to],
  ]
  const given = conditions.filter((each): each is [string, string] => each[1] !== undefined)
  return {
    where: given.map(([text], index) => text.replace('?', `$${index + 1}`)).join(' and ') || 'true',
    values: given.map(([, value]) => value),
  }
}

function beginning(text: string): string | undefined {
  return text === '' ? undefined : `${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** The order of a history and of the activity. */
export const newestFirst = 'order by audit.at desc, audit.id desc'

export interface EntryOfRoom extends AuditEntry {
  roomId: string | null
}

/** An entry as it is read, with how its operation ended beside it. */
interface EntryRow extends Omit<EntryOfRoom, 'outcome' | 'mails'> {
  outcomeState: OperationState | null
  outcomeError: string | null
  outcomeReasons: Reasons | null
  mails: MailRow[]
}

interface MailRow extends Pick<SentMail, 'id' | 'to' | 'state'> {
  failure: DeliveryFailure | null
  said: string | null
}

const mailsOfOperation = `
  (select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'to', d.body::jsonb ->> 'to', 'state', d.state,
                                                'failure', d.failure, 'said', d.answer_body) order by d.n), '[]')
     from webhook_deliveries d
    where d.operation_id = audit.operation_id and audit.action not in ('operation.cancel', 'operation.retry'))`

/**
 * Entries are sealed when the operation has only begun, so how it ended is read from the operation, or from what is
 * kept of it when it is removed.
 */
const outcomes = `left join operations o on o.id = audit.operation_id
  left join operation_outcomes k on k.operation_id = audit.operation_id and o.id is null`

/** Entries for the wire, in the order of `rest`. @param rest what follows `from audit` */
export async function readEntries(db: Db, rest: string, values: unknown[]): Promise<EntryOfRoom[]> {
  const rows = await queryComposed<EntryRow>(
    db,
    `select audit.id, at, actor, action, audit.room_id, audit.room_name as room, audit.operation_id, detail, detail_reasons, changes, audit.request_id,
            coalesce(o.state::text, k.state) as outcome_state, coalesce(o.error, k.error) as outcome_error,
            coalesce(o.error_reasons, k.error_reasons) as outcome_reasons, ${mailsOfOperation} as mails
       from audit ${outcomes} ${rest}`,
    values,
  )
  return rows.map(({ outcomeState: state, outcomeError: errorText, outcomeReasons, mails, ...entry }) => ({
    ...entry,
    outcome: state === null ? null : { state, errorText, errorReasons: outcomeReasons ?? [] },
    mails: mails.map(({ failure, said, ...mail }) => {
      const why = failure === null ? null : whyMailFailed(failure, said ?? '')
      return { ...mail, errorText: why && englishReason(why), errorReasons: why === null ? [] : [why] }
    }),
  }))
}
