/** The doctor gives up on a region that breaks the protocol, and checks everything else as usual. */
import { randomUUID } from 'node:crypto'
import { bootNetwork, type Network, uniqueRoomName } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { creation } from './creation.ts'
import { type HostileRegion, listed, Refused, registerHostileRegion } from './hostile-region.ts'
import {
  deleteBehindTheConsole,
  findingsAbout,
  kindsOf,
  makeBehindTheConsole,
  previewOf,
  regionAt,
  repair,
  roomIdOf,
  runDoctor,
} from './run-doctor.ts'

let network: Network
let hostile: HostileRegion
beforeAll(async () => {
  network = await bootNetwork({ regions: 1 })
  // Makes a finding about the well-behaved region, which must be found whatever the other region does.
  const gone = await network.newRoom()
  await deleteBehindTheConsole(regionAt(network, 0), gone, await roomIdOf(network, gone))
})
afterAll(() => network?.stop())
beforeEach(async () => {
  hostile = await registerHostileRegion(network)
})
afterEach(() => hostile.stop())

/** An empty page that points to another page. */
function behind(url: URL) {
  const after = Number.parseInt((url.searchParams.get('after') || 'r0').slice(1), 36)
  return { rooms: [], next: `r${(after + 1).toString(36).padStart(20, '0')}` }
}

const nothing = () => ({ rooms: [], routes: [], next: null })

describe('a region that', () => {
  const room = () => listed('aaa', randomUUID())
  it.each<[string, Record<string, (url: URL) => unknown>]>([
    ['tells an id that is none', { rooms: () => ({ rooms: [{ ...room(), roomId: 'x' }], next: null }) }],
    ['tells a name with U+0000', { rooms: () => ({ rooms: [{ ...room(), name: 'aaa\0' }], next: null }) }],
    ['lists an empty page for ever', { rooms: () => ({ rooms: [], next: 'aaa' }) }],
    ['lists empty pages without an end', { rooms: behind }],
    ['lists the same page for ever', { rooms: () => ({ rooms: [room()], next: 'aaa' }) }],
    ['refuses with U+0000 and half a surrogate', { rooms: () => new Refused(500, 'no\0\ud800'.repeat(2000)) }],
    ['redirects a name that is none', { routes: () => ({ routes: [{ name: '\0', targetUrl: '' }], next: null }) }],
    ['lists an empty page of redirections for ever', { routes: () => ({ routes: [], next: 'aaa' }) }],
  ])('%s is given up, and the run ends', async (_, answers) => {
    Object.assign(hostile.answers, { rooms: nothing, routes: nothing, ...answers })
    expect(kindsOf(await runDoctor(network))).toEqual(['region-unreachable', 'room-missing'])
  })

  it('lists the room of another one, and does not answer for it, hides nothing about the room', async () => {
    const name = await network.newRoom()
    const id = await roomIdOf(network, name)
    await deleteBehindTheConsole(regionAt(network, 0), name, id)
    Object.assign(hostile.answers, { rooms: () => ({ rooms: [listed(name, id)], next: null }), routes: nothing })
    hostile.answers[`rooms/${name}`] = () => new Refused(502, 'no')
    expect(kindsOf(await findingsAbout(network, name))).toEqual(['room-missing'])
  })

  it.each(['rooms', 'routes'] as const)('lists %s without an end is left after 1000 findings', async (what) => {
    const id = randomUUID()
    const page = (url: URL) => {
      const after = Number.parseInt((url.searchParams.get('after') || 'r0').slice(1), 36)
      const names = Array.from({ length: 200 }, (_, n) => `r${(after + n + 1).toString(36).padStart(20, '0')}`)
      return { rooms: names.map((name) => listed(name, id)), routes: names.map(routeTo), next: names.at(-1) }
    }
    const routeTo = (name: string) => ({ name, targetUrl: 'https://elsewhere.example' })
    Object.assign(hostile.answers, { rooms: nothing, routes: nothing, [what]: page })
    hostile.otherwise = (path) => (path.startsWith('rooms/') ? listed(path.slice('rooms/'.length), id) : null)
    const found = await runDoctor(network)
    const told = await network.database.rows(
      `select facts ->> 'reason' as reason from doctor_findings where kind = 'region-unreachable' and closed_at is null`,
    )
    expect(told).toEqual([{ reason: 'Its check ended after 1000 findings.' }])
    expect(kindsOf(found)).toContain('room-missing')
  })
})

describe('a repair for which a region does not answer', () => {
  it('says which one, and why', async () => {
    const [name, id] = [uniqueRoomName(), randomUUID()]
    Object.assign(hostile.answers, { rooms: () => ({ rooms: [listed(name, id)], next: null }), routes: nothing })
    hostile.answers[`rooms/${name}`] = () => listed(name, id)
    const [finding] = await findingsAbout(network, name)
    if (finding === undefined) throw new Error('It is not found.')
    hostile.answers.status = () => new Refused(500, 'no')
    expect((await previewOf(network, finding, 'adopt')).reason).toBe('hostile: no')
    expect(await repair(network, finding, 'adopt')).toEqual({
      state: 'failed',
      error: expect.stringMatching('hostile: no'),
    })
  })
})

describe('a room is not adopted', () => {
  const named = (names: readonly string[], id: string, more: object = {}) => {
    const rooms = names.map((name) => ({ ...listed(name, id), settings, ...more }))
    Object.assign(hostile.answers, { rooms: () => ({ rooms, next: null }), routes: nothing })
    for (const room of rooms) hostile.answers[`rooms/${room.name}`] = () => room
  }
  const unknown = async (name: string) => {
    const [finding] = (await findingsAbout(network, name)).filter(({ kind }) => kind === 'room-unknown')
    if (finding === undefined) throw new Error('It is not found.')
    return finding
  }
  const { roomId: _, product: __, edition: ___, ...settings } = creation(randomUUID())

  it.each<[string, object]>([
    [
      'with more licences than any has',
      { licences: [{ licenseKey: 'YABD', licenseAmount: 3e12, licenseType: 'NUC' }] },
    ],
    ['with U+0000 in a contact', { contacts: { ...settings.contacts, companyName: 'a\0' } }],
    [
      'with half a surrogate in a licence',
      { licences: [{ licenseKey: '\ud800', licenseAmount: 1, licenseType: 'NUC' }] },
    ],
  ])('%s', async (_, given) => {
    const name = uniqueRoomName()
    named([name], randomUUID(), { settings: { ...settings, ...given } })
    const finding = await unknown(name)
    const reason = 'Its region tells licences or contacts that no project room can have.'
    expect((await previewOf(network, finding, 'adopt')).reason).toMatch(reason)
    expect(await repair(network, finding, 'adopt')).toEqual({ state: 'failed', error: expect.stringMatching(reason) })
    expect(await network.database.rows('select from rooms where name = $1', [name])).toEqual([])
  })

  it('when its region answers with another name', async () => {
    const [name, other, id] = [uniqueRoomName(), uniqueRoomName(), randomUUID()]
    named([name], id)
    const finding = await unknown(name)
    hostile.answers[`rooms/${name}`] = () => ({ ...listed(other, id), settings })
    expect(await repair(network, finding, 'adopt')).toMatchObject({ state: 'failed' })
    expect(await network.database.rows('select from rooms where name = any($1)', [[name, other]])).toEqual([])
  })

  it('when several regions have it', async () => {
    const [name, id] = [uniqueRoomName(), randomUUID()]
    named([name], id)
    await makeBehindTheConsole(regionAt(network, 0), name, id)
    const found = await findingsAbout(network, name)
    expect(found.map(({ kind, repairs }) => ({ kind, repairs }))).toEqual(
      ['', ''].map(() => ({ kind: 'room-unknown', repairs: [] })),
    )
    await deleteBehindTheConsole(regionAt(network, 0), name, id)
  })

  it('from another region while a third one has it too, or cannot be asked', async () => {
    const name = await network.newRoom()
    const id = await roomIdOf(network, name)
    await deleteBehindTheConsole(regionAt(network, 0), name, id)
    named([name], id)
    const third = await registerHostileRegion(network, 'third')
    Object.assign(third.answers, hostile.answers)
    const elsewhere = async () => (await findingsAbout(network, name)).map(({ facts, repairs }) => ({ facts, repairs }))
    expect(await elsewhere()).toMatchObject([{ facts: { other: 'hostile, third' }, repairs: ['mark-missing'] }])
    third.answers.status = () => new Refused(500, 'no')
    expect(await elsewhere()).toMatchObject([
      { facts: { other: 'hostile', unasked: 'third' }, repairs: ['mark-missing'] },
    ])
    await third.stop()
    expect(await elsewhere()).toMatchObject([{ facts: { other: 'hostile' }, repairs: ['adopt', 'mark-missing'] }])
  })
})
