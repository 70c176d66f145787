/**
 * The audit trail as people read it: newest first, with a cursor. Each part of the query reads one index in its order
 * and ends after a page, so that neither old entries nor rare ones make it slow.
 */
import { type ActivityGroup, type ActivityQuery, activityGroups } from '@roomkeeper/contract'
import { type Db, queryComposed, queryRows } from '#platform/database.ts'
import { type EntryOfRoom, newestFirst, readEntries } from './read-audit.ts'
import { sealAudit } from './seal-audit.ts'

interface Found {
  entries: EntryOfRoom[]
  /** Null: there are no older ones. */
  next: number | null
}

/** @param isAdministrator others are told of project rooms only */
export async function findActivity(db: Db, query: ActivityQuery, isAdministrator: boolean): Promise<Found> {
  await sealAudit(db)
  const roomId = query.room === '' ? null : await findRoom(db, query.room)
  const { parts, values } = partsOf(query, { isAdministrator, roomId })
  if (parts.length === 0) return { entries: [], next: null }
  const order = `order by at desc, id desc limit ${query.size + 1}`
  const selects = parts.map((where) => `(select id, at from audit where ${where} ${order})`)
  const found = await queryComposed<{ id: number }>(
    db,
    `select id from (${selects.join(' union ')}) found ${order}`,
    values,
  )
  const ids = found.slice(0, query.size).map(({ id }) => id)
  const entries = ids.length === 0 ? [] : await readEntries(db, `where audit.id = any($1) ${newestFirst}`, [ids])
  return { entries, next: found.length > query.size ? (ids.at(-1) ?? null) : null }
}

async function findRoom(db: Db, name: string): Promise<string | null> {
  const [room] = await queryRows<{ id: string }>(db, 'select id from rooms where name = lower($1)', [name])
  return room?.id ?? null
}

/**
 * The conditions of the parts, whose entries together are those wanted, and the values of their parameters. For a room or
 * a customer one part suffices, because they have few entries.
 */
function partsOf(
  { room, customer, actor, kinds, from, to, after }: ActivityQuery,
  { isAdministrator, roomId }: { isAdministrator: boolean; roomId: string | null },
): { parts: string[]; values: unknown[] } {
  const values: unknown[] = []
  const given = (value: unknown) => `$${values.push(value)}`
  const conditions: string[] = []
  if (from !== undefined) conditions.push(`at >= ${given(from)}::timestamptz`)
  if (to !== undefined) conditions.push(`at < ${given(to)}::timestamptz`)
  if (after > 0) {
    const id = `${given(after)}::bigint`
    conditions.push(`(at, id) < ((select at from audit where id = ${id}), ${id})`)
  }
  if (!isAdministrator) conditions.push('room_id is not null')
  if (actor !== '') conditions.push(`operator_of(actor) = operator_of(${given(actor)})`)
  if (customer !== '') conditions.push(`room_id in (${roomsOfCustomer(given, customer)})`)
  if (roomId !== null) conditions.push(`room_id = ${given(roomId)}::uuid`)
  else if (room !== '') conditions.push(`lower(room_name) = lower(${given(room)})`)

  const groupsOf = (group: string) => (isAdministrator ? [group, `room ${group}`] : [`room ${group}`])
  const ofGroup = (group: string) => `activity_group(action, actor, room_id) = ${given(group)}`
  const ofKinds = () =>
    kinds.flatMap((kind) => (isGroup(kind) ? groupsOf(kind).map(ofGroup) : [`action = ${given(kind)}`]))
  const all = (...more: string[]) => [...conditions, ...more].join(' and ') || 'true'

  if (room !== '' || customer !== '') {
    const wanted = kinds.length === 0 ? [] : [`(${ofKinds().join(' or ')})`]
    return { parts: [all(...wanted)], values }
  }
  const named = kinds.filter((kind) => !isGroup(kind) && (isAdministrator || nameRooms.test(kind)))
  if (kinds.length === 0 && actor === '' && isAdministrator) return { parts: [all()], values }
  const groups = kinds.length === 0 ? activityGroups : kinds.filter(isGroup)
  const ofActions = named.map((action) => all(`action = ${given(action)}`))
  return { parts: [...groups.flatMap(groupsOf).map((group) => all(ofGroup(group))), ...ofActions], values }
}

function isGroup(kind: string): kind is ActivityGroup {
  return (activityGroups as readonly string[]).includes(kind)
}

/** Actions whose entries name a project room, so that looking for those that do ends soon. */
const nameRooms = /^(room|database|backup|upload|operation|mail)\./

/** @param customer any spelling of the company, also a merged one */
function roomsOfCustomer(given: (value: unknown) => string, customer: string): string {
  const key = `customer_key(${given(customer)})`
  const root = `coalesce((select root from customer_aliases where key = ${key}), ${key})`
  return `select id from rooms
    where customer_key = any(array(select ${root} union all select key from customer_aliases where root = ${root}))`
}
