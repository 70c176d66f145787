/** State entries: what became of each room of a configuration. */
import type { LogLine, MigrationStateEntry, Reasons } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { linesAtMost } from './operations/room-outcome.ts'

/** Newest first. */
export function listStates(db: Db, migrationId: number): Promise<MigrationStateEntry[]> {
  return queryRows<MigrationStateEntry>(
    db,
    `select id, room_name as project_room_name, outcome = 'migrated' as state, at as live_migration_date,
        outcome = 'failed' as is_live_migration_error, copy_removed as is_copy_removed
       from live_migration_states where migration_id = $1 order by id desc`,
    [migrationId],
  )
}

interface StoredLog {
  logInfo: string
  errorInfo: string
  errorReasons: Reasons | null
  operationId: string | null
  /** Null: there are too many. */
  lines: LogLine[] | null
}

/**
 * The log as one text, and line by line with the codes of what they say. Without lines if there are too many: the newest
 * say how it ended, and the text has them all.
 * @throws Refusal `migration-state-unknown`
 */
export async function findLogs(
  db: Db,
  stateId: number,
): Promise<{ logInfo: string; errorInfo: string; errorReasons: Reasons; lines: LogLine[] }> {
  const [found] = await queryRows<StoredLog>(
    db,
    `select log as log_info, error as error_info, error_reasons, operation_id, lines
       from live_migration_states where id = $1`,
    [stateId],
  )
  if (found === undefined) throw refuse('migration-state-unknown')
  const { operationId, errorReasons, lines: kept, ...texts } = found
  const lines = operationId === null ? [] : await linesOf(db, operationId)
  return {
    ...texts,
    errorReasons: errorReasons ?? [],
    lines: lines.length > 0 ? lines : (kept ?? []),
  }
}

async function linesOf(db: Db, operationId: string): Promise<LogLine[]> {
  const lines = await queryRows<LogLine>(
    db,
    `select n, at, level, text, coalesce(reasons, '[]') as reasons
       from operation_log where operation_id = $1 order by n limit $2`,
    [operationId, linesAtMost + 1],
  )
  return lines.length > linesAtMost ? [] : lines
}
