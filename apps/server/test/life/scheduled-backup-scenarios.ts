/** Backups by a policy, of rooms that are running and stay so. What the scheduler does when one is due is done here. */
import { expect } from 'vitest'
import { openDatabase } from '#platform/database.ts'
import { startScheduledBackup } from '#rooms/index.ts'
import type { Scenario } from './every-step-goes-wrong.ts'
import { wholeRoom } from './room-life.ts'
import type { World } from './world.ts'

export function scheduledBackupScenarios({ network }: World): Record<string, Scenario> {
  const scenario = (kind: 'classic' | 'd2o'): Scenario => ({
    prepare: () => network().newRoom(),
    async start(room) {
      const [row] = await network().database.rows<{ id: string }>('select id from rooms where name = $1', [room])
      const roomId = row?.id ?? ''
      const database = openDatabase(network().database.url)
      const due = { roomId, kind, now: new Date() } as const
      await database.transaction((tx) => startScheduledBackup(tx, due)).finally(() => database.close())
    },
    async expectDone(room, before) {
      const after = await wholeRoom(network(), room)
      expect(after.row).toMatchObject({ state: 'DEFAULT', backups: 1 })
      expect(after.region).toEqual(before.region)
    },
  })
  return { 'room.backup-scheduled': scenario('classic'), 'room.backup-scheduled-d2o': scenario('d2o') }
}
