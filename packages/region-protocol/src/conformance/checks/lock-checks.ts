/** Locks and fences: who may change a room. */
import { setTimeout as pause } from 'node:timers/promises'
import { lockSeconds } from '../../schemas.ts'
import { type Check, expectEqual, expectOvertaken, expectRefusal, expectThat } from '../check.ts'
import { roomWith } from '../content.ts'
import { delegate, elsewhere, newCreation, owner } from '../region-under-test.ts'
import { userOf } from './document-checks.ts'

export const lockChecks: Check[] = [
  // shows: region-lock
  {
    name: 'the same holder takes a lock again, held since the first time; another is refused with 409',
    page: 'locks.md#locks',
    run: async ({ client, newRoom, newId }) => {
      const { name, roomId } = await newRoom()
      const mine = { roomId, holder: newId() }
      const first = await client.lockRoom(name, mine)
      const again = await client.lockRoom(name, mine)
      expectEqual([first.locked, again.locked], [true, true], 'locked')
      expectEqual(again.lock?.heldSince, first.lock?.heldSince, 'held since')
      await expectRefusal(client.lockRoom(name, { roomId, holder: newId() }), 409, 'lock by another')
      await expectRefusal(client.unlockRoom(name, { roomId, holder: newId() }), 409, 'unlock by another')
      expectEqual((await client.room(name))?.lock?.holder, mine.holder, 'the holder')
    },
  },
  {
    name: 'holders are compared character by character',
    page: 'locks.md#locks',
    run: async ({ client, newRoom, run }) => {
      const { name, roomId } = await newRoom({ lockHolder: 'conformance' })
      for (const holder of ['Conformance', 'conformance ', 'conform']) {
        await expectRefusal(client.lockRoom(name, { roomId, holder }), 409, `a lock by ${holder}`)
        await expectRefusal(client.unlockRoom(name, { roomId, holder }), 409, `an unlock by ${holder}`)
        await expectRefusal(run({ type: 'deleteRoom', room: name, roomId, holder }), 423, `a deletion by ${holder}`)
      }
      expectEqual((await client.room(name))?.lock?.holder, 'conformance', 'the holder')
    },
  },
  {
    name: 'a room that is suspended or resumed stays locked, and the answer tells since when',
    page: 'locks.md#suspension',
    run: async ({ client, newRoom, newId }) => {
      const { name, roomId } = await newRoom()
      const { lock } = await client.lockRoom(name, { roomId, holder: newId() })
      const suspended = await client.suspendRoom(name, roomId)
      const resumed = await client.resumeRoom(name, roomId)
      expectEqual(
        [suspended.lock?.heldSince, resumed.lock?.heldSince],
        [lock?.heldSince, lock?.heldSince],
        'held since',
      )
    },
  },
  {
    name: `a lock tells that it ends ${lockSeconds} s after it was taken`,
    page: 'locks.md#locks',
    run: async ({ client, newRoom, newId }) => {
      const { name, roomId } = await newRoom()
      const { lock } = await client.lockRoom(name, { roomId, holder: newId() })
      const seconds = (Date.parse(lock?.expiresAt ?? '') - Date.parse(lock?.heldSince ?? '')) / 1000
      expectThat(Math.abs(seconds - lockSeconds) < 1, `expiresAt ${lockSeconds} s after heldSince`, lock)
    },
  },
  // shows: region-lock-ends
  {
    name: `a lock keeps others out for ${lockSeconds} s, then the room is free for them and for jobs without a holder`,
    page: 'locks.md#locks',
    how: 'waits',
    run: async ({ client, newRoom, newId, run }) => {
      const begunAt = performance.now()
      const locked = await newRoom()
      const created = await newRoom({ lockHolder: newId() })
      const { lock } = await client.lockRoom(locked.name, { roomId: locked.roomId, holder: newId() })
      const lockedAt = performance.now()
      const another = newId()
      await pauseUntil(begunAt, lockSeconds / 2)
      // The same creation again does not renew the lock.
      await client.createRoom(created.name, created.creation)
      await pauseUntil(begunAt, lockSeconds - 5)
      for (const { name, roomId } of [locked, created]) {
        expectEqual((await client.room(name))?.locked, true, 'locked after 55 s')
        await expectRefusal(client.lockRoom(name, { roomId, holder: another }), 409, 'lock by another after 55 s')
        const deletion = { type: 'deleteDatabase' as const, room: name, roomId, database: 'main' }
        await expectRefusal(run(deletion), 423, 'a job without a holder after 55 s')
      }
      await pauseUntil(lockedAt, lockSeconds + 1)
      for (const { name, roomId } of [locked, created]) {
        const room = await client.room(name)
        expectEqual([room?.locked, room?.lock], [false, null], 'locked, and the lock, after 61 s')
        const deletion = { type: 'deleteDatabase' as const, room: name, roomId, database: 'main' }
        expectEqual(await run(deletion), { existed: true }, 'a job without a holder after 61 s')
        const taken = await client.lockRoom(name, { roomId, holder: another })
        expectEqual(taken.lock?.holder, another, 'the holder after 61 s')
        expectLater(taken.lock?.heldSince, lock?.heldSince)
      }
    },
  },
  // shows: region-lock-ends
  {
    name: `a lock that is renewed lasts ${lockSeconds} s from then on, held since it was first taken`,
    page: 'locks.md#locks',
    how: 'waits',
    run: async ({ client, newRoom, newId }) => {
      const { name, roomId } = await newRoom()
      const mine = { roomId, holder: newId() }
      const { lock } = await client.lockRoom(name, mine)
      const takenAt = performance.now()
      await pauseUntil(takenAt, 5)
      await client.lockRoom(name, mine)
      const renewedAt = performance.now()
      await pauseUntil(takenAt, lockSeconds + 2)
      const room = await client.room(name)
      expectEqual([room?.locked, room?.lock?.heldSince], [true, lock?.heldSince], 'locked, and since when, after 62 s')
      await expectRefusal(client.lockRoom(name, { roomId, holder: newId() }), 409, 'lock by another after 62 s')
      await pauseUntil(renewedAt, lockSeconds + 1)
      expectEqual((await client.room(name))?.locked, false, 'locked 61 s after the renewal')
    },
  },
  // shows: region-lock-ends
  {
    name: 'a lock that its holder takes again after it had ended is held since then',
    page: 'locks.md#locks',
    how: 'waits',
    run: async ({ client, newRoom, newId }) => {
      const { name, roomId } = await newRoom()
      const { userId } = await client.openSession(name, delegate)
      const mine = { roomId, holder: newId() }
      const { lock } = await client.lockRoom(name, mine)
      await pauseUntil(performance.now(), lockSeconds + 1)
      expectEqual((await client.deleteUser(userId)).gone, true, 'a user is gone')
      const again = await client.lockRoom(name, mine)
      expectLater(again.lock?.heldSince, lock?.heldSince)
      expectEqual((await client.room(name))?.lock, again.lock, 'the lock')
    },
  },
  {
    name: 'users of a room write again once its lock has ended',
    page: 'locks.md#locks',
    how: 'waits',
    run: async (region) => {
      const { name, roomId } = await roomWith(region, 'small.zip')
      const user = await userOf(region, name)
      await region.client.lockRoom(name, { roomId, holder: region.newId() })
      const lockedAt = performance.now()
      expectEqual(await user.put('main', 'a', 1), 423, 'a write to a locked room: the status')
      await pauseUntil(lockedAt, lockSeconds + 1)
      expectEqual(await user.put('main', 'a', 2), 200, 'a write after 61 s: the status')
    },
  },
  // shows: region-unlock
  {
    name: 'unlocking is idempotent, and a lock that was given back is taken by another',
    page: 'locks.md#locks',
    run: async ({ client, newRoom, newId }) => {
      const { name, roomId } = await newRoom()
      const mine = { roomId, holder: newId() }
      await client.lockRoom(name, mine)
      expectEqual((await client.unlockRoom(name, mine)).locked, false, 'locked')
      expectEqual((await client.unlockRoom(name, mine)).locked, false, 'locked')
      expectEqual((await client.lockRoom(name, { roomId, holder: newId() })).locked, true, 'locked')
    },
  },
  {
    name: 'a lock that was given back in between is held since the second time',
    page: 'locks.md#locks',
    run: async ({ client, newRoom, newId }) => {
      const { name, roomId } = await newRoom()
      const mine = { roomId, holder: newId() }
      const first = await client.lockRoom(name, mine)
      await client.unlockRoom(name, mine)
      // Longer than the shortest time that a date tells.
      await pause(20)
      const second = await client.lockRoom(name, mine)
      expectThat(second.lock?.heldSince !== first.lock?.heldSince, 'another time that it is held since', second.lock)
    },
  },
  {
    name: 'a locked room is changed by its holder alone: jobs of others are refused with 423',
    page: 'locks.md#locks',
    run: async ({ client, newRoom, newId, run }) => {
      const { name, roomId } = await newRoom()
      const mine = { roomId, holder: newId() }
      await client.lockRoom(name, mine)
      const deletion = { type: 'deleteDatabase' as const, room: name, database: 'main' }
      await expectRefusal(run({ ...deletion, roomId }), 423, 'without a holder')
      await expectRefusal(run({ ...deletion, roomId, holder: newId() }), 423, 'another holder')
      expectEqual((await client.room(name))?.databases, ['main'], 'the databases')
      expectEqual((await run({ ...deletion, ...mine })).existed, true, 'deletion by the holder')
      await run({ type: 'digestRoom', room: name })
    },
  },
  {
    name: 'a worker with a smaller fence is refused with 409 overtaken, for its operation only',
    page: 'locks.md#fences',
    run: async ({ client, newRoom, newId }) => {
      const { name, roomId } = await newRoom()
      const operation = newId()
      const mark = (fence: number, of = operation) => ({ key: `${of}:1`, operation: of, fence })
      await client.suspendRoom(name, roomId, mark(5))
      await client.resumeRoom(name, roomId, mark(6))
      const calls: Record<string, () => Promise<unknown>> = {
        suspend: () => client.suspendRoom(name, roomId, mark(5)),
        PATCH: () => client.changeRoom(name, { roomId, expirationDate: '2030-01-01' }, mark(5)),
        lock: () => client.lockRoom(name, { roomId, holder: newId() }, mark(5)),
        create: () => client.createRoom(name, { ...newCreation(), roomId }, mark(5)),
        job: () => client.startJob(newId(), { type: 'deleteRoom', room: name, roomId }, mark(5)),
        route: () => client.putRoute(name, elsewhere, mark(5)),
        session: () => client.openSession(name, owner, mark(5)),
        user: () => client.deleteUser(newId(), mark(5)),
      }
      for (const [what, call] of Object.entries(calls)) await expectOvertaken(call(), what)
      expectEqual((await client.room(name))?.state, 'active', 'the state')
      expectEqual((await client.suspendRoom(name, roomId, mark(6))).state, 'suspended', 'the same fence')
      expectEqual((await client.resumeRoom(name, roomId, mark(1, newId()))).state, 'active', 'another operation')
    },
  },
  {
    name: 'a fence is remembered also from a call about what is not there',
    page: 'locks.md#fences',
    run: async ({ client, newRoom, newId }) => {
      const { name, roomId } = await newRoom()
      const operation = newId()
      const mark = (fence: number) => ({ key: `${operation}:1`, operation, fence })
      await expectRefusal(client.cancelJob(newId(), mark(2)), 404, 'an unknown job')
      await expectOvertaken(client.suspendRoom(name, roomId, mark(1)), 'a smaller fence')
    },
  },
  {
    name: 'fences are raised by a call of their own, and never lowered by it',
    page: 'locks.md#fences',
    needs: ['raiseFences'],
    run: async ({ client, newRoom, newId }) => {
      const { name, roomId } = await newRoom()
      const operations = [newId(), newId()]
      const raise = (fence: number) => client.raiseFences(operations.map((operation) => ({ operation, fence })))
      expectEqual([await raise(3), await raise(2)], [true, true], 'both calls')
      for (const operation of operations) {
        const mark = (fence: number) => ({ key: `${operation}:1`, operation, fence })
        await expectOvertaken(client.suspendRoom(name, roomId, mark(2)), 'a smaller fence')
        expectEqual((await client.suspendRoom(name, roomId, mark(3))).state, 'suspended', 'the same fence')
      }
    },
  },
]

/** Returns so many seconds after this moment of `performance.now()`. */
function pauseUntil(moment: number, seconds: number): Promise<void> {
  return pause(Math.max(0, moment + seconds * 1000 - performance.now()))
}

/** Expects that a lock which was taken after another one had ended is held since another time. */
function expectLater(heldSince: string | undefined, former: string | undefined): void {
  const seconds = (Date.parse(heldSince ?? '') - Date.parse(former ?? '')) / 1000
  expectThat(seconds >= lockSeconds, `heldSince at least ${lockSeconds} s after ${former}`, heldSince)
}
