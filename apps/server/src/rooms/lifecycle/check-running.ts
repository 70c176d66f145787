/** The running check makes sure that no room stays busy forever without an operation. */
import { because, type ProjectRoomState, type Reasons } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { storedReasons } from '#platform/stored-reasons.ts'

/**
 * Whether the room has an operation that is running, waiting, or about to be taken over by another worker. If it has
 * none but is IN_PROGRESS or MARKED_FOR_DELETION, this sets it to ERROR with a message about what was interrupted.
 * @throws Refusal `room-unknown`
 */
export function checkRunning(database: Database, name: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [room] = await queryRows<{ id: string; state: ProjectRoomState; busy: boolean }>(tx, roomAndWork, [name])
    if (room === undefined) throw refuse('room-unknown', { room: name })
    if (room.busy) return true
    const { text, codes } = storedReasons(whyInterrupted(await newestOperation(tx, room.id)))
    const interrupted = await queryRows(tx, becomeError, [room.id, text, codes])
    if (interrupted.length > 0) {
      const changes = [{ field: 'state', from: room.state, to: 'ERROR' }]
      await recordChange(tx, { kind: 'room.corrected', room: { id: room.id, name }, operation: null, changes })
    }
    return false
  })
}

const open = `exists (select 1 from operations o
                       where o.room_id = r.id and o.state in ('waiting', 'running', 'cancelling'))`

const roomAndWork = `select r.id, r.state, ${open} as busy from rooms r where r.name = $1 for update of r`

interface Interrupted {
  process: string | null
  step: string | null
  stepId: string | null
  error: string | null
  errorReasons: Reasons | null
}

/** The interrupted operation is the newest one. */
async function newestOperation(tx: Tx, roomId: string): Promise<Interrupted | undefined> {
  const [newest] = await queryRows<Interrupted>(
    tx,
    `select process_type as process, step, step_id, error, error_reasons
       from operations where room_id = $1 order by n desc limit 1`,
    [roomId],
  )
  return newest
}

function whyInterrupted(newest: Interrupted | undefined): Reasons {
  if (newest === undefined || newest.process === null) return [because('something-interrupted')]
  const { process, step } = newest
  const stepId = newest.stepId ?? ''
  const what =
    step === null ? because('interrupted', { process }) : because('interrupted-at-step', { process, step, stepId })
  return [what, ...(newest.errorReasons ?? [])]
}

const becomeError = `
  update rooms r set state = 'ERROR', version = version + 1, error_message = $2, error_reasons = $3::jsonb,
         error_code = null
   where r.id = $1 and r.state in ('IN_PROGRESS', 'MARKED_FOR_DELETION') and not ${open}
   returning r.id`
