/** The loop of a run: counts the moves under way and starts the next ones. Its cost does not grow with the run. */
import { queryRows } from '#platform/database.ts'
import { pause } from '#platform/pause.ts'
import { recordMissingOutcome } from './room-outcome.ts'
import type { RunCall } from './run-call.ts'
import { startMove } from './start-move.ts'

const shortestPauseMilliseconds = 25
const longestPauseMilliseconds = 500

export async function moveRooms(call: RunCall): Promise<void> {
  const atOnce = call.input.parallel ? call.services.regionConcurrency : 1
  let wait = shortestPauseMilliseconds
  for (let lastCount = -1; ; ) {
    call.signal.throwIfAborted()
    const { isActive, underWay } = await readProgress(call)
    const started = isActive ? await startSome(call, atOnce - underWay) : 0
    const count = underWay + started
    if (count === 0) return
    wait = count === lastCount ? Math.min(wait * 1.25, longestPauseMilliseconds) : shortestPauseMilliseconds
    lastCount = count
    await pause(wait, call.signal)
  }
}

/** `isActive`: false once somebody has stopped the run. */
async function readProgress(call: RunCall): Promise<{ isActive: boolean; underWay: number }> {
  const { db } = call.services
  const [migration] = await queryRows<{ isActive: boolean }>(
    db,
    `select state = 'RUNNING' and run_id = $2 as is_active from live_migrations where id = $1`,
    [call.input.migrationId, call.id],
  )
  const moving = await queryRows<{ roomId: string; hasEnded: boolean }>(
    db,
    `select r.room_id, o.id is null or o.ended_at is not null as has_ended
       from live_migration_rooms r left join operations o on o.id = r.operation_id
      where r.run_id = $1 and r.state = 'running'`,
    [call.id],
  )
  const ended = moving.filter((room) => room.hasEnded)
  for (const room of ended) await call.transaction((tx) => recordMissingOutcome(tx, call.id, room.roomId))
  return { isActive: migration?.isActive === true, underWay: moving.length - ended.length }
}

/** @returns how many moves were started */
async function startSome(call: RunCall, limit: number): Promise<number> {
  let started = 0
  while (started < limit) {
    const [next] = await queryRows<{ roomId: string }>(
      call.services.db,
      `select room_id from live_migration_rooms where run_id = $1 and state = 'waiting' order by position limit 1`,
      [call.id],
    )
    if (next === undefined) break
    if (await startMove(call, next.roomId)) started += 1
    call.signal.throwIfAborted()
  }
  return started
}
