/** Regions whose answers have another shape than the pages say, or that do not ask who is calling. */
import { randomUUID } from 'node:crypto'
import { regionBasePath } from '@roomkeeper/region-protocol'
import { also, answering, asConsole, asking, refusal, saying, telling, without } from './faults.ts'
import type { Answer, Call, WrongRegion } from './wrong-region.ts'

const created = 'a created room is found with what it was created with'

export const wrongCalls: WrongRegion[] = [
  {
    name: 'session-without-end',
    does: 'A session of the console has no expiresAt.',
    caughtBy: { 'signing in answers with a token and when it ends': 'expiresAt' },
    faults: { signIn: answering(({ token }) => ({ token })) },
  },
  {
    name: 'tells-users',
    does: 'A wrong password and an unknown user are told apart, so user names can be found out.',
    caughtBy: { 'a wrong password and an unknown user are refused alike with 401': 'the same text for both' },
    faults: {
      signIn: async (call) => {
        const answer = await call.pass()
        if (answer.status === 401) answer.json.detail = `Not right: ${(await call.json()).userName}.`
        return answer
      },
    },
  },
  {
    name: 'reads-without-token',
    does: 'Rooms can be read without signing in.',
    caughtBy: { 'every call without a token, or with a made-up one, is refused with 401': 'GET /rooms/:name' },
    faults: { room: signedIn },
  },
  {
    name: 'redirects-without-token',
    does: 'Anybody can redirect the visitors of a room.',
    caughtBy: { 'every call without a token, or with a made-up one, is refused with 401': 'PUT /routes/:name' },
    faults: { putRoute: signedIn },
  },
  {
    name: 'instance-each-time',
    does: 'Each status tells another instanceId.',
    caughtBy: { 'the status says which region this is, by an id that does not change': 'the id the second time' },
    faults: { status: answering((status) => ({ ...status, instanceId: randomUUID() })) },
  },
  {
    name: 'page-for-404',
    does: 'A call that does not exist is answered with a page of the web server.',
    caughtBy: { 'a call that does not exist answers 404, a body that is no JSON 400': 'application/problem+json' },
    faults: {
      visit: async (call) => {
        const page = { status: 404, headers: { 'content-type': 'text/html' }, bytes: Buffer.from('<h1>Not found</h1>') }
        return call.url.startsWith(regionBasePath) ? page : call.pass()
      },
    },
  },
  {
    name: 'problem-without-title',
    does: 'A refusal has a type, but no title.',
    caughtBy: { 'a room that is not there answers 404': 'title: expected a text, but it is missing' },
    faults: { room: refusingWith(({ title: _, ...rest }) => rest) },
  },
  {
    name: 'problem-as-json',
    does: 'A refusal has the Content-Type application/json.',
    caughtBy: { 'a room that is not there answers 404': 'application/problem+json' },
    faults: { room: refusingWith((problem) => problem, { 'content-type': 'application/json' }) },
  },
  {
    name: 'problem-with-200',
    does: 'A refusal is answered with status 200, and the status is in its body only.',
    caughtBy: { 'a room that is not there answers 404': 'expected 404, got 200' },
    faults: { room: async (call) => ({ ...(await call.pass()), status: 200 }) },
  },
  {
    name: 'broken-json-is-500',
    does: 'A body that is no JSON is answered with 500.',
    caughtBy: { 'a call that does not exist answers 404, a body that is no JSON 400': 'expected 400, got 500' },
    faults: {
      createRoom: async (call) => {
        const answer = await call.pass()
        return answer.status === 400 ? refusal(500, 'internal') : answer
      },
    },
  },
  {
    name: 'version-as-text',
    does: 'protocolVersion is the text "1.0".',
    caughtBy: {
      'a status that tells the version of the protocol tells this one, and capabilities as a list of names':
        'protocolVersion: expected',
    },
    faults: { status: answering((status) => ({ ...status, protocolVersion: '1.0' })) },
  },
  {
    name: 'capabilities-as-flags',
    does: 'The capabilities are an object of flags.',
    caughtBy: {
      'a status that tells the version of the protocol tells this one, and capabilities as a list of names':
        'capabilities: expected',
    },
    faults: { status: answering((status) => ({ ...status, capabilities: { digest: true } })) },
  },
  {
    name: 'free-gigabytes',
    does: 'The free space is a text such as "812 GB".',
    caughtBy: { 'status tells name, version, products, rooms and free bytes': 'freeBytes: expected' },
    faults: { status: answering((status) => ({ ...status, freeBytes: '812 GB' })) },
  },
  {
    name: 'room-without-size',
    does: 'A room has no size.',
    caughtBy: { [created]: 'size: expected' },
    faults: { room: answering(({ size: _, ...room }) => room) },
  },
  {
    name: 'active-in-capitals',
    does: 'The state of a room is ACTIVE.',
    caughtBy: { [created]: 'state: expected' },
    faults: { room: answering((room) => ({ ...room, state: room.state.toUpperCase() })) },
  },
  {
    name: 'progress-in-percent',
    does: 'The progress of a job goes up to 100.',
    caughtBy: { 'a job tells its state, progress and the log lines after a number': 'progress: expected' },
    faults: telling('backupRoom', (job) => ({ ...job, progress: job.progress * 100 })),
  },
  {
    name: 'lists-as-items',
    does: 'Lists are objects with items.',
    caughtBy: {
      'databases are exported, imported, deleted and restored, with all that is in them':
        'expected a list, but it is an object',
    },
    faults: { databases: answering((items) => ({ items })), rooms: answering(({ rooms: items }) => ({ items })) },
  },
  {
    name: '200-for-204',
    does: 'What has no body is answered with 200 and an empty object.',
    caughtBy: { 'a success is 200 with a body, or 204 without one': '204' },
    faults: {
      putRoute: async (call) => ((await call.pass()).status === 204 ? { status: 200, json: {} } : call.pass()),
    },
  },
  {
    name: '201-for-200',
    does: 'A creation is answered with 201.',
    caughtBy: { 'a success is 200 with a body, or 204 without one': '201' },
    faults: {
      createRoom: async (call) => {
        const answer = await call.pass()
        return { ...answer, status: answer.status === 200 ? 201 : answer.status }
      },
    },
  },
  {
    name: 'unknown-is-empty',
    does: 'A room that is not there has an empty list of sessions.',
    caughtBy: { 'a room that is not there answers 404': '/sessions' },
    faults: { sessions: async (call) => foundOr(call, { status: 200, json: [] }) },
  },
  {
    name: 'strict-bodies',
    does: 'A body with a field that is not known is refused.',
    caughtBy: { 'a field that is not known is ignored, and ids of rooms are the same in capitals': '400' },
    faults: {
      suspendRoom: async (call) => {
        const isStrange = Object.keys(await call.json()).some((key) => key !== 'roomId')
        return isStrange ? refusal(400, 'invalid-input') : call.pass()
      },
    },
  },
  {
    name: 'ids-by-letter',
    does: 'The roomId in capitals counts as another.',
    caughtBy: { 'a field that is not known is ignored, and ids of rooms are the same in capitals': 'room-differs' },
    faults: {
      resumeRoom: async (call) => {
        const { roomId } = await call.json()
        return roomId === roomId.toLowerCase() ? call.pass() : refusal(409, 'room-differs')
      },
    },
  },
  {
    name: 'redirects-with-302',
    does: 'Visitors are redirected with 302.',
    caughtBy: {
      'requests for a room are redirected while it has a route, whether the room is there or not': '302',
    },
    faults: {
      visit: async (call) => {
        const answer = await call.pass()
        return { ...answer, status: answer.status === 307 ? 302 : answer.status }
      },
    },
  },
  {
    name: 'redirects-to-front-door',
    does: 'Visitors are redirected to the address of the other region, without their path.',
    caughtBy: {
      'requests for a room are redirected while it has a route, whether the room is there or not': 'a visit',
    },
    faults: {
      visit: async (call) => {
        const answer = await call.pass()
        const location = answer.headers?.location
        if (location !== undefined) answer.headers = { ...answer.headers, location: new URL(location).origin }
        return answer
      },
    },
  },
  {
    name: 'redirects-protocol',
    does: 'A room with a redirect counts as not there for the console, too.',
    caughtBy: { 'the protocol itself still sees a room that has a route': 'the room' },
    faults: {
      putRoute: async (call, behind) => {
        behind.marked.add(call.name)
        return call.pass()
      },
      room: async (call, behind) => (behind.marked.has(call.name) ? refusal(404, 'room-unknown') : call.pass()),
    },
  },
  {
    name: 'redirects-anywhere',
    does: 'A redirect may lead to any text, such as javascript:…',
    caughtBy: { 'a route to what is no http address is refused with 400': 'expected 400, got 204' },
    faults: {
      putRoute: async (call) => {
        const answer = await call.pass()
        return answer.status === 400 ? { status: 204 } : answer
      },
    },
  },
  {
    name: 'redirect-goes-with-room',
    does: 'deleteRoom removes the redirect although keepRoute is set.',
    caughtBy: { 'removing the copy that moved away keeps its route, deleting a room does not': 'redirected' },
    faults: { startJob: asking((job) => ({ ...job, ...(job.type === 'deleteRoom' ? { keepRoute: false } : {}) })) },
  },
  {
    name: 'redirect-stays',
    does: 'deleteRoom leaves the redirect.',
    caughtBy: { 'removing the copy that moved away keeps its route, deleting a room does not': 'redirected' },
    faults: { startJob: asking((job) => ({ ...job, ...(job.type === 'deleteRoom' ? { keepRoute: true } : {}) })) },
  },
  {
    name: 'redirect-outlives-creation',
    does: 'A room that is created anew is still redirected to where it was before.',
    caughtBy: { 'creating a room removes a route of its name': 'a visit' },
    faults: {
      createRoom: async (call) => {
        const visit = await also(call, 'GET', `/../../${call.name}`)
        const answer = await call.pass()
        const target = visit.headers?.location
        if (target !== undefined) await also(call, 'PUT', `/routes/${call.name}`, { targetUrl: new URL(target).origin })
        return answer
      },
    },
  },
  {
    name: 'redirects-end-early',
    varies: true,
    does: 'Only the first page of redirects is given.',
    caughtBy: { 'redirects are listed by name, page by page': 'the redirects that were made' },
    faults: { routes: answering((page) => ({ ...page, next: null })) },
  },
  {
    name: 'fence-half',
    does: 'Calls without a body are not compared with the fence.',
    caughtBy: { 'a fence is remembered also from a call about what is not there': 'a smaller fence' },
    faults: { cancelJob: without('roomkeeper-operation', 'roomkeeper-fence') },
  },
  {
    name: 'fences-not-raised',
    does: 'PUT fences answers, and remembers nothing.',
    losesData: true,
    caughtBy: { 'fences are raised by a call of their own, and never lowered by it': 'a smaller fence' },
    faults: { raiseFences: saying(204) },
  },
]

/** Calls without a token are made in a session of the region itself. */
async function signedIn(call: Call): Promise<Answer> {
  const answer = await call.pass()
  if (answer.status !== 401) return answer
  return (await asConsole(call)).pass()
}

function refusingWith(change: (problem: Record<string, unknown>) => object, headers: Record<string, string> = {}) {
  return async (call: Call): Promise<Answer> => {
    const answer = await call.pass()
    if (answer.status < 400) return answer
    return { ...answer, json: change(answer.json), headers: { ...answer.headers, ...headers } }
  }
}

async function foundOr(call: Call, other: Answer): Promise<Answer> {
  const answer = await call.pass()
  return answer.status === 404 ? other : answer
}
