import { expect, test } from 'vitest'
import { managesOperation, managesOperationOf } from './OperationActions.tsx'

test('administrators manage every operation', () => {
  expect(managesOperation('CLOUD_OPERATOR', 'Restore PR')).toBe(true)
  expect(managesOperation('CLOUD_ADMINISTRATOR', null)).toBe(true)
})

test('sales manage creations and imports only', () => {
  expect(managesOperation('CLOUD_SALES', 'Create PR')).toBe(true)
  expect(managesOperation('CLOUD_SALES', 'Import PR')).toBe(true)
  expect(managesOperation('CLOUD_SALES', 'Suspend PR')).toBe(false)
  expect(managesOperation('CLOUD_SALES', null)).toBe(false)
})

test('an operation is managed alike by its action in the audit trail', () => {
  expect(managesOperationOf('CLOUD_OPERATOR', 'room.suspend')).toBe(true)
  expect(managesOperationOf('CLOUD_SALES', 'room.import')).toBe(true)
  expect(managesOperationOf('CLOUD_SALES', 'room.suspend')).toBe(false)
  expect(managesOperationOf('CLOUD_SUPPORT', 'room.create')).toBe(false)
})

test('support manages nothing', () => {
  expect(managesOperation('CLOUD_SUPPORT', 'Create PR')).toBe(false)
})
