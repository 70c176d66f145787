/** Instance ids: one server that is registered twice, and a different server at a region's address. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { bootNetwork, type Network, type RunningRegion, startRegion } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertAlias, underAnotherName, withoutInstanceId } from './alias-of-region.ts'
import { isRefusal } from './migrations/call-support.ts'

let network: Network
const more: RunningRegion[] = []
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
})
afterAll(async () => {
  await network?.stop()
  for (const each of more) await each.stop('SIGKILL')
})

const instanceIds = () =>
  network.database.rows<{ id: number; instance_id: string | null }>('select id, instance_id from regions order by id')
const instanceOf = async ({ client }: RunningRegion) => (await client.status()).instanceId
const first = () => network.regions[0] as RunningRegion
const second = () => network.regions[1] as RunningRegion

async function start(dataDir: string, port?: number): Promise<RunningRegion> {
  const region = await startRegion({ name: 'other', dataDir, ...(port === undefined ? {} : { port }) })
  more.push(region)
  return region
}

const loginOf = ({ userName, password, systemPassword: passwordSystem }: RunningRegion) => ({
  userName,
  password,
  passwordSystem,
})
const draftOf = (region: RunningRegion, regionIPorURL: string) => ({
  regionName: 'once more',
  regionIPorURL,
  ...loginOf(region),
})

async function change(id: number, changes: object) {
  const { body } = await network.admin.call('regions', {})
  const stored = body.find((each) => each.regionId === id)
  if (stored === undefined) throw new Error(`There is no region ${id}.`)
  const { regionIP: regionIPorURL, ...rest } = stored
  return (await network.admin.call('changeRegion', { body: { ...rest, regionIPorURL, id, ...changes } })).body
}

const warnings = async () => (await network.admin.call('regions', {})).body.map(({ warning }) => warning)
const licencesOf = (projectRoom: string) => network.admin.call('roomLicences', { query: { projectRoom } })

describe('a server that is registered already', () => {
  // shows: regions-known-instance
  it('is refused under another address, when it is added, tested or an address is changed, and the region is named', async () => {
    const url = underAnotherName(first())
    // The same refusal if the instance id was not known before.
    await network.database.rows('update regions set instance_id = null')
    const refused = { problem: { status: 409, detail: 'This server is already registered as region region-1.' } }
    const body = draftOf(first(), url)
    await expect(network.admin.call('createRegion', { body })).rejects.toMatchObject(refused)
    await expect(network.admin.call('testRegion', { body })).rejects.toMatchObject(refused)
    const moved = { regionIPorURL: url, ...loginOf(first()) }
    await expect(change(2, moved)).rejects.toMatchObject(refused)
    await expect(network.admin.call('testRegion', { body: { id: 2, ...moved } })).rejects.toMatchObject(refused)
    expect(await instanceIds()).toEqual([
      { id: 1, instance_id: await instanceOf(first()) },
      { id: 2, instance_id: await instanceOf(second()) },
    ])
    expect(await change(1, moved)).toMatchObject({ regionIP: url, warning: null })
    await change(1, { regionIPorURL: first().url, ...loginOf(first()) })
  })

  it('of an installation from before goes on, with a warning', async () => {
    const room = await network.newRoom()
    const alias = await insertAlias(network, underAnotherName(first()))
    await network.database.rows('update rooms set region_id = $1 where name = $2', [alias, room])
    await licencesOf(room)
    expect((await change(alias, { maxNumOfTenants: 7 })).warning).toBe('registered-twice')
    expect(await warnings()).toEqual(['registered-twice', null, 'registered-twice'])
    await network.admin.call('deleteRegion', { body: { id: alias } })
  })
})

it('a region that does not know about ids is served as before', async () => {
  const older = await withoutInstanceId(second())
  const room = await network.newRoom({ region: 2 })
  await network.database.rows('update regions set url = $1, instance_id = null where id = 2', [older.url])
  await licencesOf(room)
  const { body } = await network.admin.call('testRegion', { body: { id: 2 } })
  expect(body).toMatchObject({ ok: true, isOtherServer: false })
  expect((await instanceIds())[1]?.instance_id).toBeNull()
  older.stop()
  await network.database.rows('update regions set url = $1 where id = 2', [second().url])
})

describe('another server where a region was', () => {
  let room: string
  let other: RunningRegion
  beforeAll(async () => {
    room = await network.newRoom({ region: 2 })
    await licencesOf(room)
    await second().stop('SIGKILL')
    other = await start(join(network.dir, 'other'), second().port)
  })

  it('is told nothing, and the alarm stays until somebody has looked, whatever else is saved', async () => {
    await expect(licencesOf(room)).rejects.toSatisfy(isRefusal('other-server'))
    expect(await warnings()).toEqual([null, 'other-server'])
    const { body } = await network.admin.call('testRegion', { body: { id: 2 } })
    expect(body.isOtherServer).toBe(true)
    expect((await change(2, { maxNumOfTenants: 9 })).warning).toBe('other-server')
    await expect(licencesOf(room)).rejects.toSatisfy(isRefusal('other-server'))
    const probe = await (await fetch(`${network.server.address}/metrics`)).text()
    expect(probe).toMatch(/region-2.*\} 0\n/)
  })

  it('is the region once that was confirmed, which is audited', async () => {
    expect((await change(2, { confirmOtherServer: true })).warning).toBeNull()
    // The console calls the other server, which does not have the room.
    await expect(licencesOf(room)).rejects.toSatisfy(isRefusal('region-refused'))
    const [entry] = await network.database.rows<{ changes: unknown }>(
      `select changes from audit where action = 'region.edit' order by id desc limit 1`,
    )
    expect(entry?.changes).toContainEqual({
      field: 'instanceId',
      from: expect.stringMatching(/^[0-9a-f-]{36}$/),
      to: await instanceOf(other),
    })
  })

  it('goes away when the region is back; one whose data came from a backup, on another machine, is the region', async () => {
    await change(2, { confirmOtherServer: true })
    await other.stop('SIGKILL')
    await network.restartRegion(1)
    await expect(licencesOf(room)).rejects.toSatisfy(isRefusal('other-server'))
    await second().stop('SIGKILL')
    const copy = join(network.dir, 'from-backup')
    await cp(second().dataDir, copy, { recursive: true })
    const restored = await start(copy)
    expect(await change(2, { regionIPorURL: restored.url, ...loginOf(restored) })).toMatchObject({ warning: null })
    await licencesOf(room)
    await restored.stop('SIGKILL')
    await start(join(network.dir, 'stranger'), restored.port)
    await expect(licencesOf(room)).rejects.toSatisfy(isRefusal('other-server'))
    await more.at(-1)?.stop('SIGKILL')
    await start(copy, restored.port)
    await licencesOf(room)
    expect(await warnings()).toEqual([null, null])
  })
})
