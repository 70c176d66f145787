import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProblemError, type RefusalCode } from '@roomkeeper/contract'
import {
  bootNetwork,
  enterpriseDraft,
  miningDraft,
  type Network,
  roomDraft,
  uniqueRoomName,
  until,
} from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: [{}, { maxRooms: 5 }, {}] })
})
afterAll(() => network?.stop())
afterEach(async () => {
  await network.setRegionFaults([])
  await network.settle()
})

const regionOf = (index: number) => {
  const region = network.regions[index]
  if (region === undefined) throw new Error('no such region')
  return region
}

describe('creating a project room', () => {
  // shows: C-createRoom, states-create
  it.each([
    ['ARIS', roomDraft],
    ['MINING', miningDraft],
    ['ENTERPRISE', enterpriseDraft],
  ])('makes a room of %s that the region answers for', async (product, make) => {
    const draft = make()
    await network.admin.call('createRoom', { body: draft })
    await network.settle()
    const { body: room } = await network.admin.call('room', { query: { projectRoom: draft.tenantName } })
    expect(room).toMatchObject({ product, projectRoomState: 'DEFAULT', errorMessage: null, runningOperation: null })
    const onRegion = await regionOf(0).client.room(draft.tenantName)
    expect(onRegion).toMatchObject({ product, state: 'active', locked: false, databases: ['main'] })
    const licences = await regionOf(0).client.licences(draft.tenantName)
    for (const [key, count] of Object.entries(draft.licenses ?? {})) {
      expect(licences.find((each) => each.licenseKey === key)?.licenseAmount).toBe(count)
    }
  })

  // shows: C-draftDuplicate, duplicate-draft, duplicate-name
  it.each([
    ['ARIS', roomDraft],
    ['MINING', miningDraft],
    ['ENTERPRISE', enterpriseDraft],
  ])('like one of %s takes all but its name and its SAP number from it', async (product, make) => {
    const given = { companyName: `1. Größe ${product}`, expirationDate: '2099-12-31', salesman: 'Sally', priority: 7 }
    const original = make({ ...given, sapNumber: uniqueRoomName('sap') })
    await network.admin.call('createRoom', { body: original })
    const stem = `groesse${product.toLowerCase()}`
    for (const name of [stem, `${stem}2`]) {
      const draft = await duplicateDraftOf(original.tenantName)
      expect(draft).toMatchObject({ salesman: 'Sally', proposedName: name })
      expect(draft).not.toHaveProperty('tenantName')
      expect(draft).not.toHaveProperty('sapNumber')
      await send('create', { ...draft, tenantName: name, sapNumber: uniqueRoomName('sap') })
    }
    await network.settle()
    const [first, second] = await Promise.all([original.tenantName, stem].map(duplicateDraftOf))
    expect(second).toEqual(first)
    const { body: room } = await network.admin.call('room', { query: { projectRoom: stem } })
    expect(room).toMatchObject({ product, projectRoomState: 'DEFAULT' })
  })

  // shows: wire-idempotency
  it('with the same idempotency key again answers with the first operation and makes one room', async () => {
    const body = roomDraft()
    const headers = { 'idempotency-key': body.tenantName }
    const answers = await Promise.all([1, 2, 3].map(() => network.admin.call('createRoom', { body, headers })))
    expect(new Set(answers.map((each) => each.body.operationId)).size).toBe(1)
    const other = network.admin.call('createRoom', { body: { ...body, companyName: 'Other' }, headers })
    await expect(other).rejects.toSatisfy(isRefusal('idempotency-mismatch'))
    await network.settle()
  })

  it('of a name that is taken is refused, and the capacity of the region is not used up', async () => {
    const body = roomDraft()
    await network.admin.call('createRoom', { body })
    const before = await roomsOf(1)
    expect(before).toBeGreaterThan(0)
    await expect(network.admin.call('createRoom', { body })).rejects.toSatisfy(isRefusal('name-taken'))
    expect(await roomsOf(1)).toBe(before)
    await network.settle()
  })

  // shows: C-createRoom, move-capacity
  it('thirty times at once on a region with a capacity of five makes five rooms and twenty-five clear refusals', async () => {
    const drafts = Array.from({ length: 30 }, () => roomDraft({ region: 2, tenantName: uniqueRoomName('full') }))
    const answers = await Promise.allSettled(drafts.map((body) => network.admin.call('createRoom', { body })))
    const refused = answers.filter((each) => each.status === 'rejected')
    expect(answers.length - refused.length).toBe(5)
    for (const each of refused) expect(each.reason).toSatisfy(isRefusal('region-full'))
    expect(refused[0]?.reason.message).toBe(
      'Exceeded maximum number of project room on region region-2. Use another region or increase limit.',
    )
    await network.settle()
    expect(await roomsOf(2)).toBe(5)
    expect((await regionOf(1).client.status()).rooms).toBe(5)
  })

  // shows: operations-slots
  it('runs as many operations on a region at once as it has slots, the others wait in the queue, and all end well', async () => {
    // The region refuses for a while. Operations with a slot keep trying, and so keep the slot.
    const away = { method: 'PUT', path: '/region/v1/rooms/', action: 'status', status: 503, times: 1000 }
    await network.setRegionFaults([away])
    const drafts = Array.from({ length: 8 }, () => roomDraft({ tenantName: uniqueRoomName('busy') }))
    for (const body of drafts) await network.admin.call('createRoom', { body })
    const names = drafts.map((draft) => draft.tenantName)
    await until('as many as have a place run', async () => (await inState(names, 'running')).length >= 4)
    // Slots are assigned in the order of the queue, so this operation came last and could not run before the others.
    const elsewhere = roomDraft({ region: 3 })
    await network.admin.call('createRoom', { body: elsewhere })
    await until(
      'a room of another region is made',
      async () => (await inState([elsewhere.tenantName], 'done')).length === 1,
    )
    expect(await inState(names, 'running')).toEqual(names.slice(0, 4))
    expect(await inState(names, 'waiting')).toEqual(names.slice(4))
    await network.setRegionFaults([])
    await network.settle()
    expect(await inState(names, 'done')).toEqual(names)
  })

  it('fails clearly when the region has a foreign room of that name, which stays as it is', async () => {
    const body = roomDraft()
    const foreign = '00000000-0000-4000-8000-000000000001'
    await regionOf(0).client.createRoom(body.tenantName, {
      roomId: foreign,
      product: 'ARIS',
      edition: 'basic',
      licences: [],
      subLicences: [],
      subMiningType: 'NONE',
      expirationDate: null,
      contacts: {
        companyName: 'x',
        customerFirstName: 'x',
        customerLastName: 'x',
        customerContactDetails: null,
        ownerEmail: 'x@x',
        delegateEmail: null,
      },
    })
    await network.admin.call('createRoom', { body })
    await network.settle()
    const { body: room } = await network.admin.call('room', { query: { projectRoom: body.tenantName } })
    expect(room.projectRoomState).toBe('ERROR')
    expect(room.errorMessage).toContain('does not belong to this console')
    await network.admin.call('deleteRoom', { body: { roomName: body.tenantName } })
    await network.settle()
    expect((await regionOf(0).client.room(body.tenantName))?.roomId).toBe(foreign)
  })

  // shows: mail-outbox
  it('writes one mail to the owner and one to the delegate', async () => {
    const body = roomDraft({ licenses: { YABD: 2 }, additionalEmail: 'delegate@example.com' })
    await network.admin.call('createRoom', { body })
    await network.mailsTried()
    const outbox = join(network.dir, 'server/outbox')
    const mails = await Promise.all((await readdir(outbox)).map((name) => readFile(join(outbox, name), 'utf8')))
    const ours = mails.filter((mail) => mail.includes(`Subject: Your project room ${body.tenantName} is ready`))
    expect(ours.map((mail) => /^To: (.*)$/m.exec(mail)?.[1]).sort()).toEqual([
      'delegate@example.com',
      'owner@example.com',
    ])
  })
})

function duplicateDraftOf(name: string): Promise<object> {
  return send('room/duplicate/draft', { projectRoom: name })
}

/** Sends a body as it is, with what the contract would leave out. */
async function send(path: string, body: object): Promise<object> {
  const answer = await fetch(`${network.server.address}/api/operator/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.ok, await answer.clone().text()).toBe(true)
  return (await answer.json()) as object
}

function isRefusal(code: RefusalCode) {
  return (error: unknown) => error instanceof ProblemError && error.code === code
}

/** Which of these rooms' operations are in this state, in the order of the requests. */
async function inState(names: readonly string[], state: string): Promise<string[]> {
  const rows = await network.database.rows<{ name: string }>(
    'select room_name as name from operations where room_name = any($1) and state = $2 order by created_at',
    [names, state],
  )
  return rows.map(({ name }) => name)
}

async function roomsOf(regionId: number): Promise<number> {
  const [row] = await network.database.rows<{ count: number }>(
    'select room_count as count from regions where id = $1',
    [regionId],
  )
  return row?.count ?? -1
}
