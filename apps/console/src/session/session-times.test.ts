import { expect, test } from 'vitest'
import { endOf } from './session-times.ts'

const hour = 60 * 60 * 1000
const signedInAt = Date.UTC(2026, 10, 21, 8)

test('an idle session ends half an hour after its last call, less the 30 s that the server may not have noted', () => {
  expect(endOf({ signedInAt, lastCallAt: signedInAt + hour })).toEqual({
    at: signedInAt + 1.5 * hour - 30_000,
    reason: 'idle',
  })
})

test('no call keeps a session alive beyond 12 hours', () => {
  expect(endOf({ signedInAt, lastCallAt: signedInAt + 11.9 * hour })).toEqual({
    at: signedInAt + 12 * hour,
    reason: 'absolute',
  })
})
