import { purgedThing } from '@roomkeeper/contract'
import type { z } from 'zod'

/** A file of the room in the backup store or in an object store. */
export const fileOfRoom = purgedThing.omit({ removedAt: true })
export type FileOfRoom = z.output<typeof fileOfRoom>
