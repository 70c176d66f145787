/** Suspending and resuming a room on its region; each step is the undo of the other. */
import { because } from '@roomkeeper/contract'
import { type RoomCall, targetOf } from '../../steps/room-call.ts'
import { addressesOf } from './addresses-of-room.ts'
import { sendMails } from './send-mails.ts'
import { stateMail } from './state-mail.ts'

export async function suspendOnRegion(call: RoomCall): Promise<void> {
  const { region, room } = await targetOf(call)
  await region.suspendRoom(room.name, room.id, call.mark)
  await call.log([because('log-users-out')])
}

export async function resumeOnRegion(call: RoomCall): Promise<void> {
  const { region, room } = await targetOf(call)
  await region.resumeRoom(room.name, room.id, call.mark)
  await call.log([because('log-users-in')])
}

export async function mailStakeholders(
  call: RoomCall<{ notify: boolean }>,
  what: 'suspended' | 'resumed',
): Promise<void> {
  if (!call.input.notify) return call.log([because('log-no-mail')])
  const { room } = await targetOf(call)
  await sendMails(call, room, stateMail(room, what, await addressesOf(call.services, room)))
}
