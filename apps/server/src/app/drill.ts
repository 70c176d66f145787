/**
 * A drill (PROCESS=drill) shows what a restored database holds, beside the console in production: no operation runs, no
 * region is called, no e-mail and no webhook is sent, nothing is tidied, and calls that would change something are
 * refused.
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
  'migrationRooms',
  'migrationStates',
  'findCustomerRoom',
])

/** Deletes, although it is a GET. */
const changing: ReadonlySet<RouteName> = new Set<RouteName>(['deleteUser'])

export function isRefusedInDrill(name: RouteName, { method }: Route): boolean {
  return changing.has(name) || (method !== 'GET' && !reading.has(name))
}
