/**
 * Creates a room on its region. The row exists before the operation starts, to reserve the name and the capacity.
 * Success makes the room DEFAULT. Failure makes it ERROR and keeps the completed steps for a retry. Cancelling removes
 * the row.
 */
import { z } from 'zod'
import { noUndo, operation } from '#operations/index.ts'
import { creationOutcome } from '../../steps/outcomes.ts'
import { checkName, checkRoom, createOnRegion, deleteFromRegion, mailCustomers } from './region-steps.ts'

const input = z.object({})

export const createRoom = operation<z.infer<typeof input>>({
  kind: 'room.create',
  version: 1,
  process: 'Create PR',
  input,
  takesSlot: true,
  whenFailed: 'keep',
  managedBy: 'edit',
  steps: [
    {
      id: 'check-name',
      title: 'check the name on the region',
      process: 'Name already exists',
      run: checkName,
      undo: noUndo,
    },
    {
      id: 'create-room',
      title: 'create the room on the region',
      run: (call) => createOnRegion(call),
      undo: deleteFromRegion,
    },
    { id: 'check-room', title: 'check the room on the region', run: (call) => checkRoom(call), undo: noUndo },
    { id: 'tell-customers', title: 'tell owner and delegate', run: mailCustomers, undo: noUndo },
  ],
  ...creationOutcome,
})
