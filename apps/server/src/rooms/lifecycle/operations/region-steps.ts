/**
 * What several operations do with a room on its region: they create, check, delete, suspend and resume it, and tell
 * customers.
 */
import { because } from '@roomkeeper/contract'
import type { RegionClient, RoomInfo } from '@roomkeeper/region-protocol'
import { type StepCall, StepFailed } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import { runRegionJob } from '#regions/index.ts'
import { type RoomCall, roomIdOf, targetOf } from '../../steps/room-call.ts'
import { creationOf, findRoomOfSteps, type RoomOfSteps } from '../../stored-room.ts'
import { addressesOf, createdMail, sendMails, stateMail } from './mails.ts'

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

/**
 * Deletes a room from its region if the room of that name there is the console's.
 * @returns whether the region had the room; a different room of the same name stays untouched
 */
export async function deleteOwnRoom(
  call: Pick<StepCall<unknown>, 'id' | 'attempt' | 'mark' | 'log' | 'progress' | 'signal'>,
  region: RegionClient,
  room: RoomOfSteps,
  jobName: string,
): Promise<boolean> {
  const found = await region.room(room.name)
  // The region no longer lists a room whose deletion was interrupted, but the job completes that deletion.
  if (found !== null && found.roomId !== room.id) return false
  const job = { type: 'deleteRoom', room: room.name, roomId: room.id } as const
  const { existed } = await runRegionJob(call, region, job, jobName)
  return existed
}

/**
 * Whether the database was restored from a dump after the operation started. If so, what the operation made may already
 * be in use.
 */
async function wasRestored(call: Pick<RoomCall, 'id' | 'services'>): Promise<boolean> {
  const { db } = call.services
  const restored = await queryRows(db, 'select from operations where id = $1 and began_before_restore', [call.id])
  return restored.length > 0
}

/** Suspending and resuming a room on its region; each step is the undo of the other. */
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
