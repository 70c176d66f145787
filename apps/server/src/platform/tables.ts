/**
 * The tables as kysely sees them. Here are those of the platform; the others stand beside their features and join them in
 * app/tables.ts. The truth is apps/server/schema: a test compares.
 */
import type { JSONColumnType } from 'kysely'
import type { Defaulted, Made } from './column-types.ts'

export interface Tables {
  events: EventsTable
  turns: TurnsTable
}

interface EventsTable {
  id: Made<number>
  tx: Made<string>
  at: Made<string>
  payload: JSONColumnType<Record<string, unknown>>
}

interface TurnsTable {
  what: string
  who: string
  at: string[]
  wasRefused: Defaulted<boolean>
  lastAt: Defaulted<string>
}
