/** A module of its own, so that it is loaded with the first call that needs it. */
import {
  auditRoutes,
  backupRoutes,
  cloudConfigurationRoutes,
  customerRoutes,
  databaseRoutes,
  doctorRoutes,
  liveMigrationRoutes,
  notificationRoutes,
  operatorRoutes,
  regionRoutes,
  roomChangeRoutes,
  roomExportRoutes,
  uploadRoutes,
  viewRoutes,
} from '@roomkeeper/contract'

export const later = {
  ...auditRoutes,
  ...backupRoutes,
  ...cloudConfigurationRoutes,
  ...customerRoutes,
  ...databaseRoutes,
  ...doctorRoutes,
  ...liveMigrationRoutes,
  ...notificationRoutes,
  ...operatorRoutes,
  ...regionRoutes,
  ...roomChangeRoutes,
  ...roomExportRoutes,
  ...uploadRoutes,
  ...viewRoutes,
}
