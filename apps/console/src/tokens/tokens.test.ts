import type { ApiToken } from '@roomkeeper/contract'
import { expect, test } from 'vitest'
import { foundTokens } from './tokens.ts'

function token(name: string, more: Partial<ApiToken> = {}): ApiToken {
  return {
    id: name,
    name,
    role: 'CLOUD_SUPPORT',
    owner: 'ada@example.com',
    isOwn: false,
    networks: [],
    state: 'active',
    createdAt: '2026-11-27T10:00:00Z',
    expiresAt: '2027-11-27T10:00:00Z',
    lastUsedAt: null,
    lastUsedFrom: null,
    refused: null,
    ...more,
  }
}

const refused = { times: 1, lastAt: '2026-11-27T12:00:00Z', lastFrom: '203.0.113.9' }

test('own tokens come first, then those that may be stolen, then those that count, the newest first', () => {
  const all = [
    token('older'),
    token('over', { state: 'expired', refused: { ...refused, why: 'expired' } }),
    token('newer', { createdAt: '2026-11-27T11:00:00Z' }),
    token('stolen', { state: 'revoked', refused: { ...refused, why: 'revoked' } }),
    token('own', { isOwn: true, state: 'expired' }),
  ]
  expect(foundTokens(all, {}).map(({ name }) => name)).toEqual(['own', 'stolen', 'newer', 'older', 'over'])
})

test('every word is found in the name, the owner or an address, beside the state', () => {
  const all = [
    token('Nightly export', { networks: ['192.0.2.0/24'] }),
    token('Reports', { owner: 'bob@example.com', refused: { ...refused, why: 'network' } }),
  ]
  const names = (search: object) => foundTokens(all, search).map(({ name }) => name)
  expect(names({ search: 'EXPORT ada' })).toEqual(['Nightly export'])
  expect(names({ search: '192.0.2.0' })).toEqual(['Nightly export'])
  expect(names({ search: '203.0.113.9' })).toEqual(['Reports'])
  expect(names({ search: 'export bob' })).toEqual([])
  expect(names({ search: 'export', state: 'revoked' })).toEqual([])
})
