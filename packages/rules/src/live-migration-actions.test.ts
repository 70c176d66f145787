import { describe, expect, it } from 'vitest'
import {
  offersResetAll,
  whyNotChangeMigration,
  whyNotDeleteMigration,
  whyNotForceDelete,
  whyNotResetPriority,
  whyNotStartMigration,
  whyNotStopMigration,
} from './live-migration-actions.ts'

const atRest = ['STOPPED', 'FAILED', 'COMPLETED', 'PARTIALLY_COMPLETED'] as const
const needRest = {
  whyNotStartMigration,
  whyNotChangeMigration,
  whyNotDeleteMigration,
  whyNotForceDelete,
}

describe.each(Object.entries(needRest))('%s', (_, whyNot) => {
  it('is null for whatever ended, and says that the migration runs while it does', () => {
    for (const state of atRest) expect(whyNot({ state, isWarningEnabled: false })).toBeNull()
    for (const isWarningEnabled of [false, true])
      expect(whyNot({ state: 'RUNNING', isWarningEnabled })).toBe('migration-running')
  })

  it('asks for a refresh while the run may still be touching rooms', () => {
    for (const state of atRest) expect(whyNot({ state, isWarningEnabled: true })).toBe('migration-warning')
  })
})

describe('stopping', () => {
  it('takes a migration that runs', () => {
    expect(whyNotStopMigration({ state: 'RUNNING' })).toBeNull()
    for (const state of atRest) expect(whyNotStopMigration({ state })).toBe('migration-not-running')
  })
})

describe('resetting the priority', () => {
  it('is possible whenever the migration does not run, and offers to clear a warning', () => {
    expect(whyNotResetPriority({ state: 'RUNNING' })).toBe('migration-running')
    for (const state of atRest) expect(whyNotResetPriority({ state })).toBeNull()
    expect(offersResetAll({ state: 'STOPPED', isWarningEnabled: true })).toBe(true)
    expect(offersResetAll({ state: 'STOPPED', isWarningEnabled: false })).toBe(false)
  })
})
