/** Locks the users out of a room. Its data stays as it is. */
import { z } from 'zod'
import { noUndo, operation } from '#operations/index.ts'
import { busyRoomOutcome } from '../../steps/outcomes.ts'
import { mailStakeholders, resumeOnRegion, suspendOnRegion } from './region-steps.ts'

const input = z.object({ notify: z.boolean() })

export const suspendRoom = operation<z.infer<typeof input>>({
  kind: 'room.suspend',
  version: 1,
  process: 'Suspend PR',
  input,
  takesSlot: false,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [
    { id: 'suspend-room', title: 'suspend the room on the region', run: suspendOnRegion, undo: resumeOnRegion },
    {
      id: 'tell-stakeholders',
      title: 'tell the stakeholders',
      run: (call) => mailStakeholders(call, 'suspended'),
      undo: noUndo,
    },
  ],
  ...busyRoomOutcome({ before: 'DEFAULT', after: 'SUSPENDED' }),
})
