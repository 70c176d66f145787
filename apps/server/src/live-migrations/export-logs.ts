/** The state entries of a configuration with their logs, as CSV, newest first. */
import type { Readable } from 'node:stream'
import type { CsvForm } from '@roomkeeper/contract'
import { exportReader, type Reading } from '#operators/index.ts'
import { defusedSql, timeSql } from '#platform/csv.ts'
import type { Database } from '#platform/database.ts'

/** CSV in UTF-8 with a header row. Destroying the stream cancels the statement. */
export function exportLogs(
  { db, exports }: Database,
  { id, csv }: { id: number; csv: CsvForm },
  reading: Reading,
): Promise<Readable> {
  return exports.csv(
    {
      columns: `${defusedSql('s.room_name')} as "Project room",
        case s.outcome when 'migrated' then 'Migrated' when 'postponed' then 'Postponed' else 'Postponed (failed)' end as "State",
        ${timeSql('s.at', csv)} as "Date",
        ${defusedSql('source.name')} as "Source region", ${defusedSql('target.name')} as "Target region",
        s.operation_id as "Operation", ${defusedSql('s.log')} as "Log", ${defusedSql('s.error')} as "Error"`,
      from: `live_migration_states s
       left join regions source on source.id = s.source_region_id
       left join regions target on target.id = s.target_region_id
      where s.migration_id = ${Number(id)}`,
      order: 's.id desc',
    },
    exportReader(db, 'export.migration-logs', { id }, reading),
    csv,
  )
}
