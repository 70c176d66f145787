/**
 * The types of the tables for kysely. The platform's tables are here; the features declare theirs, and app/tables.ts
 * joins them. The truth is apps/server/schema: a test compares the two.
 */
import type { JSONColumnType } from 'kysely'
import type { Defaulted, ReadOnlyColumn } from './column-types.ts'

export interface Tables {
  backupStore: BackupStoreTable
  events: EventsTable
  rateLimitHits: RateLimitHitsTable
  recurringWork: RecurringWorkTable
}

interface BackupStoreTable {
  isSet: Defaulted<true>
  id: string
  /** Of a place that is about to become the store. */
  nextId: string | null
  isMarked: boolean
}

interface EventsTable {
  id: ReadOnlyColumn<number>
  tx: ReadOnlyColumn<string>
  at: ReadOnlyColumn<string>
  payload: JSONColumnType<Record<string, unknown>>
}

interface RateLimitHitsTable {
  limitName: string
  caller: string
  hits: string[]
  wasRefused: Defaulted<boolean>
  lastAt: Defaulted<string>
}

interface RecurringWorkTable {
  name: string
  beganAt: string
}
