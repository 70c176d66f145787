/** The copy that a move has abandoned in its target, and what its removal needs. */
import { roomCreation } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import type { StepCall } from '#operations/index.ts'

/** The copy, and the move that made it. */
export const abandonedCopy = z.object({
  roomId: z.uuid(),
  targetRegionId: z.int(),
  /** `fence`: the move's last, above that of every call that made something. */
  move: z.object({ id: z.uuid(), attempt: z.int(), fence: z.int() }),
  holder: z.string(),
  sourceRegionId: z.int(),
  /** The request that created the copy. Repeated, it is accepted for this copy and refused for any other. */
  creation: roomCreation,
})
export type AbandonedCopy = z.infer<typeof abandonedCopy>

export type RemovalCall = Pick<
  StepCall<unknown>,
  'id' | 'attempt' | 'roomName' | 'mark' | 'log' | 'progress' | 'signal' | 'services' | 'transaction'
>
