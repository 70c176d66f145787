/** Users, their sessions and the licences they use. */
import { type Check, expectEqual, expectRefusal, expectThat } from '../check.ts'
import { delegate, owner } from '../region-under-test.ts'

export const sessionChecks: Check[] = [
  // shows: region-sessions
  {
    name: 'a session is listed from its opening to its end',
    page: 'calls.md#post-roomsnamesessions',
    run: async ({ client, newRoom }) => {
      const { name } = await newRoom()
      expectEqual(await client.sessions(name), [], 'sessions of a new room')
      const opened = await client.openSession(name, owner)
      expectThat(opened.token.length >= 32, 'a token', opened.token)
      const { token: _, ...session } = opened
      expectEqual(await client.sessions(name), [session], 'the sessions')
      await client.endSession(name, opened.id)
      await client.endSession(name, opened.id)
      expectEqual(await client.sessions(name), [], 'the sessions after the end')
    },
  },
  {
    name: 'the token of a session is told once',
    page: 'users.md#sessions',
    run: async ({ client, raw, newRoom }) => {
      const { name } = await newRoom()
      const { token, userId } = await client.openSession(name, owner)
      const again = await client.openSession(name, userId)
      expectThat(again.token !== token, 'another token for another session', again.token === token)
      const { json } = await raw('GET', `/rooms/${name}/sessions`)
      const told = JSON.stringify(json)
      expectThat(!told.includes(token) && !told.includes(again.token), 'no token in the list of sessions', json)
    },
  },
  {
    name: 'there is no session for an unknown user (404) and none in a suspended room (403)',
    page: 'users.md#sessions',
    run: async ({ client, newRoom }) => {
      const { name, roomId } = await newRoom()
      await expectRefusal(client.openSession(name, 'nobody@conformance.example'), 404, 'an unknown user')
      await client.openSession(name, owner)
      await client.suspendRoom(name, roomId)
      await expectRefusal(client.openSession(name, owner), 403, 'a suspended room')
      expectEqual(await client.sessions(name), [], 'sessions of a suspended room')
    },
  },
  {
    name: 'there is no session in a room that has expired (403)',
    page: 'users.md#sessions',
    run: async ({ client, newRoom }) => {
      const { name } = await newRoom({ expirationDate: '2001-01-01' })
      await expectRefusal(client.openSession(name, owner), 403, 'an expired room')
    },
  },
  // shows: region-licences
  {
    name: 'the owner and the delegate use a licence each',
    page: 'users.md#licences',
    run: async ({ client, newRoom }) => {
      const { name } = await newRoom()
      const used = (await client.licences(name)).map(({ licenseKey, used }) => [licenseKey, used])
      expectEqual(
        used,
        [
          ['YAAV', 0],
          ['YAAD', 2],
        ],
        'used licences',
      )
    },
  },
  // shows: region-users
  {
    name: 'a user is deleted wherever they are on the region; one that is not there counts as gone',
    page: 'calls.md#delete-usersid',
    run: async ({ client, newRoom, newId }) => {
      const { name } = await newRoom()
      const { userId } = await client.openSession(name, delegate)
      const { gone, rooms } = await client.deleteUser(userId)
      expectEqual(gone, true, 'gone')
      expectEqual(rooms ?? null, [{ name, wasDelegate: true, gone: true }], 'the rooms that had the user')
      const absent = { gone: true, rooms: [], withoutDelegate: [] }
      const { withoutDelegate = [name], ...second } = await client.deleteUser(userId)
      expectEqual({ ...absent, ...second, withoutDelegate }, { ...absent, withoutDelegate: [name] }, 'the second time')
      expectEqual({ ...absent, ...(await client.deleteUser(newId())) }, absent, 'an unknown user')
      await expectRefusal(client.openSession(name, delegate), 404, 'the deleted user')
      expectEqual(await client.sessions(name), [], 'their sessions')
    },
  },
  {
    name: 'a deleted user leaves every room that has the user, and the contacts, so that no change brings them back',
    page: 'calls.md#delete-usersid',
    run: async ({ client, newRoom, run }) => {
      const rooms = [await newRoom(), await newRoom()]
      const [source, copy] = rooms.map(({ name, roomId }) => ({ room: name, roomId }))
      if (source === undefined || copy === undefined) return
      const { file } = await run({ type: 'backupRoom', ...source })
      await run({ type: 'restoreRoom', ...copy, file })
      const { userId } = await client.openSession(source.room, delegate)
      expectEqual((await client.openSession(copy.room, delegate)).userId, userId, 'the id of the user in the copy')
      const told = (await client.deleteUser(userId)).rooms?.map(({ name }) => name)
      expectEqual(told?.toSorted(), rooms.map(({ name }) => name).toSorted(), 'the rooms that had the user')
      for (const { name, roomId } of rooms) {
        await client.changeRoom(name, { roomId, expirationDate: '2099-01-01' })
        await expectRefusal(client.openSession(name, delegate), 404, 'the deleted user')
      }
    },
  },
  {
    name: 'a user who owns a room is not deleted, from no room',
    page: 'calls.md#delete-usersid',
    run: async ({ client, newRoom }) => {
      const { name } = await newRoom()
      const { userId, id } = await client.openSession(name, owner)
      await expectRefusal(client.deleteUser(userId), 409, 'the owner')
      expectEqual(
        (await client.sessions(name)).map((session) => session.id),
        [id],
        "the owner's sessions",
      )
    },
  },
  {
    name: 'a user of a locked room is not gone before the lock is',
    page: 'calls.md#delete-usersid',
    run: async ({ client, newRoom, newId }) => {
      const { name, roomId } = await newRoom()
      const { userId } = await client.openSession(name, delegate)
      const lock = { roomId, holder: newId() }
      await client.lockRoom(name, lock)
      const locked = { gone: false, rooms: [{ name, wasDelegate: true, gone: false }], withoutDelegate: [] }
      const told = { withoutDelegate: [], ...(await client.deleteUser(userId)) }
      expectEqual(told, locked, 'gone while locked')
      await client.unlockRoom(name, lock)
      expectEqual((await client.deleteUser(userId)).gone, true, 'gone after the lock')
    },
  },
]
