/** What most pages never call, loaded with the first call that needs it. */
import { backupPolicyRoutes, bulkRoutes, deletedRoomRoutes, tokenRoutes, webhookRoutes } from '@roomkeeper/contract'

export const fleet = { ...bulkRoutes, ...deletedRoomRoutes, ...backupPolicyRoutes, ...tokenRoutes, ...webhookRoutes }
