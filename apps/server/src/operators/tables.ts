/** The tables of operators, their sessions and failed sign-ins, and the audit trail. */
import type { Role } from '@roomkeeper/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { Defaulted, Made } from '#platform/column-types.ts'

export interface OperatorTables {
  operators: OperatorsTable
  sessions: SessionsTable
  failedSignIns: FailedSignInsTable
  audit: AuditTable
  downloadTickets: DownloadTicketsTable
}

export interface OperatorsTable {
  id: Generated<string>
  email: string
  name: string
  role: Role
  passwordHash: string
  createdAt: Made<string>
}

export interface SessionsTable {
  tokenHash: Buffer
  operatorId: string
  awaitsSecondFactor: boolean
  createdAt: Made<string>
  lastUsedAt: Defaulted<string>
}

export interface FailedSignInsTable {
  id: Made<number>
  email: string
  address: string
  at: Defaulted<string>
}

export interface AuditTable {
  id: Made<number>
  at: Made<string>
  actor: string
  action: string
  roomId: string | null
  roomName: string | null
  operationId: string | null
  detail: string | null
  changes: JSONColumnType<AuditChange[], string | undefined, never>
  requestId: string | null
}

export interface AuditChange {
  field: string
  from: unknown
  to: unknown
}

export interface DownloadTicketsTable {
  tokenHash: Buffer
  sessionHash: Buffer
  download: string
  query: JSONColumnType<object, string, never>
  expiresAt: string
}
