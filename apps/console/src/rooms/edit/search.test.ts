import { expect, test } from 'vitest'
import { parseEditSearch } from './search.ts'

test.each([
  [{ tab: 'databases' }, { tab: 'databases' }],
  [{ tab: 'overview', page: 2 }, { tab: 'overview' }],
  [
    { tab: 'history', page: 3 },
    { tab: 'history', page: 3 },
  ],
  [{ tab: 'history', page: 1 }, { tab: 'history' }],
  [{ tab: 'settings' }, {}],
  [{ tab: 'nowhere', page: 2 }, {}],
  [{ tab: 'backups', page: 2 }, { tab: 'backups' }],
  [{ tab: 'history', page: 'x' }, { tab: 'history' }],
])('%j is read as %j', (given, read) => {
  expect(parseEditSearch(given)).toEqual(read)
})
