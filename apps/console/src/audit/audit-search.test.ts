import { expect, test } from 'vitest'
import { isNarrowedBy } from '#ui/use-paged-search.ts'
import { type AuditSearch, auditFilters, auditQueryOf, parseAuditSearch } from './audit-search.ts'

test('what the URL says is read back as it was, and nonsense is left out', () => {
  const search = {
    page: 3,
    size: 40,
    actor: 'a@b',
    action: 'room.edit',
    room: '123',
    from: '2026-01-31',
    to: '2026-02-28',
  }
  expect(parseAuditSearch({ ...search, room: 123 })).toEqual(search)
  expect(
    parseAuditSearch({ page: '-1', size: 7, actor: ' ', action: {}, from: '2026-02-31', to: 'x', other: 1 }),
  ).toEqual({})
})

test('both days are included, from midnight to midnight where the browser is', () => {
  const query = auditQueryOf({ from: '2026-03-01', to: '2026-03-01' }, 20)
  expect(query.from).toBe(new Date(2026, 2, 1).toISOString())
  expect(query.to).toBe(new Date(2026, 2, 2).toISOString())
  expect(query).toMatchObject({ page: 0, size: 20, actor: '', action: '', room: '' })
})

test('a page alone narrows nothing', () => {
  expect(isNarrowedBy<AuditSearch>(auditFilters, { page: 2, size: 40 })).toBe(false)
  expect(isNarrowedBy<AuditSearch>(auditFilters, { action: 'room.edit' })).toBe(true)
})
