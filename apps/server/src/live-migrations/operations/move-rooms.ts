/** The loop of a run: counts the moves under way and starts the next ones. Its cost does not grow with the run. */
import { queryRows } from '#platform/database.ts'
import { pause } from '#platform/pause.ts'
import { prepared } from '#platform/prepared-statements.ts'
import { recordMissingOutcome } from './room-outcome.ts'
import type { RunCall } from './run-call.ts'
import { startMove } from './start-move.ts'

const shortestPauseMilliseconds = 25
const longestPauseMilliseconds = 500
/** Many of the next rooms may be refused. */
const triedAtOnce = 50

export async function moveRooms(call: RunCall): Promise<void> {
  const atOnce = call.input.parallel ? call.services.regionConcurrency : 1
  for (let wait = shortestPauseMilliseconds; ; ) {
    call.signal.throwIfAborted()
    const { isActive, moving, waiting } = await readProgress(call)
    const ended = moving.filter((room) => room.hasEnded)
    for (const room of ended) await call.transaction((tx) => recordMissingOutcome(tx, call.id, room.roomId))
    const underWay = moving.length - ended.length
    const { started, tried } = isActive ? await startSome(call, waiting, atOnce - underWay) : { started: 0, tried: 0 }
    if (underWay + started === 0 && (!isActive || waiting.length === 0)) return
    wait = ended.length + tried > 0 ? shortestPauseMilliseconds : Math.min(wait * 1.25, longestPauseMilliseconds)
    await pause(wait, call.signal)
  }
}

interface Progress {
  /** False once somebody has stopped the run. */
  isActive: boolean
  moving: { roomId: string; hasEnded: boolean }[]
  /** The ids of the next rooms. */
  waiting: string[]
}

/** One statement, because it is asked again and again. */
async function readProgress(call: RunCall): Promise<Progress> {
  const [found] = await queryRows<Progress>(call.services.db, progressOfRun, [
    call.input.migrationId,
    call.id,
    triedAtOnce,
  ])
  if (found === undefined) throw new Error('A statement without a condition gave no row.')
  return found
}

const progressOfRun = prepared(
  `select coalesce((select state = 'RUNNING' and run_id = $2 from live_migrations where id = $1), false) as is_active,
       coalesce((select jsonb_agg(jsonb_build_object('roomId', r.room_id,
                                                     'hasEnded', o.id is null or o.ended_at is not null))
                   from live_migration_rooms r left join operations o on o.id = r.operation_id
                  where r.run_id = $2 and r.state = 'running'), '[]') as moving,
       coalesce((select jsonb_agg(next.room_id order by next.position)
                   from (select room_id, position from live_migration_rooms
                          where run_id = $2 and state = 'waiting' order by position limit $3) as next), '[]') as waiting`,
)

async function startSome(
  call: RunCall,
  waiting: readonly string[],
  limit: number,
): Promise<{ started: number; tried: number }> {
  let started = 0
  let tried = 0
  for (const roomId of waiting) {
    if (started >= limit) break
    tried += 1
    const outcome = await startMove(call, roomId)
    call.signal.throwIfAborted()
    if (outcome === 'started') started += 1
    if (outcome === 'waits') break
  }
  return { started, tried }
}
