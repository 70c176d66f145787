import { z } from 'zod'
import type { RoomCall } from '../steps/room-call.ts'

/** What a purge is started with. */
export const purgeInput = z.object({ deletedRoomId: z.uuid(), roomId: z.uuid(), roomName: z.string() })
export type PurgeInput = z.infer<typeof purgeInput>
export type PurgeCall = RoomCall<PurgeInput>
