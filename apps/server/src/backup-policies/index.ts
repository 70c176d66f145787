/**
 * Backup policies: which rooms are backed up by themselves, when (due-times.ts, schedule-backups.ts), what has become of
 * that (runs.ts), and which of these backups are kept (retention.ts, tidy-policies.ts).
 */
export { backupPolicyHandlers } from './policy-routes.ts'
export { removeOldRuns } from './runs.ts'
export { startScheduling } from './schedule-backups.ts'
export { tidyPolicies } from './tidy-policies.ts'
export { tidyVerificationCounts } from './verify-nth.ts'
