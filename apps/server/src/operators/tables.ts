/** The tables of operators, their sessions, API tokens and failed sign-ins, and the audit trail. */
import type { Reasons, Role, TokenRefusal } from '@roomkeeper/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { FieldChange } from '#changes/index.ts'
import type { Defaulted, ReadOnlyColumn } from '#platform/column-types.ts'

export interface OperatorTables {
  operators: OperatorsTable
  sessions: SessionsTable
  apiTokens: ApiTokensTable
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
  /** Since a dump was restored; null: it may be used. */
  lockedAt: Defaulted<string | null>
  createdAt: ReadOnlyColumn<string>
}

export interface SessionsTable {
  tokenHash: Buffer
  operatorId: string
  awaitsSecondFactor: boolean
  createdAt: ReadOnlyColumn<string>
  lastUsedAt: Defaulted<string>
}

export interface ApiTokensTable {
  id: Generated<string>
  operatorId: string
  name: string
  role: Role
  tokenHash: Buffer
  networks: Defaulted<string[]>
  createdAt: ReadOnlyColumn<string>
  expiresAt: string
  revokedAt: string | null
  lastUsedAt: string | null
  lastUsedFrom: string | null
  refusedTimes: Defaulted<number>
  refusedAt: string | null
  refusedFrom: string | null
  refusedWhy: TokenRefusal | null
}

export interface FailedSignInsTable {
  id: ReadOnlyColumn<number>
  email: string
  address: string
  at: Defaulted<string>
}

export interface AuditTable {
  id: ReadOnlyColumn<number>
  at: ReadOnlyColumn<string>
  actor: string
  action: string
  roomId: string | null
  roomName: string | null
  operationId: string | null
  detail: string | null
  /** What the detail says, unless it is a name. */
  detailReasons: JSONColumnType<Reasons, string | undefined, never>
  changes: JSONColumnType<FieldChange[], string | undefined, never>
  requestId: string | null
}

export interface DownloadTicketsTable {
  tokenHash: Buffer
  sessionHash: Buffer
  download: string
  query: JSONColumnType<object, string, never>
  expiresAt: string
}
