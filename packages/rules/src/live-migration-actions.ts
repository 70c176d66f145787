/**
 * What can be done with a live migration's configuration, for the console's buttons and the server's refusals alike.
 * Null: the action is possible. Otherwise the code of a refusal, whose text is in the contract's `refusals`.
 */
import type { LiveMigration } from '@roomkeeper/contract'

/** After a force delete in a region has ended, nothing is moved there for this many minutes. */
export const minutesAfterForceDelete = 20

export type MigrationReason = 'migration-running' | 'migration-not-running' | 'migration-warning'

/** `isWarningEnabled`: a run may still be touching rooms although the state says otherwise. */
export type MigrationSituation = Pick<LiveMigration, 'state' | 'isWarningEnabled'>

export function whyNotStartMigration(migration: MigrationSituation): MigrationReason | null {
  return whyNotAtRest(migration)
}

export function whyNotStopMigration({ state }: Pick<LiveMigration, 'state'>): MigrationReason | null {
  return state === 'RUNNING' ? null : 'migration-not-running'
}

/** A run reads the regions, `routing` and `parallel` while it moves rooms. */
export function whyNotChangeMigration(migration: MigrationSituation): MigrationReason | null {
  return whyNotAtRest(migration)
}

/** A run that may still touch rooms needs its configuration and its state entries. */
export function whyNotDeleteMigration(migration: MigrationSituation): MigrationReason | null {
  return whyNotAtRest(migration)
}

/** Whether or not `all` is given, which also clears the warning. */
export function whyNotResetPriority({ state }: Pick<LiveMigration, 'state'>): 'migration-running' | null {
  return state === 'RUNNING' ? 'migration-running' : null
}

/** Force delete: deleting abandoned copies in the target. */
export function whyNotForceDelete(migration: MigrationSituation): MigrationReason | null {
  return whyNotAtRest(migration)
}

/** Whether resetting the priority offers to clear the warning too. */
export function offersResetAll({ isWarningEnabled }: MigrationSituation): boolean {
  return isWarningEnabled
}

function whyNotAtRest({ state, isWarningEnabled }: MigrationSituation): MigrationReason | null {
  if (state === 'RUNNING') return 'migration-running'
  return isWarningEnabled ? 'migration-warning' : null
}
