/** Regions that treat rooms, their users and their locks wrong. */
import { randomUUID } from 'node:crypto'
import { also, answering, asking, noFence, refusal, run, saying, without } from './faults.ts'
import type { Answer, Behind, Call, CallName, Faults, Json, WrongRegion } from './wrong-region.ts'

const smallerFence = 'a worker with a smaller fence is refused with 409 overtaken, for its operation only'
const anotherId = 'every change with another roomId is refused with 409 and changes nothing'

const unfenced = without(...Object.keys(noFence))

const fencedCalls: CallName[] = [
  'suspendRoom',
  'resumeRoom',
  'changeRoom',
  'lockRoom',
  'createRoom',
  'startJob',
  'putRoute',
  'openSession',
  'deleteUser',
]

export const wrongRooms: WrongRegion[] = [
  {
    name: 'edition-lost',
    does: 'Every room is of the edition basic.',
    caughtBy: { 'a created room is found with what it was created with': 'edition' },
    faults: { createRoom: asking((creation) => ({ ...creation, edition: 'basic' })) },
  },
  {
    name: 'creation-once',
    does: 'The same creation again is refused, because the room is there.',
    caughtBy: { 'the same creation again is the same answer, also side by side': '409' },
    faults: {
      createRoom: async (call, behind) => {
        if (behind.marked.has(call.name)) return refusal(409, 'room-exists')
        behind.marked.add(call.name)
        return call.pass()
      },
    },
  },
  {
    name: 'creation-overwrites',
    does: 'A creation of a room that is there replaces it.',
    losesData: true,
    caughtBy: { 'a creation with another body or another roomId is refused with 409': 'another roomId' },
    faults: {
      createRoom: async (call) => {
        const answer = await call.pass()
        if (answer.status !== 409) return answer
        const { roomId } = (await also(call, 'GET', `/rooms/${call.name}`)).json
        await run(call, { type: 'deleteRoom', room: call.name, roomId })
        return call.pass()
      },
    },
  },
  {
    name: 'creation-any-body',
    does: 'A creation with the same roomId and another body is taken for the same.',
    caughtBy: { 'a creation with another body or another roomId is refused with 409': 'another body' },
    faults: {
      createRoom: async (call) => {
        const answer = await call.pass()
        const isSame = answer.json.type === 'urn:roomkeeper-region:room-exists'
        return isSame ? also(call, 'GET', `/rooms/${call.name}`) : answer
      },
    },
  },
  {
    name: 'creation-compares-with-now',
    does: 'A creation again is compared with the settings of now, so it is refused after a change.',
    caughtBy: { 'the same creation again answers the room as it is now, whatever was changed since': '409' },
    faults: {
      createRoom: async (call) => {
        const answer = await call.pass()
        const { expirationDate } = await call.json()
        return answer.json.expirationDate === expirationDate ? answer : refusal(409, 'room-exists')
      },
    },
  },
  {
    name: 'creation-resets',
    does: 'A creation again sets state and settings again.',
    losesData: true,
    caughtBy: {
      'the same creation again answers the room as it is now, whatever was changed since': 'the room, created again',
    },
    faults: {
      createRoom: async (call) => {
        const answer = await call.pass()
        if (answer.status !== 200) return answer
        const { expirationDate, roomId } = await call.json()
        await also(call, 'PATCH', `/rooms/${call.name}`, { roomId, expirationDate })
        return also(call, 'GET', `/rooms/${call.name}`)
      },
    },
  },
  {
    name: 'creation-unlocked',
    does: 'A room is created without the lock that it has to be created with.',
    losesData: true,
    caughtBy: { 'a room can be created suspended and locked': 'state and lock' },
    faults: { createRoom: asking(({ lockHolder: _, ...creation }) => creation) },
  },
  {
    name: 'dates-rolled-over',
    does: 'A date that is none, such as 2031-13-01, is rolled over.',
    caughtBy: { 'malformed creations are refused with 400 and leave nothing': 'a date that is none' },
    faults: {
      createRoom: asking((creation) => ({
        ...creation,
        ...(creation.expirationDate === '2031-13-01' ? { expirationDate: '2032-01-01' } : {}),
      })),
    },
  },
  {
    name: 'names-cut',
    does: 'A room name that is too long is cut.',
    caughtBy: { 'names that are not room names are refused and reach nothing outside': '400 or 404' },
    faults: { createRoom: (call) => call.pass({ url: call.url.slice(0, '/region/v1/rooms/'.length + 24) }) },
  },
  {
    name: 'rooms-skip',
    varies: true,
    does: 'The last room of each page is in no page.',
    caughtBy: { 'rooms are listed by name, page by page': 'the rooms that were made' },
    faults: {
      rooms: answering((page) => ({ ...page, rooms: page.next === null ? page.rooms : page.rooms.slice(0, -1) })),
    },
  },
  {
    name: 'rooms-repeat',
    does: 'Each page begins with the room that its `after` names.',
    caughtBy: { 'rooms are listed by name, page by page': 'the order of the names' },
    faults: {
      rooms: answering(async (page, call) => {
        const first = new URL(call.url, 'http://x').searchParams.get('after') ?? ''
        const again = await also(call, 'GET', `/rooms/${first}`)
        return again.status === 200 ? { ...page, rooms: [again.json, ...page.rooms.slice(0, -1)] } : page
      }),
    },
  },
  {
    name: 'rooms-newest-first',
    does: 'Rooms are listed in another order than that of their names.',
    caughtBy: { 'rooms are listed by name, page by page': 'the order of the names' },
    faults: { rooms: answering((page) => ({ ...page, rooms: page.rooms.toReversed() })) },
  },
  {
    name: 'limit-cut',
    does: 'A limit above 1,000 is cut instead of refused.',
    caughtBy: { 'rooms are listed by name, page by page': 'a limit of 1001' },
    faults: { rooms: (call) => call.pass({ url: call.url.replace('limit=1001', 'limit=1000') }) },
  },
  {
    name: 'patch-drops',
    does: 'A change removes the settings that it does not name.',
    losesData: true,
    caughtBy: { 'a change of licences, expiry and contacts is taken; the rest stays': 'the licences' },
    faults: { changeRoom: asking((change) => ({ licences: [], subLicences: [], ...change })) },
  },
  {
    name: 'patch-adds',
    does: 'A list of licences is added to the former one.',
    caughtBy: { 'a change of licences, expiry and contacts is taken; the rest stays': 'the licences' },
    faults: {
      changeRoom: asking(async (change, call) => {
        if (change.licences === undefined) return change
        const { settings } = (await also(call, 'GET', `/rooms/${call.name}`)).json
        return { ...change, licences: [...settings.licences, ...change.licences] }
      }),
    },
  },
  {
    name: 'patch-leaves-users',
    does: 'New contacts are kept in the settings, but make nobody a user.',
    caughtBy: { 'new contacts make an owner and a delegate; the former ones stay as users': '404' },
    faults: {
      openSession: async (call) => {
        const { user } = await call.json()
        return user.startsWith('new') ? refusal(404, 'user-unknown') : call.pass()
      },
    },
  },
  {
    name: 'patch-removes-users',
    does: 'A former owner leaves the room when there is another.',
    losesData: true,
    caughtBy: { 'new contacts make an owner and a delegate; the former ones stay as users': '404' },
    faults: {
      openSession: async (call) => {
        const { contacts } = (await also(call, 'GET', `/rooms/${call.name}`)).json.settings
        const { user } = await call.json()
        return [contacts.ownerEmail, contacts.delegateEmail].includes(user) ? call.pass() : refusal(404, 'user-unknown')
      },
    },
  },
  {
    name: 'suspend-toggles',
    does: 'A suspension of a suspended room resumes it.',
    caughtBy: { 'suspend and resume are idempotent': 'the states' },
    faults: {
      suspendRoom: async (call) => {
        const { state } = (await also(call, 'GET', `/rooms/${call.name}`)).json
        return state === 'active' ? call.pass() : call.pass({ url: call.url.replace('suspend', 'resume') })
      },
    },
  },
  {
    name: 'room-id-ignored',
    does: 'Changes, locks and jobs do not look at the roomId, so they reach another room of the name.',
    losesData: true,
    caughtBy: { [anotherId]: 'PATCH: expected a refusal with 409' },
    faults: { changeRoom: withOwnId, suspendRoom: withOwnId, lockRoom: withOwnId, startJob: withOwnId },
  },
  {
    name: 'room-id-ignored-by-jobs',
    does: 'Only jobs do not look at the roomId.',
    losesData: true,
    caughtBy: { [anotherId]: 'deleteRoom: expected a refusal with 409' },
    faults: { startJob: withOwnId },
  },
  {
    name: 'console-record-in-content',
    does: 'The record of the console is lost with the content that a restore replaces.',
    losesData: true,
    caughtBy: {
      'what the console keeps with a room stays when its content is replaced, changes no digest, and is no other room’s':
        'the record',
    },
    faults: {
      startJob: async (call, behind) => {
        const { type, room } = await call.json()
        if (type === 'restoreRoom') behind.marked.add(room)
        return call.pass()
      },
      consoleRecord: answering((kept, call, { marked }) => (marked.has(call.name) ? { record: null } : kept)),
    },
  },
  {
    name: 'console-record-cut',
    does: 'A record of the console of more than 4,096 bytes is cut.',
    losesData: true,
    caughtBy: {
      'what the console keeps with a room stays when its content is replaced, changes no digest, and is no other room’s':
        'the record',
    },
    faults: { keepConsoleRecord: asking(({ roomId, record }) => ({ roomId, record: cut(record) })) },
  },
  {
    name: 'held-since-renewal',
    does: 'heldSince is when the lock was renewed last, so no move can prove that it held the lock all the time.',
    caughtBy: {
      'the same holder takes a lock again, held since the first time; another is refused with 409': 'held since',
    },
    faults: { lockRoom: answering((room) => heldSince(room, new Date().toISOString())) },
  },
  {
    name: 'held-since-for-ever',
    does: 'heldSince is when this holder took the lock for the first time, also after a gap in which users wrote.',
    losesData: true,
    caughtBy: { 'a lock that was given back in between is held since the second time': 'held since' },
    faults: () => {
      const first = new Map<string, string>()
      const since = answering((room) => {
        const key = `${room.name} ${room.lock.holder}`
        first.set(key, first.get(key) ?? room.lock.heldSince)
        return heldSince(room, first.get(key))
      })
      return { lockRoom: since }
    },
  },
  {
    name: 'unlock-by-anybody',
    does: 'Any holder can give back a lock.',
    losesData: true,
    caughtBy: {
      'the same holder takes a lock again, held since the first time; another is refused with 409': 'unlock by another',
    },
    faults: { unlockRoom: asking(async (body, call) => ({ ...body, holder: await holderOf(call, call.name) })) },
  },
  {
    name: 'unlock-once',
    does: 'A room that is not locked cannot be unlocked.',
    caughtBy: { 'unlocking is idempotent, and a lock that was given back is taken by another': '409' },
    faults: {
      unlockRoom: async (call) => {
        const { locked } = (await also(call, 'GET', `/rooms/${call.name}`)).json
        return locked ? call.pass() : refusal(409, 'locked-by-another')
      },
    },
  },
  {
    name: 'resume-unlocks',
    does: 'A room that is resumed is no longer locked.',
    losesData: true,
    caughtBy: { 'a room that is suspended or resumed stays locked, and the answer tells since when': 'held since' },
    faults: { resumeRoom: answering((room) => ({ ...room, locked: false, lock: null })) },
  },
  {
    name: 'locks-of-an-hour',
    does: 'A lock ends after an hour.',
    caughtBy: { 'a lock tells that it ends 60 s after it was taken': 'expiresAt 60 s after heldSince' },
    faults: {
      lockRoom: answering((room) => {
        const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
        return { ...room, lock: { ...room.lock, expiresAt } }
      }),
    },
  },
  {
    name: 'jobs-ask-for-no-lock',
    does: 'Jobs change a room that another holds locked.',
    losesData: true,
    caughtBy: {
      'a locked room is changed by its holder alone: jobs of others are refused with 423': 'without a holder',
    },
    faults: {
      startJob: asking(async (job, call) => ({ ...job, holder: (await holderOf(call, job.room)) ?? job.holder })),
    },
  },
  {
    name: 'locked-for-readers',
    does: 'A locked room cannot be digested or backed up without the holder.',
    caughtBy: { 'a locked room is changed by its holder alone: jobs of others are refused with 423': '423' },
    faults: {
      startJob: async (call) => {
        const { type, room, holder } = await call.json()
        const isReading = type === 'digestRoom' || type === 'backupRoom'
        return isReading && (await holderOf(call, room)) !== holder ? refusal(423, 'room-locked') : call.pass()
      },
    },
  },
  {
    name: 'fences-ignored',
    does: 'The headers of fences are ignored.',
    losesData: true,
    caughtBy: { [smallerFence]: 'suspend: expected a refusal with 409' },
    faults: { suspendRoom: unfenced, changeRoom: unfenced, startJob: unfenced, createRoom: unfenced },
  },
  {
    name: 'fences-ignored-by-jobs',
    does: 'Jobs are started whatever their fence is.',
    losesData: true,
    caughtBy: { [smallerFence]: 'job: expected a refusal with 409' },
    faults: { startJob: unfenced },
  },
  {
    name: 'fences-too-strict',
    does: 'A second call with the same fence is refused.',
    caughtBy: { [smallerFence]: 'overtaken' },
    faults: (behind) => ({ suspendRoom: (call) => once(call, behind), resumeRoom: (call) => once(call, behind) }),
  },
  {
    name: 'fences-of-all',
    does: 'The fences of all operations are compared with each other.',
    caughtBy: { [smallerFence]: 'overtaken' },
    faults: Object.fromEntries(fencedCalls.map((name) => [name, ofOneOperation])),
  },
  {
    name: 'sessions-for-ever',
    does: 'The end of a session is answered, but the session goes on.',
    caughtBy: { 'a session is listed from its opening to its end': 'the sessions after the end' },
    faults: { endSession: saying(204) },
  },
  {
    name: 'sessions-show-tokens',
    does: 'The list of sessions has their tokens.',
    caughtBy: { 'the token of a session is told once': 'no token' },
    faults: () => {
      const tokens = new Map<string, string>()
      return {
        openSession: answering(({ id, token }) => void tokens.set(id, token)),
        sessions: answering((list) => list.map((each: Json) => ({ ...each, token: tokens.get(each.id) }))),
      }
    },
  },
  {
    name: 'sessions-for-anybody',
    does: 'A session is opened for an address that no user has.',
    caughtBy: { 'there is no session for an unknown user (404) and none in a suspended room (403)': 'an unknown user' },
    faults: sessionsDespite(404),
  },
  {
    name: 'sessions-while-suspended',
    does: 'A suspended room lets users in.',
    losesData: true,
    caughtBy: {
      'there is no session for an unknown user (404) and none in a suspended room (403)': 'a suspended room',
    },
    faults: sessionsDespite(403),
  },
  {
    name: 'sessions-listed-while-suspended',
    does: 'A suspended room lists the sessions from before.',
    caughtBy: {
      'there is no session for an unknown user (404) and none in a suspended room (403)':
        'sessions of a suspended room',
    },
    faults: () => {
      const opened: Json[] = []
      return {
        openSession: answering(({ token: _, ...session }) => void opened.push(session)),
        sessions: saying(200, opened),
      }
    },
  },
  {
    name: 'sessions-after-expiry',
    does: 'A room whose last day has passed lets users in.',
    caughtBy: { 'there is no session in a room that has expired (403)': 'an expired room' },
    faults: sessionsDespite(403),
  },
  {
    name: 'licences-not-counted',
    does: 'The used licences are always 0.',
    caughtBy: { 'the owner and the delegate use a licence each': 'used licences' },
    faults: { licences: answering((list) => list.map((each: Json) => ({ ...each, used: 0 }))) },
  },
  {
    name: 'first-licence-taken',
    does: 'Owner and delegate get the first licence of the list, whatever it allows.',
    caughtBy: { 'the owner and the delegate use a licence each': 'used licences' },
    faults: {
      licences: answering((list) => list.map((each: Json, index: number) => ({ ...each, used: index === 0 ? 2 : 0 }))),
    },
  },
  {
    name: 'users-stay',
    does: 'A deleted user is said to be gone, and stays.',
    caughtBy: {
      'a user is deleted wherever they are on the region; one that is not there counts as gone': 'the rooms',
    },
    faults: { deleteUser: saying(200, { gone: true, rooms: [], withoutDelegate: [] }) },
  },
  {
    name: 'users-leave-owners',
    does: 'The owner of a room can be deleted.',
    losesData: true,
    caughtBy: { 'a user who owns a room is not deleted, from no room': '409' },
    faults: {
      deleteUser: async (call) => {
        const answer = await call.pass()
        return answer.status === 409 ? { status: 200, json: { gone: true } } : answer
      },
    },
  },
  {
    name: 'users-unknown',
    does: 'A user who is nowhere is 404.',
    caughtBy: { 'a user is deleted wherever they are on the region; one that is not there counts as gone': '404' },
    faults: {
      deleteUser: async (call) => {
        const answer = await call.pass()
        return answer.json.rooms?.length === 0 ? refusal(404, 'user-unknown') : answer
      },
    },
  },
  {
    name: 'users-gone-while-locked',
    does: 'A user of a locked room is said to be gone, and is in the copy that moves away.',
    caughtBy: { 'a user of a locked room is not gone before the lock is': 'gone while locked' },
    faults: { deleteUser: answering((told) => ({ ...told, gone: true })) },
  },
]

function cut(record: unknown): unknown {
  return typeof record === 'string' && Buffer.byteLength(record) < 20_000 ? record.slice(0, 4096) || record : record
}

function heldSince(room: Json, since: string | undefined): Json {
  return { ...room, lock: { ...room.lock, heldSince: since } }
}

/** With the roomId of the room of this name, and for jobs that of their room. */
async function withOwnId(call: Call): Promise<Answer> {
  const body = await call.json()
  const found = await also(call, 'GET', `/rooms/${call.name || body.room}`)
  return call.pass({ json: { ...body, ...(found.status === 200 ? { roomId: found.json.roomId } : {}) } })
}

async function holderOf(call: Call, room: string): Promise<string | undefined> {
  return (await also(call, 'GET', `/rooms/${room}`)).json?.lock?.holder
}

async function once(call: Call, { marked }: Behind): Promise<Answer> {
  const fence = JSON.stringify([call.headers['roomkeeper-operation'], call.headers['roomkeeper-fence']])
  if (call.headers['roomkeeper-fence'] !== undefined && marked.has(fence)) return refusal(409, 'overtaken')
  marked.add(fence)
  return call.pass()
}

function ofOneOperation(call: Call): Promise<Answer> {
  const isMarked = call.headers['roomkeeper-operation'] !== undefined
  return call.pass({ headers: isMarked ? { 'roomkeeper-operation': 'all' } : {} })
}

/** A session is opened although the region refuses it with this status. */
function sessionsDespite(status: number): Faults {
  const now = new Date().toISOString()
  const times = { startedAt: now, lastActiveAt: now, expiresAt: now }
  const session = { id: randomUUID(), userId: randomUUID(), user: 'owner@conformance.example', ...times }
  return {
    openSession: async (call) => {
      const answer = await call.pass()
      return answer.status === status ? { status: 200, json: { ...session, token: 'a'.repeat(43) } } : answer
    },
  }
}
