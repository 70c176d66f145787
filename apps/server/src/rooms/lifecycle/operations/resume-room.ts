/** Opens a suspended room for its users again. */
import { z } from 'zod'
import { noUndo, operation } from '#operations/index.ts'
import { busyRoomOutcome } from '../../steps/outcomes.ts'
import { mailStakeholders, resumeOnRegion, suspendOnRegion } from './region-steps.ts'

const input = z.object({ notify: z.boolean() })

export const resumeRoom = operation<z.infer<typeof input>>({
  kind: 'room.resume',
  version: 1,
  process: 'Resume PR',
  input,
  takesSlot: false,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [
    { id: 'resume-room', title: 'resume the room on the region', run: resumeOnRegion, undo: suspendOnRegion },
    {
      id: 'tell-stakeholders',
      title: 'tell the stakeholders',
      run: (call) => mailStakeholders(call, 'resumed'),
      undo: noUndo,
    },
  ],
  ...busyRoomOutcome({ before: 'SUSPENDED', after: 'DEFAULT' }),
})
