/** Rooms: creation, change, suspension, and that another room of the same name is never touched. */
import { atMost } from '../../bounds.ts'
import { requireForm } from '../../client/require-form.ts'
import { regionStatus } from '../../schemas.ts'
import { type Check, expectEqual, expectProblem, expectRefusal, expectThat } from '../check.ts'
import { newCreation, type Region } from '../region-under-test.ts'

export const roomChecks: Check[] = [
  // shows: region-status
  {
    name: 'status tells name, version, products, rooms and free bytes',
    page: 'calls.md#regionstatus',
    run: async ({ raw, client, newRoom }) => {
      const { json } = await raw('GET', '/status')
      const { freeBytes } = requireForm(regionStatus, json, 'answer to GET status')
      expectThat(freeBytes > 0, 'free bytes', freeBytes)
      await newRoom()
      const after = await client.status()
      expectThat(after.rooms >= 1, 'at least the room that was made', after)
    },
  },
  // shows: region-room
  {
    name: 'a created room is found with what it was created with',
    page: 'calls.md#put-roomsname',
    run: async ({ client, newRoom }) => {
      const { name, roomId } = await newRoom({ expirationDate: '2099-12-31' })
      const room = await client.room(name)
      const { state, locked, product, edition, expirationDate, databases } = room ?? {}
      expectEqual(
        { roomId: room?.roomId, state, locked, product, edition, expirationDate, databases },
        {
          roomId,
          state: 'active',
          locked: false,
          product: 'ARIS',
          edition: 'advanced',
          expirationDate: '2099-12-31',
          databases: ['main'],
        },
        'the room',
      )
      expectThat((room?.size ?? 0) > 0 && (room?.schemaVersion ?? 0) > 0, 'a size and a schema version', room)
    },
  },
  // shows: region-room
  {
    name: 'a room that is not there answers 404',
    page: 'calls.md#get-roomsname',
    run: async ({ raw, newName }) => {
      const name = newName()
      const calls = [
        ['GET', ''],
        ['GET', '/licences'],
        ['GET', '/databases'],
        ['GET', '/sessions'],
        ['GET', '/console-record'],
      ] as const
      for (const [method, path] of calls) {
        const answer = await raw(method, `/rooms/${name}${path}`)
        expectProblem(answer, 404, `${method} /rooms/{name}${path}`)
      }
      const suspended = await raw('POST', `/rooms/${name}/suspend`, { body: { roomId: crypto.randomUUID() } })
      expectProblem(suspended, 404, 'POST /rooms/{name}/suspend')
    },
  },
  // shows: region-console-record
  {
    name: 'what the console keeps with a room stays when its content is replaced, changes no digest, and is no other room’s',
    page: 'calls.md#put-roomsnameconsole-record',
    needs: ['consoleRecord'],
    run: async ({ client, raw, newRoom, run, digestOf }) => {
      const { name, roomId } = await newRoom()
      expectEqual(await client.consoleRecord(name), null, 'the record of a new room')
      const before = await digestOf(name)
      const longest = 'é'.repeat(atMost.consoleRecord)
      for (const record of ['v1.first', longest, longest])
        expectEqual(await client.keepConsoleRecord(name, { roomId, record }), true, 'taken')
      expectEqual(await digestOf(name), before, 'the digest')
      const { file } = await run({ type: 'backupRoom', room: name, roomId })
      await run({ type: 'restoreRoom', room: name, roomId, file })
      await client.suspendRoom(name, roomId)
      expectEqual(await client.consoleRecord(name), longest, 'the record')
      const other = client.keepConsoleRecord(name, { roomId: crypto.randomUUID(), record: 'other' })
      await expectRefusal(other, 409, 'another roomId')
      for (const record of ['', `${longest}é`, 7])
        expectProblem(await raw('PUT', `/rooms/${name}/console-record`, { body: { roomId, record } }), 400, 'a record')
      expectEqual(await client.consoleRecord(name), longest, 'the record, after all that')
      expectEqual(await client.consoleRecord((await newRoom()).name), null, 'the record of another room')
    },
  },
  // shows: region-create-again
  {
    name: 'the same creation again is the same answer, also side by side',
    page: 'calls.md#put-roomsname',
    run: async ({ client, newName }) => {
      const name = newName()
      const creation = newCreation()
      const answers = await Promise.all([1, 2, 3].map(() => client.createRoom(name, creation)))
      answers.push(await client.createRoom(name, creation))
      for (const answer of answers) expectEqual({ ...answer, size: 0 }, { ...answers[0], size: 0 }, 'the answer')
    },
  },
  // shows: region-create-409
  {
    name: 'a creation with another body or another roomId is refused with 409',
    page: 'calls.md#put-roomsname',
    run: async ({ client, newRoom }) => {
      const { name, creation } = await newRoom()
      const otherId = client.createRoom(name, { ...creation, roomId: crypto.randomUUID() })
      await expectRefusal(otherId, 409, 'another roomId')
      await expectRefusal(client.createRoom(name, { ...creation, expirationDate: '2031-01-01' }), 409, 'another body')
      expectEqual((await client.room(name))?.expirationDate, null, 'the expiration date')
    },
  },
  {
    name: 'the same creation again answers the room as it is now, whatever was changed since',
    page: 'calls.md#put-roomsname',
    run: async ({ client, raw, newRoom }) => {
      const { name, roomId, creation } = await newRoom()
      await client.suspendRoom(name, roomId)
      await client.changeRoom(name, { roomId, expirationDate: '2097-03-04' })
      const now = { ...(await client.room(name)), size: 0 }
      expectEqual({ ...(await client.createRoom(name, creation)), size: 0 }, now, 'the room, created again')
      const body = Object.fromEntries(Object.entries({ ...creation, state: 'active', notKnown: 1 }).toReversed())
      const again = await raw('PUT', `/rooms/${name}`, { body })
      expectEqual(again.status, 200, 'fields in another order, a default, and a field that is not known')
      expectEqual({ ...(await client.room(name)), size: 0 }, now, 'the room')
    },
  },
  {
    name: 'malformed creations are refused with 400 and leave nothing',
    page: 'calls.md#put-roomsname',
    run: async ({ client, raw, newName }) => {
      const name = newName()
      const bodies: Record<string, unknown> = {
        'an empty body': {},
        'a list': [],
        'a roomId that is none': { ...newCreation(), roomId: 'no-uuid' },
        'a product that is none': { ...newCreation(), product: 'NOTHING' },
        'an amount below 0': {
          ...newCreation(),
          licences: [{ licenseKey: 'YAAD', licenseAmount: -1, licenseType: 'NUC' }],
        },
        'a date that is none': { ...newCreation(), expirationDate: '2031-13-01' },
      }
      for (const [what, body] of Object.entries(bodies))
        expectProblem(await raw('PUT', `/rooms/${name}`, { body }), 400, what)
      expectEqual(await client.room(name), null, 'the room')
    },
  },
  {
    name: 'names that are not room names are refused and reach nothing outside',
    page: 'calls.md#roomname',
    run: async ({ raw }) => {
      for (const name of ['..%2f..%2fetc', '%2e%2e', 'a', 'Upper', '1abc', 'with-dash', 'a'.repeat(25), 'abc%00']) {
        const { status } = await raw('PUT', `/rooms/${name}`, { body: newCreation() })
        expectThat(status === 400 || status === 404, `400 or 404 for ${name}`, status)
      }
    },
  },
  // shows: region-rooms
  {
    name: 'rooms are listed by name, page by page',
    page: 'calls.md#get-rooms',
    run: async ({ client, raw, newRoom }) => {
      const made = (await Promise.all([newRoom(), newRoom(), newRoom()])).map(({ name }) => name).sort()
      const last = made.at(-1) ?? ''
      for (const limit of [1, 2]) {
        const found: string[] = []
        let after: string | null = (made[0] ?? '').slice(0, -1)
        while (after !== null && (found.at(-1) ?? '') < last) {
          const page = await client.rooms(after, limit)
          expectThat(page.rooms.length <= limit, `at most ${limit} rooms`, page.rooms.length)
          found.push(...page.rooms.map(({ name }) => name))
          expectEqual(found, [...new Set(found)].sort(), 'the order of the names')
          after = page.next
        }
        expectEqual(
          found.filter((name) => made.includes(name)),
          made,
          `the rooms that were made, ${limit} at a time`,
        )
      }
      for (const limit of [0, 1001])
        expectProblem(await raw('GET', `/rooms?limit=${limit}`), 400, `a limit of ${limit}`)
    },
  },
  // shows: region-patch
  {
    name: 'a change of licences, expiry and contacts is taken; the rest stays',
    page: 'calls.md#patch-roomsname',
    run: async ({ client, newRoom }) => {
      const { name, roomId } = await newRoom()
      const before = await client.licences(name)
      await client.changeRoom(name, { roomId, expirationDate: '2098-02-03' })
      expectEqual((await client.room(name))?.expirationDate, '2098-02-03', 'the expiration date')
      expectEqual(await client.licences(name), before, 'the licences')
      const licences = [{ licenseKey: 'YAAD', licenseAmount: 7, licenseType: 'CUC' as const }]
      for (let time = 0; time < 2; time += 1) {
        await client.changeRoom(name, { roomId, licences })
        const [first, ...more] = await client.licences(name)
        const { used, ...licence } = first ?? { used: -1 }
        expectEqual([licence, ...more], licences, 'the licences')
        expectThat(used >= 0, 'a count of used licences', used)
      }
    },
  },
  {
    name: 'a change of which a part is refused changes nothing, and null is not absent',
    page: 'calls.md#patch-roomsname',
    run: async ({ client, raw, newRoom }) => {
      const { name, roomId } = await newRoom({ expirationDate: '2077-01-01' })
      const licences = [{ licenseKey: 'YAAD', licenseAmount: -1, licenseType: 'NUC' }]
      const body = { roomId, expirationDate: '2088-01-01', licences }
      expectProblem(await raw('PATCH', `/rooms/${name}`, { body }), 400, 'an amount below 0')
      expectEqual((await client.room(name))?.expirationDate, '2077-01-01', 'the expiration date')
      await client.changeRoom(name, { roomId, expirationDate: null })
      expectEqual((await client.room(name))?.expirationDate, null, 'the expiration date, once it is null')
    },
  },
  {
    name: 'new contacts make an owner and a delegate; the former ones stay as users',
    page: 'users.md#owner-and-delegate',
    run: async ({ client, newRoom }) => {
      const { name, roomId, creation } = await newRoom()
      const { ownerEmail, delegateEmail } = creation.contacts
      const contacts = {
        ...creation.contacts,
        ownerEmail: 'new.owner@conformance.example',
        delegateEmail: 'new.delegate@conformance.example',
      }
      await client.changeRoom(name, { roomId, contacts })
      const capitals = contacts.ownerEmail.toUpperCase()
      for (const user of [contacts.ownerEmail, capitals, contacts.delegateEmail, ownerEmail, delegateEmail ?? ''])
        await client.openSession(name, user)
      const used = (await client.licences(name)).map(({ licenseKey, used }) => [licenseKey, used])
      expectEqual(used.at(-1), ['YAAD', 2], 'the licences that the new ones have')
    },
  },
  // shows: region-suspend
  {
    name: 'suspend and resume are idempotent',
    page: 'locks.md#suspension',
    run: async ({ client, newRoom }) => {
      const { name, roomId } = await newRoom()
      const states = []
      for (const call of [client.suspendRoom, client.suspendRoom, client.resumeRoom, client.resumeRoom])
        states.push((await call(name, roomId)).state)
      expectEqual(states, ['suspended', 'suspended', 'active', 'active'], 'the states')
    },
  },
  // shows: region-create-locked
  {
    name: 'a room can be created suspended and locked',
    page: 'calls.md#put-roomsname',
    run: async ({ client, newRoom, newId }) => {
      const { name } = await newRoom({ state: 'suspended', lockHolder: newId() })
      const room = await client.room(name)
      expectEqual([room?.state, room?.locked], ['suspended', true], 'state and lock')
    },
  },
  // shows: region-room-id
  {
    name: 'every change with another roomId is refused with 409 and changes nothing',
    page: 'calls.md#roomid',
    run: refusesOtherRooms,
  },
]

async function refusesOtherRooms({ client, newRoom, newId, run, digestOf }: Region): Promise<void> {
  const { name, roomId } = await newRoom()
  const other = crypto.randomUUID()
  const own = { room: name, roomId: other }
  const room = async () => ({ ...(await client.room(name)), size: 0 })
  const before = await room()
  const digestBefore = await digestOf(name)
  const changes: Record<string, () => Promise<unknown>> = {
    PATCH: () => client.changeRoom(name, { roomId: other, expirationDate: '2030-01-01' }),
    suspend: () => client.suspendRoom(name, other),
    resume: () => client.resumeRoom(name, other),
    lock: () => client.lockRoom(name, { roomId: other, holder: newId() }),
    unlock: () => client.unlockRoom(name, { roomId: other, holder: newId() }),
    deleteRoom: () => run({ type: 'deleteRoom', ...own }),
    restoreRoom: () => run({ type: 'restoreRoom', ...own, file: newId() }),
    deleteDatabase: () => run({ type: 'deleteDatabase', ...own, database: 'main' }),
    importDatabase: () => run({ type: 'importDatabase', ...own, database: 'x', file: newId(), password: 'p' }),
  }
  for (const [what, change] of Object.entries(changes)) await expectRefusal(change(), 409, what)
  expectEqual(await room(), before, 'the room')
  expectEqual(await digestOf(name), digestBefore, 'the digest')
  expectEqual((await client.room(name))?.roomId, roomId, 'the roomId')
}
