/** The input of a run: which configuration it runs, and how rooms are moved. */
import { z } from 'zod'
import type { StepCall } from '#operations/index.ts'

export const runInput = z.object({
  migrationId: z.int(),
  sourceRegionId: z.int(),
  targetRegionId: z.int(),
  routing: z.boolean(),
  parallel: z.boolean(),
  skipActiveSessions: z.boolean(),
})
export type RunInput = z.infer<typeof runInput>

export type RunCall = StepCall<RunInput>
