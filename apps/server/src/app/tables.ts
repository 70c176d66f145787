/** Joins the tables of all features for `Db` and `Tx`. */
import type { BackupPolicyTables } from '#backup-policies/index.ts'
import type { BackupTables } from '#backups/index.ts'
import type { BulkTables } from '#bulk/index.ts'
import type { ConsoleAssetTables } from '#console-assets/index.ts'
import type { DoctorTables } from '#doctor/index.ts'
import type { LiveMigrationTables } from '#live-migrations/index.ts'
import type { MaintenanceTables } from '#maintenance/index.ts'
import type { NotificationTables } from '#notifications/index.ts'
import type { OperationTables } from '#operations/index.ts'
import type { OperatorTables } from '#operators/index.ts'
import type { RegionTables } from '#regions/index.ts'
import type { RoomTables } from '#rooms/index.ts'
import type { SettingTables } from '#settings/index.ts'
import type { UploadTables } from '#uploads/index.ts'
import type { ViewTables } from '#views/index.ts'
import type { WebhookTables } from '#webhooks/index.ts'

declare module '#platform/tables.ts' {
  interface Tables
    extends BackupPolicyTables,
      BackupTables,
      BulkTables,
      ConsoleAssetTables,
      DoctorTables,
      LiveMigrationTables,
      MaintenanceTables,
      NotificationTables,
      OperationTables,
      OperatorTables,
      RegionTables,
      RoomTables,
      SettingTables,
      UploadTables,
      ViewTables,
      WebhookTables {}
}
