/** The running check makes sure that no room stays busy forever without an operation. */
import { type Database, queryRows } from '#platform/database.ts'
import { announce } from '#platform/events.ts'
import { refuse } from '#platform/refuse.ts'

/**
 * Whether the room has an operation that is running, waiting, or about to be taken over by another worker. If it has
 * none but is IN_PROGRESS or MARKED_FOR_DELETION, this sets it to ERROR with a message about what was interrupted.
 * @throws Refusal `room-unknown`
 */
export function checkRunning(database: Database, name: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [room] = await queryRows<{ id: string; busy: boolean }>(tx, roomAndWork, [name])
    if (room === undefined) throw refuse('room-unknown', { room: name })
    if (room.busy) return true
    const interrupted = await queryRows(tx, becomeError, [room.id])
    if (interrupted.length > 0) await announce(tx, { type: 'room', room: name, gone: false })
    return false
  })
}

const open = `exists (select 1 from operations o
                       where o.room_id = r.id and o.state in ('waiting', 'running', 'cancelling'))`

const roomAndWork = `select r.id, ${open} as busy from rooms r where r.name = $1 for update of r`

/** The interrupted operation is the newest one. */
const becomeError = `
  update rooms r set state = 'ERROR', version = version + 1, error_message = coalesce(
           (select o.process_type || ' was interrupted' || coalesce(' at the step ''' || o.step || '''', '') || '. ' || coalesce(o.error, '')
              from operations o where o.room_id = r.id order by o.created_at desc limit 1),
           'An operation was interrupted.')
   where r.id = $1 and r.state in ('IN_PROGRESS', 'MARKED_FOR_DELETION') and not ${open}
   returning r.id`
