/**
 * Live migrations: a configuration names the region that rooms are moved from and the one they are moved to. Each start
 * of it is a run: an operation that moves the rooms one by one or in parallel. A configuration is STOPPED, RUNNING,
 * FAILED, COMPLETED or PARTIALLY_COMPLETED. State entries say what became of each room. The calls are in the
 * *-routes.ts files.
 */
import { configurationHandlers } from './configuration-routes.ts'
import { forceDelete } from './operations/force-delete.ts'
import { leaveSource } from './operations/leave-source.ts'
import { leaveTarget } from './operations/leave-target.ts'
import { migrateRoom } from './operations/migrate-room.ts'
import { migrationRun } from './operations/migration-run.ts'
import { openMovedRoom } from './operations/open-target.ts'
import { runHandlers } from './run-routes.ts'
import type { MigrationParts } from './start-migration.ts'
import { stateHandlers } from './state-routes.ts'

export { beginMove } from './operations/start-move.ts'
export { tidyForcedDeletions } from './removals-in-target.ts'

export const migrationOperations = [
  migrationRun,
  migrateRoom,
  openMovedRoom,
  leaveSource,
  leaveTarget,
  forceDelete,
] as const

export function liveMigrationHandlers(parts: MigrationParts) {
  return { ...configurationHandlers(parts.database), ...runHandlers(parts), ...stateHandlers(parts.database) }
}
