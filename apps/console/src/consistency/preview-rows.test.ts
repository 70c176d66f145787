import { expect, test } from 'vitest'
import { previewRows } from './preview-rows.ts'

test('of contacts those that differ are shown, a row each', () => {
  const from = { companyName: 'Another, Inc.', ownerEmail: 'owner@example.com', delegateEmail: null }
  const to = { delegateEmail: '', companyName: 'Example, Inc.', ownerEmail: 'owner@example.com' }
  expect(previewRows([{ field: 'contacts', from, to }])).toEqual([
    { field: 'contacts', part: 'companyName', from: 'Another, Inc.', to: 'Example, Inc.' },
  ])
})

test('of licences those that differ are shown, also those that only one side has', () => {
  const licence = (licenseKey: string, licenseAmount: number) => ({ licenseKey, licenseAmount, licenseType: 'NUC' })
  const from = [licence('YABD', 1), licence('YAAV', 2)]
  const to = [licence('YAAV', 2), licence('YABD', 3), licence('YAAD', 4)]
  expect(previewRows([{ field: 'licences', from, to }])).toEqual([
    { field: 'licences', part: 'YABD', from: licence('YABD', 1), to: licence('YABD', 3) },
    { field: 'licences', part: 'YAAD', from: undefined, to: licence('YAAD', 4) },
  ])
})

test('a value is shown whole, and so is one that becomes none', () => {
  const changes = [
    { field: 'state', from: 'suspended', to: 'active' },
    { field: 'expirationDate', from: '2099-01-01', to: null },
    { field: 'subLicences', from: [], to: null },
  ]
  expect(previewRows(changes)).toEqual(changes.map((change) => ({ ...change, part: null })))
})
