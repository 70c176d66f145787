/**
 * All routes in one table. Server, client and OpenAPI document derive from it; the access test compares it with a table
 * written by hand from the specification.
 */
import { activityRoutes } from './activity.ts'
import { auditRoutes } from './audit.ts'
import { backupPolicyRoutes } from './backup-policies.ts'
import { backupRoutes } from './backups.ts'
import { bulkRoutes } from './bulks.ts'
import { cloudConfigurationRoutes } from './cloud-configuration.ts'
import { customerRoutes } from './customers.ts'
import { databaseRoutes } from './databases.ts'
import { deletedRoomRoutes } from './deleted-rooms.ts'
import { doctorRoutes } from './doctor.ts'
import { eventRoutes } from './events.ts'
import { labelRoutes } from './labels.ts'
import { liveMigrationRoutes } from './live-migrations.ts'
import { maintenanceRoutes } from './maintenance.ts'
import { notificationRoutes } from './notifications.ts'
import { operationRoutes } from './operations.ts'
import { operatorRoutes } from './operators.ts'
import { overviewRoutes } from './overview.ts'
import { regionRoutes } from './regions.ts'
import { roomChangeRoutes } from './room-changes.ts'
import { roomCustomerRoutes } from './room-customers.ts'
import { roomExportRoutes } from './room-exports.ts'
import { roomNoteRoutes } from './room-notes.ts'
import { roomRoutes } from './rooms.ts'
import { sessionRoutes } from './sessions.ts'
import { tokenRoutes } from './tokens.ts'
import { uploadRoutes } from './uploads.ts'
import { viewRoutes } from './views.ts'
import { webhookRoutes } from './webhooks.ts'

/** The keys are the tags of the OpenAPI document. */
export const routesByNoun = {
  Sessions: sessionRoutes,
  Operators: operatorRoutes,
  'API tokens': tokenRoutes,
  Rooms: {
    ...roomRoutes,
    ...roomExportRoutes,
    ...roomChangeRoutes,
    ...roomCustomerRoutes,
    ...labelRoutes,
    ...roomNoteRoutes,
  },
  Views: viewRoutes,
  Bulks: bulkRoutes,
  'Deleted rooms': deletedRoomRoutes,
  Backups: backupRoutes,
  'Backup policies': backupPolicyRoutes,
  Databases: databaseRoutes,
  Uploads: uploadRoutes,
  Operations: operationRoutes,
  Audit: { ...auditRoutes, ...activityRoutes },
  Overview: overviewRoutes,
  Doctor: doctorRoutes,
  Regions: regionRoutes,
  'Live migrations': liveMigrationRoutes,
  'Cloud configuration': cloudConfigurationRoutes,
  Webhooks: webhookRoutes,
  Maintenance: maintenanceRoutes,
  Notifications: notificationRoutes,
  Customers: customerRoutes,
  Events: eventRoutes,
} as const

/** The intersection of several tables: all of their rows in one. */
type Merged<Tables> = { [Name in keyof Tables]: (table: Tables[Name]) => void }[keyof Tables] extends (
  all: infer All,
) => void
  ? All
  : never

export const routes = Object.assign({}, ...Object.values(routesByNoun)) as Merged<typeof routesByNoun>
export type Routes = typeof routes
export type RouteName = keyof Routes
