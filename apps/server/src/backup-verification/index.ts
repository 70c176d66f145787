/**
 * Restores backups in a test: on a region, in a copy that no user can reach. Start at verify-backup.ts. What it finds
 * wrong with a backup becomes a finding of the doctor.
 */
import { verifyBackup } from './verify-backup.ts'

export { startVerification, verificationHandlers } from './start-verification.ts'

export const verificationOperations = [verifyBackup] as const
