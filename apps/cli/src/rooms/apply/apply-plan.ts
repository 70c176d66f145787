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
    const answer = await server.call('createRoom', { body: draftOf(wanted, region?.regionId) })
    await wait(operationOf(answer), `Creating ${name}`)
  }
  await changeUntilTrue(server, { wanted, region, name, wait })
}

interface Change {
  wanted: RoomFields
  region: Region | null
  name: string
  wait(operationId: string | null, what: string): Promise<void>
}

/** Also what was just created: some fields can only be changed. */
async function changeUntilTrue(server: Server, change: Change): Promise<void> {
  const { wanted, region, name } = change
  const changesLeft = async () => planRoom(wanted, await findRoom(server, name), region).changes
  if ((await changesLeft()).length === 0) return
  await changeOnce(server, change)
  const left = await changesLeft()
  if (left.length === 0) return
  const fields = left.map(({ field }) => field).join(', ')
  throw new Failure('refused', `${name}: the server keeps other values of ${fields}.`)
}

const tries = 3

/** When somebody else changes the room meanwhile, their change is kept, and this one is made again. */
async function changeOnce(server: Server, { wanted, name, wait }: Change): Promise<void> {
  for (let left = tries; ; left -= 1) {
    const room = await findRoom(server, name)
    try {
      const answer = await server.call('editRoom', { body: editOf(room, wanted) })
      return await wait(operationOf(answer), `Changing ${name}`)
    } catch (error) {
      if (!(error instanceof Failure && error.details.code === 'version-stale' && left > 1)) throw error
    }
  }
}
