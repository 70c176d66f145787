import { bulkActions } from '@roomkeeper/contract'
import { z } from 'zod'
import type { StepCall } from '#operations/index.ts'

/** With which rooms and parameters it works is in the row of the bulk and in its items. */
export const bulkInput = z.object({ action: z.enum(bulkActions) })
export type BulkInput = z.infer<typeof bulkInput>

export type BulkCall = StepCall<BulkInput>
