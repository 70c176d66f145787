/** Lets the users of a suspended room in again. */
import { z } from 'zod'
import { nothing, operation } from '#operations/index.ts'
import type { RoomServices } from '../../steps/room-services.ts'
import { busyRoom } from './busy-room.ts'
import { resumeOnRegion, suspendOnRegion, tellStakeholders } from './state-steps.ts'

const input = z.object({ notify: z.boolean() })

export const resumeRoom = operation<z.infer<typeof input>, RoomServices>({
  kind: 'room.resume',
  version: 1,
  process: 'Resume PR',
  input,
  takesPlace: false,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [
    { id: 'resume-room', title: 'resume the room on the region', run: resumeOnRegion, undo: suspendOnRegion },
    {
      id: 'tell-stakeholders',
      title: 'tell the stakeholders',
      run: (call) => tellStakeholders(call, 'resumed'),
      undo: nothing,
    },
  ],
  ...busyRoom({ before: 'SUSPENDED', after: 'DEFAULT' }),
})
