/** The step of a run: works through its rooms, one after another or several at once. */
import { recordChange } from '#changes/index.ts'
import { runItems } from '#operations/index.ts'
import { watchSilentRegions } from '#regions/index.ts'
import { isSilent, silentRegions } from '../silent-regions.ts'
import { recordMissingOutcome } from './room-outcome.ts'
import type { RunCall } from './run-call.ts'
import { startMove } from './start-move.ts'

export function moveRooms(call: RunCall): Promise<void> {
  const { db } = call.services
  return runItems({
    db,
    parentId: call.id,
    signal: call.signal,
    atOnce: call.input.parallel ? call.services.regionConcurrency : 1,
    // False once somebody has stopped the run.
    isActive: `select state = 'RUNNING' from live_migrations where run_id = $1`,
    isPaused: isSilent,
    onPaused: watchSilentRegions(call, {
      find: () => silentRegions(db, call.id),
      announce: () => recordChange(db, { kind: 'migration.changed', migrationId: call.input.migrationId }),
    }),
    begin: (roomId) => startMove(call, roomId),
    async settle(roomIds) {
      for (const roomId of roomIds) await call.transaction((tx) => recordMissingOutcome(tx, call.id, roomId))
    },
  })
}
