/** Which backup is restored in a test, as the operation keeps it. */
import { products } from '@roomkeeper/contract'
import { z } from 'zod'
import type { StepCall } from '#operations/index.ts'

/** `product`: null for a backup of a room of which nothing else is left. `roomId`: for whoever removes what is left. */
export const verifiedBackup = z.object({
  backupId: z.uuid(),
  roomId: z.uuid(),
  product: z.enum(products).nullable(),
})
export type VerifiedBackup = z.infer<typeof verifiedBackup>
export type VerificationCall = StepCall<VerifiedBackup>
