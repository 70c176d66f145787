/** Scenarios for bulks, and for the operations that only write e-mails. */
import { dayInUtc } from '@roomkeeper/rules'
import { expect } from 'vitest'
import { openDatabase } from '#platform/database.ts'
import { sendDueReminders } from '#rooms/expiry/start-reminders.ts'
import type { Scenario } from './every-step-goes-wrong.ts'
import { wholeRoom } from './room-life.ts'
import type { World } from './world.ts'

const days = 3

export function bulkScenarios({ network }: World): Record<string, Scenario> {
  const startBulk = (room: string, action: object) =>
    network().admin.call('startBulk', {
      body: { ...action, selection: { rooms: [room] }, expectedTotal: 1 } as never,
    })
  const expectSuspended = async (room: string) => {
    const { row, onRegion } = await stateOf(room)
    expect([row, onRegion]).toEqual(['SUSPENDED', 'suspended'])
  }
  const stateOf = async (room: string) => {
    const { row } = await wholeRoom(network(), room)
    return { row: row?.state, onRegion: (await network().regions[0]?.client.room(room))?.state }
  }
  const expectUntouched = async (room: string) => {
    const { row, onRegion } = await stateOf(room)
    expect([row, onRegion]).toEqual(['DEFAULT', 'active'])
  }
  const untouched = { expectDone: expectUntouched, expectFailed: expectUntouched, expectCancelled: expectUntouched }
  return {
    'bulk.run': {
      prepare: () => network().newRoom(),
      start: (room) => startBulk(room, { action: 'suspend', parameters: { userNotification: false } }),
      // What it has done for a room stays, however the bulk ends.
      expectDone: expectSuspended,
      expectFailed: expectSuspended,
      expectCancelled: expectSuspended,
      beginsAnew: true,
    },
    'room.notify': {
      prepare: () => network().newRoom(),
      start: (room) => startBulk(room, { action: 'notify', parameters: { subject: '', text: 'On Sunday.' } }),
      ...untouched,
    },
    'room.remind': {
      prepare: async () => {
        const expirationDate = dayInUtc(new Date(Date.now() + days * 86_400_000))
        return network().newRoom({ expirationDate })
      },
      async start() {
        const database = openDatabase(network().database.url, { timeoutSeconds: 15 })
        await sendDueReminders(database, [days], new Date()).finally(() => database.close())
      },
      ...untouched,
    },
  }
}
