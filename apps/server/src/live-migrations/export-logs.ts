/** The state entries of a configuration with their logs, as CSV, newest first. */
import type { Readable } from 'node:stream'
import { defusedSql } from '#platform/csv.ts'
import type { Database } from '#platform/database.ts'

/** CSV in UTF-8 with a header row. Destroying the stream cancels the statement. */
export function exportLogs({ exports }: Database, migrationId: number, operatorId: string): Promise<Readable> {
  return exports.csv(
    `select ${defusedSql('s.room_name')} as "Project room",
        case s.outcome when 'migrated' then 'Migrated' when 'postponed' then 'Postponed' else 'Postponed (failed)' end as "State",
        replace(date_trunc('second', s.at at time zone 'UTC')::text, ' ', 'T') || 'Z' as "Date",
        ${defusedSql('source.name')} as "Source region", ${defusedSql('target.name')} as "Target region",
        s.operation_id as "Operation", ${defusedSql('s.log')} as "Log", ${defusedSql('s.error')} as "Error"
       from live_migration_states s
       left join regions source on source.id = s.source_region_id
       left join regions target on target.id = s.target_region_id
      where s.migration_id = ${Number(migrationId)} order by s.id desc`,
    operatorId,
  )
}
