/**
 * Reminds owners and sales contacts of rooms that soon expire, by EXPIRY_REMINDER_DAYS. Of several reminders that are
 * due at once, after an outage or because the setting is new, only the last is sent. Whether one was sent is recorded in
 * the transaction that starts its operation, so any number of workers send it once.
 */
import { because } from '@roomkeeper/contract'
import { dayInUtc } from '@roomkeeper/rules'
import { recordChange } from '#changes/index.ts'
import { startOperation } from '#operations/index.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { pause } from '#platform/pause.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { readSteadyTime } from '#platform/steady-time.ts'
import { remindOfExpiry } from './remind-of-expiry.ts'

/** Some of the last ones have ended by then. */
const againMilliseconds = 2_000
/** So that a region full of rooms does not fill the queue of operations. */
const openAtMost = 20

export function startReminders(scheduler: Scheduler, database: Database, days: readonly number[]): void {
  const job = scheduler.start({
    name: 'reminders of expiry',
    everySeconds: 600,
    scope: 'cluster',
    async run(signal) {
      // An e-mail cannot be taken back: none is sent while the time may be wrong.
      const now = await readSteadyTime(database.db)
      if (now === null || !(await sendDueReminders(database, days, now))) return
      await pause(againMilliseconds, signal)
      job.trigger()
    },
  })
}

/** Starts some of the reminders that are due. @returns whether there may be more */
export function sendDueReminders(database: Database, days: readonly number[], now: Date): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [counted] = await queryRows<{ open: number }>(
      tx,
      `select count(*)::int as open from operations
        where kind = $1 and state in ('waiting', 'running', 'cancelling')`,
      [remindOfExpiry.kind],
    )
    const most = Math.max(0, openAtMost - (counted?.open ?? 0))
    return (await startSome(tx, days, now, most)) === most
  })
}

interface DueReminder {
  id: string
  name: string
  expirationDate: string
  days: number
}

async function startSome(tx: Tx, days: readonly number[], now: Date, most: number): Promise<number> {
  const due = await queryRows<DueReminder>(tx, dueReminders, [dayInUtc(now), days, most])
  const locked = await lockRooms(tx, due)
  for (const { id, name, expirationDate, days: before } of due) {
    if (!locked.has(id)) continue
    const input = { roomId: id, expirationDate, days: before }
    const parts = { input, room: null, subject: name, regionId: null, startedBy: 'system', requestId: null }
    if (!(await recordReminder(tx, { id, expirationDate, before }, days))) continue
    const operationId = await startOperation(tx, remindOfExpiry, parts)
    await queryRows(
      tx,
      'update expiry_reminders set operation_id = $4 where room_id = $1 and expiration_date = $2 and days = $3',
      [id, expirationDate, before, operationId],
    )
    const operation = { id: operationId, kind: remindOfExpiry.kind }
    const day = expirationDate.split('-').toReversed().join('.')
    const detail = because('audit-reminder', { days: before, day })
    await recordChange(tx, {
      kind: 'room.remind',
      actor: 'system',
      room: { id, name },
      operation,
      detail,
      days: before,
    })
  }
  return due.length
}

/** @returns false if another process has just sent it */
async function recordReminder(
  tx: Tx,
  { id, expirationDate, before }: { id: string; expirationDate: string; before: number },
  days: readonly number[],
): Promise<boolean> {
  const recorded = await queryRows<{ days: number }>(
    tx,
    `insert into expiry_reminders (room_id, expiration_date, days)
     select $1, $2, days from unnest($4::int[]) as days where days >= $3
     on conflict do nothing returning days`,
    [id, expirationDate, before, days],
  )
  return recorded.some((each) => each.days === before)
}

/**
 * Locks the rooms in the order that all code with several room locks uses. Rooms that are being changed, or were
 * changed since, are left for later.
 */
async function lockRooms(tx: Tx, due: readonly DueReminder[]): Promise<ReadonlySet<string>> {
  const rooms = await queryRows<{ id: string }>(
    tx,
    `select rooms.id from unnest($1::uuid[], $2::date[]) as due(id, expiration_date) join rooms using (id, expiration_date)
      where rooms.state <> 'MARKED_FOR_DELETION' order by rooms.id for no key update of rooms skip locked`,
    [due.map(({ id }) => id), due.map(({ expirationDate }) => expirationDate)],
  )
  return new Set(rooms.map(({ id }) => id))
}

/**
 * The last reminder that is due for each room and was not sent. On its last day a room can still be used.
 */
const dueReminders = `
  select rooms.id, rooms.name, rooms.expiration_date::text as expiration_date, due.days
    from rooms cross join lateral (
      select min(days)::int as days from unnest($2::int[]) as days where rooms.expiration_date - $1::date <= days
    ) as due
   where rooms.expiration_date >= $1::date
     and rooms.expiration_date <= $1::date + (select max(days) from unnest($2::int[]) as days)
     and due.days is not null and rooms.state <> 'MARKED_FOR_DELETION'
     and not exists (select from expiry_reminders sent where sent.room_id = rooms.id
                        and sent.expiration_date = rooms.expiration_date and sent.days = due.days)
   order by rooms.expiration_date, rooms.name limit $3`
