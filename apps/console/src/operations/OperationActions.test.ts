import { expect, test } from 'vitest'
import { managesOperation } from './OperationActions.tsx'

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

test('support manages nothing', () => {
  expect(managesOperation('CLOUD_SUPPORT', 'Create PR')).toBe(false)
})
