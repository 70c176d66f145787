/** The loop of a run: counts the moves under way, and starts the next. Costs the same for runs of any size. */
import { queryRows } from '#platform/database.ts'
import { pause } from '#platform/pause.ts'
import { recordLostRoom } from './room-outcome.ts'
import type { RunCall } from './run-call.ts'
import { startMove } from './start-move.ts'

const shortestPauseMilliseconds = 25
const longestPauseMilliseconds = 500

export async function moveRooms(call: RunCall): Promise<void> {
  const atOnce = call.input.parallel ? call.services.regionConcurrency : 1
  let wait = shortestPauseMilliseconds
  for (let before = -1; ; ) {
    call.signal.throwIfAborted()
    const { goesOn, underWay } = await look(call)
    const started = goesOn ? await startSome(call, atOnce - underWay) : 0
    if (underWay + started === 0) return
    wait = underWay + started === before ? Math.min(wait * 1.25, longestPauseMilliseconds) : shortestPauseMilliseconds
    before = underWay + started
    await pause(wait, call.signal)
  }
}

/** `goesOn`: false when somebody has stopped the run. */
async function look(call: RunCall): Promise<{ goesOn: boolean; underWay: number }> {
  const { db } = call.services
  const [migration] = await queryRows<{ goesOn: boolean }>(
    db,
    `select state = 'RUNNING' and run_id = $2 as goes_on from live_migrations where id = $1`,
    [call.input.migrationId, call.id],
  )
  const moving = await queryRows<{ roomId: string; lost: boolean }>(
    db,
    `select r.room_id, o.id is null or o.ended_at is not null as lost
       from live_migration_rooms r left join operations o on o.id = r.operation_id
      where r.run_id = $1 and r.state = 'running'`,
    [call.id],
  )
  const lost = moving.filter((room) => room.lost)
  for (const room of lost) await call.transaction((tx) => recordLostRoom(tx, call.id, room.roomId))
  return { goesOn: migration?.goesOn === true, underWay: moving.length - lost.length }
}

/** @returns how many are on their way now */
async function startSome(call: RunCall, most: number): Promise<number> {
  let started = 0
  while (started < most) {
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
