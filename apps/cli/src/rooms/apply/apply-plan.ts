/** Makes one room what the file says. */

import type { Region } from '@roomkeeper/contract'
import type { Server } from '#connection/connect.ts'
import { Failure } from '#failure.ts'
import { operationOf } from '#operations/finish-start.ts'
import { waitForOperation } from '#operations/wait-for-operation.ts'
import { findRoom } from '../find-room.ts'
import { draftOf, editOf, type RoomFields } from '../room-fields.ts'
import { planRoom, type RoomPlan } from './plan-room.ts'

export interface WantedRoom {
  wanted: RoomFields
  region: Region | null
  plan: RoomPlan
}

export interface Applying {
  timeoutSeconds: number | undefined
}

/** @throws Failure */
export async function applyPlan(server: Server, { wanted, region, plan }: WantedRoom, how: Applying): Promise<void> {
  const name = plan.projectRoomName
  const wait = async (operationId: string | null, what: string) => {
    if (operationId !== null) await waitForOperation(server, { operationId, what, isSilent: true, ...how })
  }
  if (plan.action === 'create') {
    const place = region === null ? {} : { region: region.regionId }
    const answer = await server.call('createRoom', { body: { ...draftOf(wanted), ...place } as never })
    await wait(operationOf(answer), `Creating ${name}`)
  }
  // Some fields can only be changed, not be created with.
  const room = await findRoom(server, name)
  if (planRoom(wanted, room, region).changes.length > 0) {
    const answer = await server.call('editRoom', { body: editOf(room, wanted) as never })
    await wait(operationOf(answer), `Changing ${name}`)
  }
  const left = planRoom(wanted, await findRoom(server, name), region).changes
  if (left.length > 0)
    throw new Failure(
      'refused',
      `${name}: the server keeps other values of ${left.map(({ field }) => field).join(', ')}.`,
    )
}
