/** All kinds of operations that this program knows, each in one or more versions. */
import { verificationOperations } from '#backup-verification/index.ts'
import { bulkOperations } from '#bulk/index.ts'
import { doctorOperations } from '#doctor/index.ts'
import { migrationOperations } from '#live-migrations/index.ts'
import { roomOperations } from '#rooms/index.ts'

export const registeredKinds = [
  ...roomOperations,
  ...bulkOperations,
  ...migrationOperations,
  ...doctorOperations,
  ...verificationOperations,
] as const
