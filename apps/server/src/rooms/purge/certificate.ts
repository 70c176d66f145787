/** The certificate of a purge, and the list of the rooms that have left nothing else. */
import {
  because,
  type PurgeCertificate,
  type PurgedRoom,
  type PurgedThing,
  type PurgeStatement,
} from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import { noUndo, type Step } from '#operations/index.ts'
import { digestOfJson, sealAudit } from '#operators/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { databaseTimestamp } from '#platform/database-time.ts'
import { refuse } from '#platform/refuse.ts'
import type { PurgeCall, PurgeInput } from './find-traces.ts'
import { purgeRegions, recheck, removeBackups } from './remove-traces.ts'

/**
 * Removes what the console's database knows of a purged room and writes the certificate, in one transaction: there is
 * either the room among the deleted ones, or its certificate.
 */
export const certify: Step<PurgeInput> = {
  id: 'certify',
  title: 'write the certificate',
  async run(call) {
    // Its end is not known when the answer to the commit was lost.
    if (await isCertified(call.services.db, call.input.deletedRoomId)) return
    let digest = ''
    await call.finish(async (tx) => {
      const { retriedBy, ...room } = await forgetDeletedRoom(tx, call.input.deletedRoomId)
      const forgotten = await forgetRecords(tx, call.input)
      const purgedAt = await databaseTimestamp(tx)
      const statement = statementOf(call, { room, forgotten, purgedBy: retriedBy ?? call.startedBy, purgedAt })
      digest = digestOfJson(statement)
      await writeCertificate(tx, call, statement, digest)
    })
    await call.log([because('log-certified', { digest })])
  },
  undo: noUndo,
}

export async function isCertified(db: Db | Tx, deletedRoomId: string): Promise<boolean> {
  return (await queryRows(db, 'select 1 from purged_rooms where id = $1', [deletedRoomId])).length > 0
}

type Room = PurgeStatement['room']

async function forgetDeletedRoom(tx: Tx, id: string): Promise<Room & { retriedBy: string | null }> {
  const [room] = await queryRows<Room & { retriedBy: string | null }>(
    tx,
    `delete from deleted_rooms where id = $1
     returning room_id as id, name as project_room_name, product, edition, company_name, deleted_at, deleted_by,
               purge_retried_by as retried_by`,
    [id],
  )
  if (room === undefined) throw new Error('A purged room is not among the deleted ones.')
  return room
}

/**
 * The records that may hold texts of the room's customer. The audit trail stays, and so do lists that hold nothing but
 * the room's name: see docs/purge.md.
 */
const records = {
  scheduled_backups: 'delete from scheduled_backups where room_id = $1',
  doctor_findings: 'delete from doctor_findings where room_id = $1',
  removed_rooms: 'delete from removed_rooms where room_id = $1',
  // This includes e-mails that still wait.
  webhook_deliveries: 'delete from webhook_deliveries where room_id = $1',
  live_migration_states: `update live_migration_states
       set log = '', lines = null, error = '', error_reasons = null where room_id = $1 and (log <> '' or error <> '')`,
  operation_items: 'update operation_items set reason = null, reasons = null where room_id = $1 and reason is not null',
}

async function forgetRecords(tx: Tx, { roomId }: PurgeInput): Promise<string[]> {
  const forgotten = ['deleted_rooms']
  // As claims and ends of tries do before they lock deliveries and the log of an operation, so that neither waits for the
  // other for ever.
  await queryRows(tx, 'select from webhooks order by id for no key update')
  const operations = [
    ...(await forgetOperations(tx, ofRoom, roomId)),
    ...(await forgetOperations(tx, aboutRoom, roomId)),
  ]
  if (operations.length > 0) forgotten.push('operations')
  for (const [table, statement] of Object.entries(records)) {
    const gone = await queryRows(tx, `${statement} returning 1 as gone`, [roomId])
    if (gone.length > 0) forgotten.push(table)
  }
  return forgotten
}

/** How they ended stays, without what regions said. @param which a condition on the room's id, `$1` */
function forgetOperations(tx: Tx, which: string, roomId: string): Promise<unknown[]> {
  return queryRows(
    tx,
    `with removed as (
       delete from operations where ended_at is not null and ${which} returning id, state
     )
     insert into operation_outcomes (operation_id, state) select id, state from removed
     on conflict (operation_id) do update set state = excluded.state, error = null, error_reasons = null
     returning operation_id`,
    [roomId],
  )
}

// One by one, because each has an index.
const ofRoom = 'room_id = $1::uuid'
/** The operations about the room that keep no other operation waiting. */
const aboutRoom = `room_id is null and input ? 'roomId' and input ->> 'roomId' = $1::text`

interface Purged {
  room: Room
  /** Tables. */
  forgotten: string[]
  /** Who began it, or had it retried last. */
  purgedBy: string
  purgedAt: string
}

function statementOf(call: PurgeCall, { room, forgotten, purgedBy, purgedAt }: Purged): PurgeStatement {
  const record = (location: string): PurgedThing => ({
    kind: 'record',
    location,
    size: null,
    sha256: null,
    removedAt: purgedAt,
  })
  return {
    room,
    removed: [...call.output(removeBackups), ...call.output(purgeRegions), ...forgotten.map(record)],
    lookedAgainAt: call.output(recheck).lookedAgainAt,
    purgedBy,
    purgedAt,
  }
}

async function writeCertificate(tx: Tx, call: PurgeCall, statement: PurgeStatement, digest: string): Promise<void> {
  const { deletedRoomId: id, roomId, roomName: name } = call.input
  const { purgedBy: actor, purgedAt } = statement
  const entry = {
    actor,
    kind: 'room.purge' as const,
    room: { id: roomId, name },
    operationId: call.id,
    requestId: call.requestId,
  }
  await recordChange(tx, { ...entry, detail: because('audit-certificate', { id, digest }) })
  await queryRows(
    tx,
    `insert into purged_rooms (id, room_id, name, company_name, statement, sha256, audit_id, purged_at, purged_by)
     select $1, $2, $3, $4, $5, $6, max(id), $7, $8 from audit where room_id = $2 and action = 'room.purge'`,
    [id, roomId, name, statement.room.companyName, JSON.stringify(statement), digest, purgedAt, actor],
  )
}

const matching = `purged_rooms
  where $1 = '' or position(lower($1) in lower(concat_ws(E'\\x1f', name, company_name))) > 0`

export async function listPurgedRooms(db: Db, { page, size, search }: { page: number; size: number; search: string }) {
  const data = await queryRows<PurgedRoom>(
    db,
    `select id, name as project_room_name, company_name, purged_at, purged_by from ${matching}
      order by purged_at desc, id limit $2 offset $3::bigint * $2`,
    [search, size, page],
  )
  const [count] = await queryRows<{ total: number }>(db, `select count(*)::int as total from ${matching}`, [search])
  const totalElements = count?.total ?? 0
  return { data, totalElements, totalPages: Math.ceil(totalElements / size) }
}

/** @param id the one that the room had among the deleted ones. @throws Refusal `certificate-unknown` */
export async function findCertificate(db: Db, id: string): Promise<PurgeCertificate> {
  await sealAudit(db)
  const [row] = await queryRows<Row>(
    db,
    `select p.statement, p.sha256, p.audit_id, s.position, encode(s.hash, 'hex') as hash
       from purged_rooms p join audit_seals s on s.entry_id = p.audit_id where p.id = $1`,
    [id],
  )
  if (row === undefined) throw refuse('certificate-unknown')
  const { statement, sha256, auditId: entryId, position, hash } = row
  return { ...statement, audit: { entryId, action: 'room.purge', sha256, seal: { position, hash } } }
}

interface Row {
  statement: PurgeStatement
  sha256: string
  auditId: number
  position: number
  hash: string
}
