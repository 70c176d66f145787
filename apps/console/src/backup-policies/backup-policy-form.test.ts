import type { BackupPolicy } from '@roomkeeper/contract'
import { expect, test } from 'vitest'
import { differences, rebased } from '#ui/form/changes.ts'
import { draftOf, errorsOf, formOf, newPolicyForm, policySettings } from './backup-policy-form.ts'

const query = {
  order_by: 'tenantName',
  order_dir: 'asc' as const,
  search: 'fleet',
  search_keys: [],
  search_values: [],
  filter_keys: ['state'],
  filter_values: ['DEFAULT'],
  filter_conditions: ['equals'],
}
const stored: BackupPolicy = {
  id: '00000000-0000-4000-8000-000000000001',
  version: 3,
  name: 'Weekly',
  isOn: true,
  rooms: { regions: [2], products: ['ARIS'], editions: ['basic'], query },
  kind: 'd2o',
  schedule: { every: 'week', weekday: 3, at: '01:30', windowHours: 4 },
  keep: { daily: 0, weekly: 10, monthly: 12 },
  verifyEvery: 5,
  runs: { lastAt: null, done: 0, missed: 0, failed: 0 },
}

test('what is stored comes back unchanged, also filters that the form does not show', () => {
  const { id: _, version: __, runs: ___, ...draft } = stored
  expect(draftOf(formOf(stored))).toEqual(draft)
  const unsearched = draftOf({ ...formOf(stored), search: ' ' })
  expect(unsearched.rooms.query).toEqual({ ...query, search: '' })
})

test('without words there is no query', () => {
  expect(draftOf(newPolicyForm).rooms.query).toBeNull()
  expect(draftOf({ ...newPolicyForm, search: ' fleet ' }).rooms.query).toMatchObject({ search: 'fleet' })
})

test('only the chosen way of repeating is sent and checked, the others stay as typed', () => {
  const form = { ...newPolicyForm, name: 'A', every: 'hours' as const, hours: 'x', at: 'nonsense' }
  expect(Object.keys(errorsOf(form))).toEqual(['hours'])
  expect(draftOf({ ...form, hours: 3 }).schedule).toEqual({ every: 'hours', hours: 3 })
})

test('each error is at its field', () => {
  const wrong = errorsOf({ ...newPolicyForm, at: '25:00', windowHours: '', daily: 0, weekly: 0, monthly: 0 })
  expect(Object.keys(wrong).sort()).toEqual(['at', 'daily', 'name', 'windowHours'])
  expect(wrong.at).toMatchObject({ code: 'time-of-day-invalid' })
})

test('entries on a newer basis keep what was changed, and take over the rest', () => {
  const mine = { ...formOf(stored), daily: 9 }
  const newer = { ...stored, version: 4, name: 'Renamed', keep: { daily: 1, weekly: 1, monthly: 1 } }
  expect(differences(policySettings, mine, formOf(stored))).toEqual(['keep'])
  expect(rebased(policySettings, { entered: mine, before: formOf(stored), stored: formOf(newer) })).toMatchObject({
    name: 'Renamed',
    daily: 9,
    weekly: 10,
  })
})
