/** The running check: a room without an operation must not stay busy for ever. */
import { type Database, queryRows } from '#platform/database.ts'
import { announce } from '#platform/events.ts'
import { refuse } from '#platform/refuse.ts'

/**
 * Whether an operation runs, waits or is about to be taken over for the room. When none does although the room is
 * IN_PROGRESS or MARKED_FOR_DELETION, the room is ERROR from now on and says what was interrupted.
 * @throws Refusal `room-unknown`
 */
export function checkRunning(database: Database, name: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [room] = await queryRows<{ id: string; busy: boolean }>(tx, roomAndWork, [name])
    if (room === undefined) throw refuse('room-unknown', { room: name })
    if (room.busy) return true
    const lost = await queryRows(tx, becomeError, [room.id])
    if (lost.length > 0) await announce(tx, { type: 'room', room: name, gone: false })
    return false
  })
}

const open = `exists (select 1 from operations o
                       where o.room_id = r.id and o.state in ('waiting', 'running', 'cancelling'))`

const roomAndWork = `select r.id, ${open} as busy from rooms r where r.name = $1 for update of r`

/** The newest operation is the one that was interrupted. */
const becomeError = `
  update rooms r set state = 'ERROR', version = version + 1, error_message = coalesce(
           (select o.process_type || ' was interrupted' || coalesce(' at the step ''' || o.step || '''', '') || '. ' || coalesce(o.error, '')
              from operations o where o.room_id = r.id order by o.created_at desc limit 1),
           'An operation was interrupted.')
   where r.id = $1 and r.state in ('IN_PROGRESS', 'MARKED_FOR_DELETION') and not ${open}
   returning r.id`
