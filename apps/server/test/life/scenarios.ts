/** How an operation of each kind comes about: every registered kind stands here, or walks its steps in a file of its own. */
import { uniqueRoomName } from '@roomkeeper/dev-env'
import { expect } from 'vitest'
import { databaseScenarios } from './database-scenarios.ts'
import type { Scenario } from './every-step-goes-wrong.ts'
import { moveScenarios } from './move-scenarios.ts'
import { roomScenarios } from './room-scenarios.ts'
import type { World } from './world.ts'

export function scenariosIn(world: World): Record<string, Scenario> {
  return { ...roomScenarios(world), ...databaseScenarios(world), ...moveScenarios(world), ...doctorScenarios(world) }
}

/** With more to go wrong, and more to be seen, than these scenarios know. */
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
