/** Tables of the doctor. */
import type { FindingKind, FindingSeverity } from '@roomkeeper/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { Defaulted, ReadOnlyColumn } from '#platform/column-types.ts'
import type { Facts, Reasons } from './finding.ts'

export interface DoctorTables {
  doctorRuns: DoctorRunsTable
  doctorFindings: DoctorFindingsTable
}

export interface DoctorRunsTable {
  id: string
  operationId: string | null
  startedBy: string
  state: Defaulted<'running' | 'done' | 'failed' | 'cancelled'>
  startedAt: ReadOnlyColumn<string>
  heartbeatAt: Defaulted<string>
  endedAt: string | null
  progress: JSONColumnType<Record<string, unknown>, string | undefined, string>
}

export interface DoctorFindingsTable {
  id: Generated<string>
  key: string
  kind: FindingKind
  severity: FindingSeverity
  section: string
  roomId: string | null
  roomName: string | null
  regionId: number | null
  regionIds: Defaulted<number[]>
  subject: string | null
  facts: JSONColumnType<Facts>
  reasons: JSONColumnType<Reasons>
  foundAt: Defaulted<string>
  seenAt: Defaulted<string>
  runId: string
  closedAt: string | null
  operationId: string | null
}
