/** Joins the tables of all features for `Db` and `Tx`. */
import type { BackupTables } from '#backups/index.ts'
<<<<<<< HEAD
import type { BulkTables } from '#bulk/index.ts'
<<<<<<< HEAD
=======
import type { ConsoleAssetTables } from '#console-assets/index.ts'
>>>>>>> 1e35c005 (Bulks: every statement is text; one function inserts the row of a bulk, and the target of a move is what regions say of its capacity)
import type { DoctorTables } from '#doctor/index.ts'
=======
import type { ConsoleAssetTables } from '#console-assets/index.ts'
>>>>>>> 87500e7f (The doctor: every statement is text in queryRows)
import type { LiveMigrationTables } from '#live-migrations/index.ts'
import type { OperationTables } from '#operations/index.ts'
import type { RegionTables } from '#regions/index.ts'
import type { RoomTables } from '#rooms/index.ts'

declare module '#platform/tables.ts' {
  interface Tables
<<<<<<< HEAD
    extends BackupPolicyTables,
      BackupTables,
<<<<<<< HEAD
      BulkTables,
<<<<<<< HEAD
=======
=======
    extends BackupTables,
>>>>>>> 1b284603 (Backup policies: every statement of a policy is text; a change is one statement that leaves alone what it does not concern)
      ConsoleAssetTables,
>>>>>>> 1e35c005 (Bulks: every statement is text; one function inserts the row of a bulk, and the target of a move is what regions say of its capacity)
      DoctorTables,
=======
      ConsoleAssetTables,
>>>>>>> 87500e7f (The doctor: every statement is text in queryRows)
      LiveMigrationTables,
      OperationTables,
      RegionTables,
      RoomTables {}
}
