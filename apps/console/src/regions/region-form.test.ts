import type { Region } from '@roomkeeper/contract'
import { expect, test } from 'vitest'
import { inEnglish, missingInGerman } from '#locales/errors-in-words.test-support.ts'
import { rebased } from '#ui/form/changes.ts'
import {
  changeOf,
  changeOfState,
  draftOf,
  errorsOf,
  formOf,
  needsPasswords,
  newRegionForm,
  type RegionForm,
  regionSettings,
  roomsAboveMaximum,
  urlIsUnusual,
} from './region-form.ts'

const stored: Region = {
  regionId: 7,
  regionName: 'Frankfurt',
  regionIP: 'https://fra.example.com',
  selectedSourceRegion: [1],
  userName: 'superuser',
  productVersion: ['ARIS', 'MINING'],
  state: 'enabled',
  maxNumOfTenants: -1,
  numberOfProjectRooms: 12,
  isMigrationTarget: false,
  warning: null,
  version: 4,
  softwareVersion: null,
  health: null,
  healthSince: null,
}
const filledIn: RegionForm = {
  ...newRegionForm,
  regionName: ' Oslo ',
  regionIPorURL: 'https://oslo.example.com',
  password: 'a',
  passwordSystem: 'b',
}

// shows: region-defaults
test('a new region is of ARIS, enabled, signed in to as superuser, and unlimited when nothing is typed', () => {
  expect(draftOf(filledIn)).toMatchObject({
    regionName: 'Oslo',
    userName: 'superuser',
    productVersion: ['ARIS'],
    state: 'enabled',
    maxNumOfTenants: -1,
  })
  expect(errorsOf(filledIn, null)).toEqual({})
})

// shows: region-required
test('name, URL, user and both passwords are required on create', () => {
  expect(Object.keys(errorsOf({ ...newRegionForm, userName: ' ' }, null)).sort()).toEqual([
    'password',
    'passwordSystem',
    'regionIPorURL',
    'regionName',
    'userName',
  ])
})

// shows: region-passwords
test('on edit the passwords may stay empty, until the URL or the user changes', () => {
  const form = formOf(stored)
  expect(errorsOf(form, stored)).toEqual({})
  expect(needsPasswords({ ...form, regionIPorURL: 'https://fra.example.com/ ' }, stored)).toBe(false)
  for (const change of [{ regionIPorURL: 'https://other.example.com' }, { userName: 'root' }]) {
    expect(Object.keys(errorsOf({ ...form, ...change }, stored)).sort()).toEqual(['password', 'passwordSystem'])
    expect(errorsOf({ ...form, ...change, password: 'a', passwordSystem: 'b' }, stored)).toEqual({})
  }
})

// shows: region-maximum
test.each([
  ['-2', 'It is not possible to set the maximum number of tenants to negative value'],
  ['2147483647', 'At most 2147483646.'],
  ['many', 'Please enter a whole number.'],
  ['1.5', 'Please enter a whole number.'],
])('the maximum %j is refused: %s', (maxNumOfTenants, message) => {
  const errors = errorsOf({ ...filledIn, maxNumOfTenants }, null)
  expect(inEnglish(errors)).toEqual({ maxNumOfTenants: message })
  expect(missingInGerman(errors)).toEqual([])
})

// shows: region-maximum
test.each(['', '-1', '0', '2147483646'])('the maximum %j is accepted', (maxNumOfTenants) => {
  expect(errorsOf({ ...filledIn, maxNumOfTenants }, null)).toEqual({})
})

// shows: region-maximum-empty
test('unlimited is shown as empty, and a maximum below the present rooms is told but not refused', () => {
  expect(formOf(stored).maxNumOfTenants).toBe('')
  expect(roomsAboveMaximum({ ...formOf(stored), maxNumOfTenants: '11' }, stored)).toBe(12)
  for (const maxNumOfTenants of ['', '-1', '12', 'x'])
    expect(roomsAboveMaximum({ ...formOf(stored), maxNumOfTenants }, stored)).toBeNull()
  expect(errorsOf({ ...formOf(stored), maxNumOfTenants: '11' }, stored)).toEqual({})
})

test.each([
  ['https://fra.example.com', false],
  ['http://127.0.0.1:9000', true],
  ['fra.example.com', true],
  ['https://fra.example.com/path', true],
  ['', true],
])('whether the URL %j looks wrong: %s', (regionIPorURL, looksWrong) => {
  expect(urlIsUnusual({ ...filledIn, regionIPorURL })).toBe(looksWrong)
})

test('a change sends what was changed, and the version that it is based on', () => {
  const empty = { password: '', passwordSystem: '', confirmOtherServer: false }
  expect(changeOfState(stored, 'disabled')).toEqual({ id: 7, version: 4, state: 'disabled' })
  expect(changeOf({ ...formOf(stored), maxNumOfTenants: ' 20 ' }, stored)).toEqual({
    id: 7,
    version: 4,
    maxNumOfTenants: 20,
    ...empty,
  })
  const mine = { ...formOf(stored), regionName: 'Mine', password: 'typed' }
  const now: Region = { ...stored, regionName: 'Theirs', maxNumOfTenants: 5, version: 5 }
  const merged = rebased(regionSettings, { entered: mine, before: formOf(stored), stored: formOf(now) })
  expect(merged).toEqual({ ...mine, maxNumOfTenants: '5' })
  expect(changeOf(merged, now)).toEqual({
    ...empty,
    id: 7,
    version: 5,
    regionName: 'Mine',
    password: 'typed',
  })
})

test('everything that can be wrong is said in German too', () => {
  const errors = errorsOf({ ...newRegionForm, userName: '', productVersion: [] }, null)
  expect(Object.keys(errors)).not.toEqual([])
  expect(missingInGerman(errors)).toEqual([])
})

test('a URL is taken in whatever case its scheme is written', () => {
  const form = { ...filledIn, regionIPorURL: 'HTTPS://oslo.example.com' }
  expect(errorsOf(form, null)).toEqual({})
  expect(urlIsUnusual(form)).toBe(false)
})
