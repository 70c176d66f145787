/** The steps that create a room on its region, shared by creation, import and restore into a new room. */
import { because } from '@roomkeeper/contract'
import type { RoomInfo } from '@roomkeeper/region-protocol'
import { StepFailed } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import { type RoomCall, roomIdOf, targetOf } from '../../steps/room-call.ts'
import { creationOf, findRoomOfSteps } from '../../stored-room.ts'
import { addressesOf } from './addresses-of-room.ts'
import { createdMail } from './created-mail.ts'
import { deleteOwnRoom } from './delete-own-room.ts'
import { sendMails } from './send-mails.ts'
import { wasRestored } from './was-restored.ts'

/** Runs before anything is created: a room of the same name that is not ours must never be touched. */
export async function checkName(call: RoomCall): Promise<void> {
  const { region, roomId } = await targetOf(call)
  const found = await region.room(call.roomName)
  if (found !== null && found.roomId !== roomId) {
    throw new StepFailed(
      because((await wasOurs(call, found.roomId)) ? 'name-of-former-copy' : 'name-belongs-to-others'),
    )
  }
  await call.log([because('log-name-free')])
}

async function wasOurs({ services: { db } }: RoomCall, roomId: string): Promise<boolean> {
  const known = await queryRows(db, 'select from operations where room_id = $1::uuid limit 1', [roomId])
  return known.length > 0
}

/** @param state users are in an active room from this moment on */
export async function createOnRegion(call: RoomCall, state: RoomInfo['state'] = 'active'): Promise<void> {
  const { region, room } = await targetOf(call)
  const made = await region.createRoom(call.roomName, { ...creationOf(room), state }, call.mark)
  await call.log([because('log-created', { bytes: made.size })])
}

const deletionJob = 'undo-create-room'

/**
 * The undo of `createOnRegion`.
 * @throws StepFailed if the region has the room and the database was restored from a dump, because the room may have
 * been finished and used after the dump was made
 */
export async function deleteFromRegion(call: RoomCall): Promise<void> {
  const { region, room } = await targetOf(call)
  if ((await wasRestored(call)) && (await region.room(room.name))?.roomId === room.id)
    throw new StepFailed(because('created-room-kept'))
  if (await deleteOwnRoom(call, region, room, deletionJob)) await call.log([because('log-removed')])
}

/** Compares the order with what the region reports, not with what was sent to the region. */
export async function checkRoom(call: RoomCall, state: RoomInfo['state'] = 'active'): Promise<void> {
  const { region, room } = await targetOf(call)
  // At the same time, because a region may be far away. What the first says about the room comes before the second.
  const licences = region.licences(call.roomName)
  licences.catch(() => undefined)
  const found = await region.room(call.roomName)
  if (found === null) throw new StepFailed(because('created-room-unknown'))
  const held = new Map((await licences).map((each) => [each.licenseKey, each]))
  const wrong = room.licencesInformation.find(
    (each) =>
      held.get(each.licenseKey)?.licenseAmount !== each.licenseAmount ||
      held.get(each.licenseKey)?.licenseType !== each.licenseType,
  )
  const differs =
    found.roomId !== room.id ||
    found.product !== room.product ||
    found.edition !== room.edition ||
    found.state !== state
  if (wrong !== undefined) throw new StepFailed(because('licence-count-differs', { licence: wrong.licenseKey }))
  if (differs) throw new StepFailed(because('created-room-differs'))
  await call.log([
    because('log-room-found', { product: found.product, licences: held.size, databases: found.databases.join(', ') }),
  ])
}

export async function mailCustomers(call: RoomCall): Promise<void> {
  const room = await findRoomOfSteps(call.services.db, roomIdOf(call))
  await sendMails(call, room, createdMail(room, await addressesOf(call.services, room)))
}
