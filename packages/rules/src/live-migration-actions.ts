/**
 * What can be done with a live migration configuration: for the console's buttons and the server's refusals alike.
 * A null answer means it is possible; otherwise the code of the refusal, whose text is in the contract's `refusals`.
 */
import type { LiveMigration } from '@roomkeeper/contract'

/** Minutes during which nothing is moved to a region after a force delete on it has ended. */
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

/** Regions, routing and parallel are read while rooms move. */
export function whyNotChangeMigration(migration: MigrationSituation): MigrationReason | null {
  return whyNotAtRest(migration)
}

/** A run that may still touch rooms needs its configuration and its state entries. */
export function whyNotDeleteMigration(migration: MigrationSituation): MigrationReason | null {
  return whyNotAtRest(migration)
}

/** With `all`, which clears the warning, or without. */
export function whyNotResetPriority({ state }: Pick<LiveMigration, 'state'>): 'migration-running' | null {
  return state === 'RUNNING' ? 'migration-running' : null
}

/** Removing what failed migrations left in the target. */
export function whyNotForceDelete(migration: MigrationSituation): MigrationReason | null {
  return whyNotAtRest(migration)
}

/** Resetting the priority asks whether the warning is to be cleared too. */
export function offersResetAll({ isWarningEnabled }: MigrationSituation): boolean {
  return isWarningEnabled
}

function whyNotAtRest({ state, isWarningEnabled }: MigrationSituation): MigrationReason | null {
  if (state === 'RUNNING') return 'migration-running'
  return isWarningEnabled ? 'migration-warning' : null
}
