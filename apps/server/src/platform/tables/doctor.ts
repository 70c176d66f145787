/** What the doctor looked at and found. */
import type { FindingKind, FindingSeverity } from '@roomkeeper/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { Defaulted, Made } from './column-types.ts'

export interface DoctorRunsTable {
  id: string
  operation_id: string | null
  started_by: string
  state: Defaulted<'running' | 'done' | 'failed' | 'cancelled'>
  started_at: Made<string>
  beat_at: Defaulted<string>
  ended_at: string | null
  progress: JSONColumnType<Record<string, unknown>, string | undefined, string>
}

export interface DoctorFindingsTable {
  id: Generated<string>
  key: string
  kind: FindingKind
  severity: FindingSeverity
  section: string
  room_id: string | null
  room_name: string | null
  region_id: number | null
  region_ids: Defaulted<number[]>
  subject: string | null
  facts: JSONColumnType<Record<string, string | number>>
  found_at: Defaulted<string>
  seen_at: Defaulted<string>
  run_id: string
  closed_at: string | null
  operation_id: string | null
}
