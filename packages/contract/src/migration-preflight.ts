/** What a live migration or a move would meet, told before it starts. */
import { z } from 'zod'
import { codedReason } from './coded-text.ts'

export const obstacleKinds = [
  'region-disabled',
  'region-unreachable',
  'region-refuses',
  'too-early',
  'capacity',
  'product-not-served',
  'session',
  'lock',
  'name-taken',
  'same-server',
  'busy',
  'wrong-state',
  'disk-space',
] as const
/** `effect`: the room would fail, would be postponed, or would be moved all the same (`hint`). */
export const obstacle = z.object({
  kind: z.enum(obstacleKinds),
  effect: z.enum(['fails', 'postponed', 'hint']),
  text: z.string(),
  reason: codedReason.meta({ description: 'What the text says.' }),
})
export type Obstacle = z.output<typeof obstacle>

/** `bytes` and `seconds` are null when the source cannot tell. */
export const preflightRoom = z.object({
  projectRoomName: z.string(),
  projectRoomState: z.enum(['DEFAULT', 'SUSPENDED', 'OTHER']),
  priority: z.int(),
  bytes: z.number().nullable(),
  seconds: z.number().nullable(),
  obstacles: z.array(obstacle),
})
export type PreflightRoom = z.output<typeof preflightRoom>

/**
 * `obstacles` concern the whole run. `rooms` is one page of the rooms, in the order in which they would be moved.
 * `whyNotStart`: why no room at all would be moved now.
 */
export const preflight = z.object({
  totalElements: z.int(),
  totalPages: z.int(),
  obstacles: z.array(obstacle),
  whyNotStart: codedReason.nullable(),
  rooms: z.array(preflightRoom),
})
export type Preflight = z.output<typeof preflight>
