import { DatabaseSync } from 'node:sqlite'
import type { RoomSettings } from '@roomkeeper/region-protocol'
import { expect, test } from 'vitest'
import { readLicenceUse, writeSettings } from './room-settings.ts'
import { fillSystemDatabase } from './system-database.ts'
import { findUser, listUsers, writeContacts } from './users.ts'

const contacts = {
  companyName: 'c',
  customerFirstName: 'f',
  customerLastName: 'l',
  customerContactDetails: null,
  ownerEmail: 'owner@example.org',
  delegateEmail: null,
}

function systemOf(licences: [string, number][], delegateEmail: string | null = null): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  fillSystemDatabase(database, {
    ...settingsOf(licences),
    contacts: { ...contacts, delegateEmail },
  })
  return database
}

function settingsOf(licences: [string, number][]): RoomSettings {
  return {
    licences: licences.map(([licenseKey, licenseAmount]) => ({ licenseKey, licenseAmount, licenseType: 'NUC' })),
    subLicences: [],
    subMiningType: 'NONE',
    expirationDate: null,
    contacts,
  }
}

const roles = (database: DatabaseSync) =>
  listUsers(database).map(({ email, role, licenseKey }) => [email.split('@')[0], role, licenseKey])

test('the owner and the delegate get a full licence each, never a viewer’s', () => {
  expect(
    roles(
      systemOf(
        [
          ['YAAV', 9],
          ['YAAD', 2],
        ],
        'delegate@example.org',
      ),
    ),
  ).toEqual([
    ['owner', 'owner', 'YAAD'],
    ['delegate', 'delegate', 'YAAD'],
  ])
  expect(
    roles(
      systemOf([
        ['ESV', 9],
        ['ESD', 9],
        ['ESA', 1],
      ]),
    ),
  ).toEqual([['owner', 'owner', 'ESA']])
  expect(
    roles(
      systemOf([
        ['YPMAA', 0],
        ['YPMAE', 1],
      ]),
    ),
  ).toEqual([['owner', 'owner', 'YPMAE']])
})

test('without a free licence the delegate gets that of a user, never the owner’s', () => {
  const database = systemOf([['YABD', 2]], 'first@example.org')
  writeContacts(database, { ...contacts, delegateEmail: 'second@example.org' })
  expect(roles(database)).toEqual([
    ['owner', 'owner', 'YABD'],
    ['second', 'delegate', 'YABD'],
    ['first', 'user', null],
  ])
  const single = systemOf([['YABD', 1]])
  writeContacts(single, { ...contacts, delegateEmail: 'second@example.org' })
  expect(roles(single)).toEqual([
    ['owner', 'owner', 'YABD'],
    ['second', 'delegate', null],
  ])
})

test('a new owner takes the licence over, and taking the change back restores the users as they were', () => {
  const database = systemOf([['YABD', 1]])
  const before = listUsers(database)
  writeContacts(database, { ...contacts, ownerEmail: 'other@example.org' })
  expect(roles(database)).toEqual([
    ['other', 'owner', 'YABD'],
    ['owner', 'user', null],
  ])
  writeContacts(database, contacts)
  expect(listUsers(database)[0]).toEqual(before[0])
})

test('an e-mail address is one user in whatever case', () => {
  const database = systemOf([['YABD', 2]])
  writeContacts(database, { ...contacts, ownerEmail: 'OWNER@example.org', delegateEmail: 'Owner@Example.org' })
  expect(listUsers(database)).toHaveLength(1)
  expect(findUser(database, ' owner@EXAMPLE.org ')?.role).toBe('owner')
  // As SQLite compares: other letters than those of ASCII are not folded.
  writeContacts(database, { ...contacts, ownerEmail: 'ä@example.org', delegateEmail: 'Ä@example.org' })
  expect(roles(database).slice(0, 2)).toEqual([
    ['ä', 'owner', 'YABD'],
    ['Ä', 'delegate', 'YABD'],
  ])
})

test('the used licences are counted by key', () => {
  const database = systemOf(
    [
      ['YABV', 3],
      ['YABD', 2],
    ],
    'delegate@example.org',
  )
  expect(readLicenceUse(database).map(({ licenseKey, used }) => [licenseKey, used])).toEqual([
    ['YABV', 0],
    ['YABD', 2],
  ])
  writeSettings(database, { licences: [] })
  expect(readLicenceUse(database)).toEqual([])
})
