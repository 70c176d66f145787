/** The scenarios of all registered kinds of operations, except those whose steps another file tests. */
import { uniqueRoomName } from '@roomkeeper/dev-env'
import { expect } from 'vitest'
import { bulkScenarios } from './bulk-scenarios.ts'
import { databaseScenarios } from './database-scenarios.ts'
import { deletedScenarios } from './deleted-scenarios.ts'
import type { Scenario } from './every-step-goes-wrong.ts'
import { moveScenarios } from './move-scenarios.ts'
import { roomScenarios } from './room-scenarios.ts'
import { scheduledBackupScenarios } from './scheduled-backup-scenarios.ts'
import type { World } from './world.ts'

export function scenariosIn(world: World): Record<string, Scenario> {
  const ofRooms = { ...roomScenarios(world), ...databaseScenarios(world), ...bulkScenarios(world) }
  const ofBackups = { ...deletedScenarios(world), ...scheduledBackupScenarios(world) }
  return { ...ofRooms, ...ofBackups, ...moveScenarios(world), ...doctorScenarios(world) }
}

/** Kinds with more ways to fail, and more to check, than a scenario can express. */
export const walkedElsewhere = {
  'room.migrate': 'migrations/every-step-of-a-move.test.ts',
  'doctor.repair': 'doctor/every-step-of-a-repair.test.ts',
} as const

function doctorScenarios({ network }: World): Record<string, Scenario> {
  const expectLastRun = async (state: string) => {
    const { lastRun } = (await network().admin.call('doctorFindings', {})).body
    expect(lastRun).toMatchObject({ state })
  }
  return {
    'doctor.run': {
      prepare: async () => uniqueRoomName('none'),
      start: () => network().admin.call('runDoctor', {}),
      expectDone: () => expectLastRun('done'),
      expectFailed: () => expectLastRun('failed'),
      expectCancelled: () => expectLastRun('cancelled'),
      beginsAnew: true,
    },
  }
}
