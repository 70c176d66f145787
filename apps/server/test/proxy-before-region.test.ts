/**
 * A proxy in front of a region that answers in its place, as an ingress does while its backend restarts. Such answers
 * say nothing about what the region has or has done.
 */
import { bootNetwork, type Network, type RunningRegion, until } from '@roomkeeper/dev-env'
import { createRegionClient } from '@roomkeeper/region-protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { digestOf, writeDocuments } from './life/room-life.ts'
import { type Answerer, deliver, interceptCalls, type PassingCall } from './migrations/intercept-calls.ts'

let network: Network
let end: () => void
/** Intercepts each call on its way to the region. */
let seen: (call: PassingCall) => unknown
beforeAll(async () => {
  network = await bootNetwork()
  end = await interceptCalls(network, 0, (call) => seen(call))
})
beforeEach(() => {
  seen = () => undefined
})
afterAll(async () => {
  await network?.stop()
  end?.()
})

const notFound: Answerer = { status: 404, text: '404 page not found' }
const welcome: Answerer = { status: 200, text: '<h1>Welcome</h1>' }

const region = () => network.regions[0] as RunningRegion

/** A suspended room whose content differs from the backup that was uploaded for it. */
async function roomToRestore() {
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: { from: 'the backup' } })
  await suspend(room)
  const inBackup = await digestOf(network, room)
  await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
  await network.settle()
  const [entry] = (await network.admin.call('roomBackups', { query: { projectRoom: room } })).body
  const answer = await network.admin.open('roomBackupContent', { params: { id: entry?.id ?? '' } })
  const content = new Uint8Array(await answer.arrayBuffer())
  await network.admin.call('resumeRoom', { body: { roomName: room, userNotification: false } })
  await writeDocuments(network, room, { one: { from: 'a user' } })
  await suspend(room)
  const { tmpFileName } = await network.upload('uploadBackup', { name: 'room.zip', content })
  const restore = async () => {
    const body = { projectRoom: { tenantName: room }, tmpFileName }
    return (await network.admin.call('restoreRoom', { body })).body.operationId
  }
  return { room, inBackup, before: await digestOf(network, room), restore }
}

async function suspend(roomName: string): Promise<void> {
  await network.admin.call('suspendRoom', { body: { roomName, userNotification: false } })
}

/** As soon as the region has a job of this name, the proxy answers all calls about jobs. */
function cutOffFrom(job: string): { end(): void } {
  let state: 'before' | 'during' | 'after' = 'before'
  seen = async (call) => {
    if (state === 'before' && call.method === 'PUT' && call.path.includes(`-${job}-`)) {
      state = 'during'
      await deliver(network, 0, call)
    }
    return state === 'during' && call.path.startsWith('/region/v1/jobs/') ? notFound : undefined
  }
  return {
    end() {
      state = 'after'
    },
  }
}

const isTriedAgain = (operationId: string, step: string) =>
  until(`"${step}" is tried again`, async () => {
    const lines = await network.database.rows(
      `select from operation_log where operation_id = $1 and text like $2 || ': %Trying again%'`,
      [operationId, step],
    )
    return lines.length > 0
  })

async function stateOf(operationId: string): Promise<string | undefined> {
  const sql = 'select state from operations where id = $1'
  return (await network.database.rows<{ state: string }>(sql, [operationId]))[0]?.state
}

describe('a proxy that says for a while that there is no such page', () => {
  const step = 'restore the room on the region'

  it('is waited for: the restore that runs behind it is found, and done', async () => {
    const { room, inBackup, restore } = await roomToRestore()
    const cutOff = cutOffFrom('replace')
    const operationId = await restore()
    await isTriedAgain(operationId, step)
    cutOff.end()
    await network.settle()
    expect(await stateOf(operationId)).toBe('done')
    expect(await digestOf(network, room)).toBe(inBackup)
  })

  it('hides no job from a cancel: what it brought is put back', async () => {
    const { room, inBackup, before, restore } = await roomToRestore()
    const cutOff = cutOffFrom('replace')
    const operationId = await restore()
    await isTriedAgain(operationId, step)
    await until('the region has restored the room', async () => (await digestOf(network, room)) === inBackup)
    await network.admin.call('cancelOperation', { params: { id: operationId } })
    await isTriedAgain(operationId, `undo: ${step}`)
    cutOff.end()
    await network.settle()
    expect(await stateOf(operationId)).toBe('cancelled')
    expect(await digestOf(network, room)).toBe(before)
  })
})

it('a page of a proxy does not count as done: what was to be removed is removed once the region answers', async () => {
  const { client } = region()
  const elsewhere = 'https://elsewhere.example'
  await client.putRoute('moved', elsewhere)
  const { url } = (await network.database.rows<{ url: string }>('select url from regions where id = 1'))[0] ?? {}
  const { userName, password } = region()
  const through = createRegionClient({ url: url ?? '', userName, password })
  seen = ({ path }) => (path.includes('/routes/') ? welcome : undefined)
  for (const call of [() => through.deleteRoute('moved'), () => through.putRoute('other', elsewhere)])
    await expect(call()).rejects.toMatchObject({
      name: 'RegionUnreachable',
      isTransient: true,
      message: expect.stringMatching(/routes\/\{name\} with 200, where 204 without a body is expected/),
    })
  seen = () => undefined
  expect((await client.routes())?.routes).toEqual([{ name: 'moved', targetUrl: elsewhere }])
  await through.deleteRoute('moved')
  expect((await client.routes())?.routes).toEqual([])
})
