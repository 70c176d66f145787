/** The tables of backup policies, and of the backups that they have asked for. */
import type { JSONColumnType } from 'kysely'
import type { Defaulted, ReadOnlyColumn } from '#platform/column-types.ts'

export interface BackupPolicyTables {
  backupPolicies: BackupPoliciesTable
  scheduledBackups: ScheduledBackupsTable
  scheduledBackupDays: ScheduledBackupDaysTable
  verificationCounts: VerificationCountsTable
}

export interface BackupPoliciesTable {
  id: string
  name: string
  isOn: boolean
  rooms: JSONColumnType<Record<string, unknown>>
  kind: 'classic' | 'd2o'
  schedule: JSONColumnType<Record<string, unknown>>
  keep: JSONColumnType<Record<string, unknown>>
  verifyEvery: number
  version: Defaulted<number>
  /** What is due until then has its rows in `scheduledBackups`; null: the scheduler has not seen the policy yet. */
  scheduledUntil: Defaulted<string | null>
  /** How many of its backups have failed since it exists. */
  failed: Defaulted<number>
  /** What waits and was due until then is not begun any more, but removed; null: nothing is. */
  discardUntil: Defaulted<string | null>
  /** What it keeps has changed, so retention looks again at its rooms with higher ids; null: at none. */
  retentionCursor: Defaulted<string | null>
  /** Then nobody sees it any more, and housekeeping removes it, after its rows in `scheduledBackups`. */
  deletedAt: Defaulted<string | null>
  createdAt: ReadOnlyColumn<string>
}

/** One row for each room and time. The backup has the id of its operation. */
export interface ScheduledBackupsTable {
  policyId: string
  roomId: string
  /** Of the room, when it became due or was last tried. */
  regionId: number
  dueAt: string
  /** A backup of another policy that has begun since then counts for this one. */
  countsFrom: string
  /** So long a room that is busy is tried again. */
  tryUntil: string
  state: Defaulted<'waiting' | 'started' | 'done' | 'failed' | 'missed'>
  operationId: Defaulted<string | null>
  startedAt: Defaulted<string | null>
  triedAt: Defaulted<string | null>
  /** Whether retention has been applied since this backup was made. */
  retentionApplied: Defaulted<boolean>
}

/** How many have ended how, by the day (UTC) on which they were due. */
export interface ScheduledBackupDaysTable {
  policyId: string
  day: string
  done: number
  failed: number
  missed: number
}

/** How many backups of a room a policy has made since it had one of them restored in a test. */
export interface VerificationCountsTable {
  policyId: string
  roomId: string
  /** Of the room, at its last backup. */
  regionId: number
  backups: number
  /** Whether it is time to verify one. */
  isDue: boolean
}
