/** The table of requests for forgotten room names. */
import type { Generated } from 'kysely'
import type { Defaulted, Made } from '#platform/column-types.ts'

export interface CustomerTables {
  forgottenRoomNames: ForgottenRoomNamesTable
}

export interface ForgottenRoomNamesTable {
  id: Generated<string>
  email: string
  askedAt: Made<string>
  dueAt: Defaulted<string>
}
