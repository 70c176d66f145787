import { codedError, type RoomDatabase } from '@roomkeeper/contract'
import { expect, test } from 'vitest'
import { inEnglish, missingInGerman } from '#locales/errors-in-words.test-support.ts'
import { isFullOfDatabases, nameOfFile, whyInvalidName } from './ImportDatabaseDialog.tsx'

const database = (databaseName: string): RoomDatabase => ({
  databaseName,
  size: 1,
  createdAt: '2026-01-01T00:00:00Z',
  backupAt: null,
})

// shows: import-database
test.each([
  ['sales.adb', 'sales'],
  [' my data .adb', 'my data'],
  ['a.b.ADB', 'a.b'],
  ['plain', 'plain'],
])('the file %j gives the name %j', (file, name) => {
  expect(nameOfFile(file)).toBe(name)
})

test('a name is taken in any case and with spaces around it', () => {
  const taken = 'This database name already exists please type another one in the input field'
  const wrong = whyInvalidName(' Sales ', [database('main'), database('sales')])
  expect(wrong).toEqual(codedError('database-taken'))
  expect(wrong && inEnglish({ wrong })).toEqual({ wrong: taken })
  expect(whyInvalidName('sales 2', [database('sales')])).toBeNull()
})

test.each([
  ['a/b', 'Letters, digits, spaces, dots, hyphens, underscores and brackets, beginning with a letter or digit.'],
  ['a.', 'A database name does not end with a dot.'],
  ['', 'Please enter the database name.'],
  ['  ', 'Please enter the database name.'],
  ['x'.repeat(61), 'At most 60 characters.'],
])('the name %j is refused: %s', (name, message) => {
  const wrong = whyInvalidName(name, [])
  expect(wrong && inEnglish({ wrong })).toEqual({ wrong: message })
  expect(wrong && missingInGerman({ wrong })).toEqual([])
})

test('only Basic rooms are full, and the empty main does not count', () => {
  const imported = [database('main'), database('sales')]
  expect(isFullOfDatabases({ edition: 'basic' }, imported)).toBe(true)
  expect(isFullOfDatabases({ edition: 'advanced' }, imported)).toBe(false)
  expect(isFullOfDatabases({ edition: 'basic' }, [database('main')])).toBe(false)
})
