import type { RoomInfo } from '@roomkeeper/region-protocol'
import { expect, test } from 'vitest'
import { copyToLock, suspendLocked, withCopyLocked } from './remove-copy.ts'

const call = { id: '00000000-0000-4000-8000-000000000001', mark: { key: 'key', operation: 'operation', fence: 1 } }
const lock = { holder: 'us', heldSince: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-01T00:01:00.000Z' }

/** A region that answers each call as given, and remembers the calls with the fences of their marks. */
function regionThat(answers: Record<string, () => unknown>) {
  const calls: { name: string; operation: string; fence: number }[] = []
  const region = new Proxy(
    {},
    {
      get:
        (_, name: string) =>
        async (...given: { operation: string; fence: number }[]) => {
          const { operation = '', fence = 0 } = given.at(-1) ?? {}
          calls.push({ name, operation, fence })
          return answers[name]?.()
        },
    },
  )
  return { calls, copy: () => copyToLock(call, { region: region as never, name: 'alpha', roomId: 'id', holder: 'us' }) }
}

test('a copy that cannot be opened again is unlocked all the same', async () => {
  const { calls, copy } = regionThat({
    suspendRoom: () => ({ state: 'suspended', lock: null }),
    resumeRoom: () => Promise.reject(new Error('The region does not answer.')),
  })
  const suspended = suspendLocked(copy(), { state: 'active', lock } as RoomInfo)
  await expect(suspended).rejects.toThrow('The region does not answer.')
  expect(calls.map(({ name }) => name)).toEqual(['suspendRoom', 'resumeRoom', 'unlockRoom'])
})

test('the release has a higher fence than the lock, so that a renewal on its way is refused afterwards', async () => {
  const { calls, copy } = regionThat({ lockRoom: () => ({ state: 'active', lock }) })
  const failed = withCopyLocked(copy(), () => Promise.reject(new Error('It differs.')))
  await expect(failed).rejects.toThrow('It differs.')
  const [locked, released] = calls
  expect(calls.map(({ name }) => name)).toEqual(['lockRoom', 'unlockRoom'])
  expect(released?.operation).toBe(locked?.operation)
  expect(released?.fence).toBeGreaterThan(locked?.fence ?? 0)
  // A later lock of the same operation is not refused.
  await withCopyLocked(copy(), async () => undefined)
  expect(calls.at(-1)?.fence).toBeGreaterThan(released?.fence ?? 0)
})
