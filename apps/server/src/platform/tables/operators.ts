/** Who works with the console, and what they did. */
import type { Role } from '@roomkeeper/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { Defaulted, Made } from './column-types.ts'

export interface OperatorsTable {
  id: Generated<string>
  email: string
  name: string
  role: Role
  password_hash: string
  created_at: Made<string>
}

export interface SessionsTable {
  token_hash: Buffer
  operator_id: string
  awaits_second_factor: boolean
  created_at: Made<string>
  last_used_at: Defaulted<string>
}

export interface FailedSignInsTable {
  id: Generated<number>
  email: string
  address: string
  at: Defaulted<string>
}

export interface AuditChange {
  field: string
  from: unknown
  to: unknown
}

export interface AuditTable {
  id: Made<number>
  at: Made<string>
  actor: string
  action: string
  room_id: string | null
  room_name: string | null
  operation_id: string | null
  detail: string | null
  changes: JSONColumnType<AuditChange[], string | undefined, never>
  request_id: string | null
}

export interface TurnsTable {
  what: string
  who: string
  at: string[]
  was_refused: Defaulted<boolean>
  last_at: Defaulted<string>
}
