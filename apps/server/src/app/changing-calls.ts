/**
 * Which calls change something. A drill (PROCESS=drill), which shows what a restored database holds beside the console in
 * production, refuses them; the audit trail has those that the caller's role does not allow.
 */
import type { Route, RouteName } from '@roomkeeper/contract'

/** The calls that are no GET and change nothing but the caller's own session, or make a link for a download. */
const reading: ReadonlySet<RouteName> = new Set<RouteName>([
  'signIn',
  'checkSession',
  'permissions',
  'signOut',
  'completeSecondFactor',
  'listRooms',
  'createRoomsTicket',
  'createBulkItemsTicket',
  'createBackupTicket',
  'createAuditTicket',
  'createMigrationLogsTicket',
  'preflightBulk',
  'preflightLiveMigration',
  'migrationRooms',
  'migrationStates',
  'findCustomerRoom',
])

/** Deletes, although it is a GET. */
const changing: ReadonlySet<RouteName> = new Set<RouteName>(['deleteUser'])

export function changesSomething(name: RouteName, { method }: Route): boolean {
  return changing.has(name) || (method !== 'GET' && !reading.has(name))
}
