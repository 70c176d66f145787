/** Makes one room what the file says. */

import type { Region } from '@roomkeeper/contract'
import type { Server } from '#connection/connect.ts'
import { Failure } from '#failure.ts'
import { operationOf } from '#operations/finish-start.ts'
import { waitForOperation } from '#operations/wait-for-operation.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { findRoom, findRoomIfAny } from '../find-room.ts'
import { draftOf, editOf, type RoomFields } from '../room-fields.ts'
import { describeImpossible, type FieldChange, planRoom, type RoomPlan } from './plan-room.ts'

export interface WantedRoom {
  wanted: RoomFields
  region: Region | null
  plan: RoomPlan
}

/** @param timeoutSeconds for each operation @throws Failure */
export async function applyPlan(
  terminal: Terminal,
  server: Server,
  { wanted, region, plan }: WantedRoom,
  timeoutSeconds: number | undefined,
): Promise<void> {
  const name = plan.projectRoomName
  const wait = async (operationId: string | null, what: string) => {
    if (operationId !== null)
      await waitForOperation(terminal, server, { operationId, what, isSilent: true, timeoutSeconds })
  }
  const change = { wanted, region, name, wait }
  if (plan.action === 'create') await createUnlessTaken(server, change)
  await changeUntilTrue(server, change)
}

interface Change {
  wanted: RoomFields
  region: Region | null
  name: string
  wait(operationId: string | null, what: string): Promise<void>
}

/** Another user may create it at the same time, perhaps with the same file. */
async function createUnlessTaken(server: Server, change: Change): Promise<void> {
  const { wanted, region, name, wait } = change
  try {
    const answer = await server.call('createRoom', { body: draftOf(wanted, region?.regionId) })
    await wait(operationOf(answer), `Creating ${name}`)
  } catch (error) {
    if (!wasRefusedWith(error, 'name-taken') || (await findRoomIfAny(server, name)) === null) throw error
    await waitForOthers(server, change)
  }
}

/** Waits for the operation that runs for the room, however it ends. */
async function waitForOthers(server: Server, { name, wait }: Change): Promise<void> {
  const { runningOperation } = await findRoom(server, name)
  await wait(runningOperation?.operationId ?? null, `What runs for ${name}`).catch((error: unknown) => {
    if (!(error instanceof Failure && error.kind === 'operation-failed')) throw error
  })
}

function wasRefusedWith(error: unknown, code: string): boolean {
  return error instanceof Failure && error.details.code === code
}

/** The rules refuse a busy room with another code than the database. */
function isAboutBusyRoom(error: unknown): boolean {
  if (wasRefusedWith(error, 'room-busy')) return true
  const reason = wasRefusedWith(error, 'wrong-state') && (error as Failure).details.params?.reason
  return typeof reason === 'object' && reason.code === 'in-progress'
}

/** Also changes a room that was just created, because some fields cannot be set at creation. */
async function changeUntilTrue(server: Server, change: Change): Promise<void> {
  if ((await changesLeft(server, change)).length === 0) return
  await changeOnce(server, change)
  const left = await changesLeft(server, change)
  if (left.length === 0) return
  const fields = left.map(({ field }) => field).join(', ')
  throw new Failure('refused', `${change.name} has other values of ${fields} afterwards. Has somebody else changed it?`)
}

async function changesLeft(server: Server, { wanted, region, name }: Change): Promise<readonly FieldChange[]> {
  const plan = planRoom(wanted, await findRoom(server, name), region)
  if (plan.impossible.length > 0) throw new Failure('refused', describeImpossible([plan]))
  return plan.changes
}

const tries = 3

/** When another user changes the room meanwhile, their change is kept, and this one is made again. */
async function changeOnce(server: Server, change: Change): Promise<void> {
  const { wanted, name, wait } = change
  for (let left = tries; ; left -= 1) {
    const room = await findRoom(server, name)
    try {
      const answer = await server.call('editRoom', { body: editOf(room, wanted) })
      return await wait(operationOf(answer), `Changing ${name}`)
    } catch (error) {
      const isBusy = isAboutBusyRoom(error)
      if (left === 1 || !(isBusy || wasRefusedWith(error, 'version-stale'))) throw error
      if (isBusy) await waitForOthers(server, change)
    }
  }
}
