/** The whole wire in one table. Server, client and OpenAPI walk it; the access test compares it with the documents. */
import { auditRoutes } from './audit.ts'
import { backupRoutes } from './backups.ts'
import { customerRoutes } from './customers.ts'
import { databaseRoutes } from './databases.ts'
import { doctorRoutes } from './doctor.ts'
import { eventRoutes } from './events.ts'
import { liveMigrationRoutes } from './live-migrations.ts'
import { operationRoutes } from './operations.ts'
import { regionRoutes } from './regions.ts'
import { roomChangeRoutes } from './room-changes.ts'
import { roomRoutes } from './rooms.ts'
import { sessionRoutes } from './session.ts'
import { settingRoutes } from './settings.ts'
import { uploadRoutes } from './uploads.ts'

export const routes = {
  ...sessionRoutes,
  ...roomRoutes,
  ...roomChangeRoutes,
  ...backupRoutes,
  ...databaseRoutes,
  ...uploadRoutes,
  ...auditRoutes,
  ...operationRoutes,
  ...doctorRoutes,
  ...regionRoutes,
  ...liveMigrationRoutes,
  ...settingRoutes,
  ...customerRoutes,
  ...eventRoutes,
} as const
export type Routes = typeof routes
export type RouteName = keyof Routes
