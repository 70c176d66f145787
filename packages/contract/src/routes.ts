/** The whole wire in one table. Server, client and OpenAPI walk it; the access test compares it with the documents. */
import { auditRoutes } from './audit.ts'
import { backupRoutes } from './backups.ts'
import { cloudConfigurationRoutes } from './cloud-configuration.ts'
import { customerRoutes } from './customers.ts'
import { databaseRoutes } from './databases.ts'
import { doctorRoutes } from './doctor.ts'
import { eventRoutes } from './events.ts'
import { liveMigrationRoutes } from './live-migrations.ts'
import { maintenanceRoutes } from './maintenance.ts'
import { notificationRoutes } from './notifications.ts'
import { operationRoutes } from './operations.ts'
import { operatorRoutes } from './operators.ts'
import { regionRoutes } from './regions.ts'
import { roomChangeRoutes } from './room-changes.ts'
import { roomRoutes } from './rooms.ts'
import { sessionRoutes } from './sessions.ts'
import { uploadRoutes } from './uploads.ts'

/** By the nouns that the OpenAPI document has as tags. */
export const routesByNoun = {
  Sessions: sessionRoutes,
  Operators: operatorRoutes,
  Rooms: { ...roomRoutes, ...roomChangeRoutes },
  Backups: backupRoutes,
  Databases: databaseRoutes,
  Uploads: uploadRoutes,
  Operations: operationRoutes,
  Audit: auditRoutes,
  Doctor: doctorRoutes,
  Regions: regionRoutes,
  'Live migrations': liveMigrationRoutes,
  'Cloud configuration': cloudConfigurationRoutes,
  Maintenance: maintenanceRoutes,
  Notifications: notificationRoutes,
  Customers: customerRoutes,
  Events: eventRoutes,
} as const

export const routes = {
  ...routesByNoun.Sessions,
  ...routesByNoun.Operators,
  ...routesByNoun.Rooms,
  ...routesByNoun.Backups,
  ...routesByNoun.Databases,
  ...routesByNoun.Uploads,
  ...routesByNoun.Operations,
  ...routesByNoun.Audit,
  ...routesByNoun.Doctor,
  ...routesByNoun.Regions,
  ...routesByNoun['Live migrations'],
  ...routesByNoun['Cloud configuration'],
  ...routesByNoun.Maintenance,
  ...routesByNoun.Notifications,
  ...routesByNoun.Customers,
  ...routesByNoun.Events,
} as const
export type Routes = typeof routes
export type RouteName = keyof Routes
