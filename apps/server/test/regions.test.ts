/** Changing, testing, disabling and removing regions. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { ProblemError, type RegionChange } from '@roomkeeper/contract'
import { bootNetwork, type Network, roomDraft, startRegion } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertAlias } from './alias-of-region.ts'
import { callWhileUncommitted } from './calls-at-once.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
})
afterAll(() => network?.stop())

const stored = async (id: number) => {
  const { body } = await network.admin.call('regions', {})
  const found = body.find((each) => each.regionId === id)
  if (found === undefined) throw new Error(`There is no region ${id}.`)
  return found
}

/** A region as it is stored, to be sent back with changes. */
async function asStored(id: number): Promise<RegionChange> {
  const { regionId, regionIP, numberOfProjectRooms: _, isMigrationTarget: __, ...rest } = await stored(id)
  const unconfirmed = { password: '', passwordSystem: '', confirmOtherServer: false }
  return { ...rest, id: regionId, regionIPorURL: regionIP, ...unconfirmed }
}

async function change(id: number, changes: Partial<RegionChange>) {
  return (await network.admin.call('changeRegion', { body: { ...(await asStored(id)), ...changes } })).body
}

/** Adds a region of this name without a server. */
async function addRegion(regionName: string, more: object = {}): Promise<number> {
  const login = { password: 'secret', passwordSystem: 'secret' }
  const body = { regionName, regionIPorURL: 'https://region.invalid', ...login, ...more }
  return (await network.admin.call('createRegion', { body })).body.regionId
}

async function refusalOf(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ProblemError)) throw new Error('It was not refused.', { cause: error })
  return error.problem
}

const login = () => {
  const { userName, password, systemPassword: passwordSystem } = network.regions[0] as Network['regions'][number]
  return { userName, password, passwordSystem }
}

describe('changing a region', () => {
  // shows: C-changeRegion, C-regions, region-passwords
  it('keeps the passwords that are not sent, and its own name', async () => {
    const before = await stored(1)
    const version = Number(before.version) + 1
    expect(await change(1, { maxNumOfTenants: 500 })).toEqual({ ...before, maxNumOfTenants: 500, version })
    expect(await network.newRoom()).toMatch(/^room/)
    await change(1, { maxNumOfTenants: -1 })
  })

  // shows: C-changeRegion, regions-other-host
  it('asks for both passwords when the URL or the user name changes', async () => {
    for (const changes of [{ regionIPorURL: 'https://elsewhere.invalid' }, { userName: 'other' }]) {
      const { status, errors } = await refusalOf(change(1, changes))
      expect({ status, fields: errors?.map(({ field }) => field) }).toEqual({
        status: 400,
        fields: ['password', 'passwordSystem'],
      })
    }
    const { errors } = await refusalOf(change(1, { userName: 'other', password: 'sent' }))
    expect(errors?.map(({ field }) => field)).toEqual(['passwordSystem'])
  })

  // shows: C-changeRegion
  it('changes only what is sent, and refuses a change that is based on other settings than the stored ones', async () => {
    const before = await stored(2)
    const { id, version } = { id: 2, version: before.version }
    const send = (body: object) => network.admin.call('changeRegion', { body: { id, ...body } as RegionChange })
    const { body: limited } = await send({ version, maxNumOfTenants: 77 })
    expect(limited).toEqual({ ...before, maxNumOfTenants: 77, version: Number(version) + 1 })
    const { status, type } = await refusalOf(send({ version, state: 'disabled' }))
    expect({ status, type }).toEqual({ status: 409, type: 'urn:roomkeeper:region-stale' })
    expect(await stored(2)).toEqual(limited)
    // Other clients need not send a version; a change that changes nothing is no new version.
    expect((await send({ maxNumOfTenants: 77 })).body).toEqual(limited)
    await send({ maxNumOfTenants: before.maxNumOfTenants })
    // Rooms that come and go are no change of the settings.
    await network.newRoom({ region: 2 })
    expect((await stored(2)).version).toBe(Number(version) + 2)
  })

  it('asks the server at the address that it stores, also when a colleague stores another one meanwhile', async () => {
    const [url, there] = [network.regions[1]?.url ?? '', (await network.regions[1]?.client.status())?.instanceId]
    const other = await startRegion({ name: 'other', dataDir: `${network.dir}/overtaking` })
    await callWhileUncommitted(
      network.database,
      () => change(2, { regionIPorURL: other.url, ...login() }),
      () => network.admin.call('changeRegion', { body: { id: 2, regionIPorURL: url, ...login() } }),
    )
    const rows = await network.database.rows('select url, instance_id from regions where id = 2')
    expect(rows).toEqual([{ url, instance_id: there }])
    await other.stop('SIGKILL')
  })

  // shows: region-name
  it('refuses the name of another region, however it is written', async () => {
    const { status, detail } = await refusalOf(change(1, { regionName: 'REGION-2' }))
    expect(status).toBe(409)
    expect(detail).toBe('Could not save region. Region name is already in use. Please use a another one.')
  })

  it('refuses regions to distribute to that do not exist, and an unknown region', async () => {
    const { status, errors } = await refusalOf(change(1, { selectedSourceRegion: [2, 999] }))
    expect(status).toBe(400)
    const message = 'There is no region with the id 999.'
    expect(errors).toEqual([
      { field: 'selectedSourceRegion', message, code: 'regions-unknown', params: { ids: '999' } },
    ])
    const body = { ...(await asStored(1)), id: 999 }
    expect((await refusalOf(network.admin.call('changeRegion', { body }))).status).toBe(404)
    const draft = { regionName: 'bad', regionIPorURL: 'https://x.invalid', ...login(), selectedSourceRegion: [999] }
    expect((await refusalOf(network.admin.call('createRegion', { body: draft }))).status).toBe(400)
  })

  // shows: move-maximum-below
  it('can set the maximum below what is there: that only stops additions', async () => {
    await network.newRoom()
    expect((await change(1, { maxNumOfTenants: 0 })).maxNumOfTenants).toBe(0)
    expect((await refusalOf(network.admin.call('createRoom', { body: roomDraft() }))).type).toContain('region-full')
    await change(1, { maxNumOfTenants: -1 })
  })

  it('takes effect on the next call: a new password, and a new address', async () => {
    const room = await network.newRoom()
    await change(1, { password: 'wrong from now on' })
    const used = () => network.admin.call('roomLicences', { query: { projectRoom: room } })
    expect((await refusalOf(used())).status).toBe(502)
    await change(1, login())
    await used()
    await change(1, { regionIPorURL: 'http://127.0.0.1:1', ...login() })
    expect((await refusalOf(used())).status).toBe(503)
    await change(1, { regionIPorURL: network.regions[0]?.url ?? '', ...login() })
    await used()
  })

  // shows: regions-no-password
  it('is in the audit trail with what changed, and never with a password', async () => {
    const password = 'a very secret password'
    await change(2, { regionName: 'region-zwei', selectedSourceRegion: [1], password })
    await change(2, { regionName: 'region-2', selectedSourceRegion: [], password: login().password })
    const entries = await network.database.rows<{ detail: string; changes: { field: string }[] }>(
      `select detail, changes from audit where action = 'region.edit' order by id desc limit 2`,
    )
    expect(entries[1]?.detail).toBe('region-2')
    expect(entries[1]?.changes).toEqual([
      { field: 'regionName', from: 'region-2', to: 'region-zwei' },
      { field: 'selectedSourceRegion', from: [], to: [1] },
      { field: 'password', from: '[secret]', to: '[secret]' },
    ])
    expect(JSON.stringify(await network.database.rows('select * from audit'))).not.toContain(password)
    expect(JSON.stringify(await network.database.rows('select * from regions'))).not.toContain(password)
  })
})

describe('a disabled region', () => {
  // shows: C-sourceRegions, regions-disabled-rooms
  it('shows its rooms as DISABLED_REGION and lets nobody edit or delete them, until it is enabled', async () => {
    const room = await network.newRoom({ region: 2 })
    const query = { projectRoom: room }
    const { body: before } = await network.admin.call('room', { query })
    expect((await change(2, { state: 'disabled' })).state).toBe('disabled')
    expect((await network.admin.call('room', { query })).body.projectRoomState).toBe('DISABLED_REGION')
    expect((await refusalOf(network.admin.call('editRoom', { body: { ...before, sapNumberLast: 'x1' } }))).status).toBe(
      409,
    )
    expect((await refusalOf(network.admin.call('deleteRoom', { body: { roomName: room } }))).status).toBe(409)
    expect((await refusalOf(network.admin.call('createRoom', { body: roomDraft({ region: 2 }) }))).status).toBe(409)
    const sources = (await network.admin.call('sourceRegions', {})).body.map(({ regionId }) => regionId)
    expect(sources).toContain(1)
    expect(sources).not.toContain(2)
    await change(2, { state: 'enabled' })
    expect((await network.admin.call('room', { query })).body.projectRoomState).toBe('DEFAULT')
  })
})

describe('removing a region', () => {
  const remove = (id: number) => network.admin.call('deleteRegion', { body: { id } })

  // shows: C-deleteRegion, regions-removed
  it('takes its rooms out of this system, and nothing else', async () => {
    const room = await network.newSuspendedRoom({ region: 2 })
    await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
    await network.settle()
    const region = network.regions[1] as Network['regions'][number]
    const id = await insertAlias(network, region.url, 'twin')
    await network.database.rows('update rooms set region_id = $1 where name = $2', [id, room])
    await change(1, { selectedSourceRegion: [id, 2] })

    expect((await remove(id)).status).toBe(204)

    expect((await refusalOf(network.admin.call('room', { query: { projectRoom: room } }))).status).toBe(404)
    expect(await region.client.room(room)).toMatchObject({ name: room, state: 'suspended' })
    expect((await stored(1)).selectedSourceRegion).toEqual([2])
    const [kept] = await network.database.rows<{ left: number }>(
      'select count(*)::int as left from operations where room_name = $1',
      [room],
    )
    expect(kept).toEqual({ left: 3 })
    const audit = await network.database.rows<{ action: string }>(
      `select action from audit where room_name = $1 or detail = 'twin' order by id`,
      [room],
    )
    expect(audit.map(({ action }) => action)).toEqual([
      'room.create',
      'room.suspend',
      'room.backup',
      'room.remove-with-region',
      'region.delete',
    ])
    await change(1, { selectedSourceRegion: [] })
  })

  // shows: C-removedRoomBackups
  it('leaves the backups of its rooms, which are listed, downloaded, and removed by hand', async () => {
    const id = await insertAlias(network, network.regions[0]?.url ?? '', 'leaving')
    const room = await network.newRoom()
    const body = { projectRoomName: room, databaseName: 'main' }
    await network.admin.call('backupDatabase', { body })
    await network.settle()
    await network.admin.call('suspendRoom', { body: { roomName: room, userNotification: false } })
    await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
    await network.settle()
    await network.database.rows('update rooms set region_id = $1 where name = $2', [id, room])
    await remove(id)
    const listed = async () => {
      const { data } = (await network.admin.call('removedRoomBackups', { query: { size: 100 } })).body
      return data.filter((each) => each.projectRoomName === room)
    }
    const backups = await listed()
    expect(backups).toMatchObject([
      { kind: 'classic', databaseName: null, regionName: 'leaving' },
      { kind: 'database', databaseName: 'main', regionName: 'leaving' },
    ])
    const never = await network.database.rows<{ expires: boolean }>(
      `select expires_at is not null as expires from room_backups where room_name = $1
       union all select expires_at is not null from database_backups where id = $2`,
      [room, backups[1]?.id],
    )
    expect(never).toEqual([{ expires: false }, { expires: false }])
    const [whole, database] = backups.map((each) => ({ id: each.id }))
    if (whole === undefined || database === undefined) throw new Error('A backup is missing.')
    const answer = await network.admin.open('roomBackupContent', { params: whole })
    expect((await answer.arrayBuffer()).byteLength).toBe(backups[0]?.size)
    const refused = network.admin.call('createBackupTicket', { params: database })
    expect((await refusalOf(refused)).status).toBe(404)
    for (const params of [database, whole]) await network.admin.call('deleteRoomBackup', { params })
    expect(await listed()).toEqual([])
    expect((await refusalOf(network.admin.call('deleteRoomBackup', { params: database }))).status).toBe(404)
  })

  // shows: region-delete-migration
  it('is refused while it is source or target of a live migration', async () => {
    const id = await addRegion('in-migration')
    const insert = 'insert into live_migrations (source_region_id, target_region_id) values ($1, $2)'
    for (const ends of [
      [id, 1],
      [1, id],
    ]) {
      await network.database.rows(insert, ends)
      expect((await stored(id)).isMigrationTarget).toBe(ends[1] === id)
      const { status, detail } = await refusalOf(remove(id))
      expect({ status, detail }).toEqual({ status: 409, detail: 'Region is still part of livemigration!' })
      await network.database.rows('delete from live_migrations')
    }
    await remove(id)
    expect((await refusalOf(remove(id))).status).toBe(404)
  })

  // shows: regions-busy
  it('is refused while an operation runs on it', async () => {
    const body = roomDraft({ region: 2 })
    const path = `/region/v1/rooms/${body.tenantName}`
    await network.setRegionFaults([{ method: 'PUT', path, action: 'delay', milliseconds: 1500 }], 1)
    await network.admin.call('createRoom', { body })
    const { status, type } = await refusalOf(remove(2))
    expect({ status, type }).toEqual({ status: 409, type: 'urn:roomkeeper:region-busy' })
    await network.settle()
    expect((await stored(2)).regionName).toBe('region-2')
  })

  it('works with 25,000 rooms', async () => {
    const id = await addRegion('large')
    await network.database.rows(
      `insert into rooms (id, region_id, state, product, edition, sales_channel, name, sap_number,
         customer_first_name, customer_last_name, customer_email, company_name, salesman_email,
         licences, licences_information, sub_licences)
       select gen_random_uuid(), $1, 'DEFAULT', 'ARIS', 'basic', 'direct-sales', 'large' || n, n::text,
         'First', 'Last', 'a@example.com', 'Company', 'b@example.com', '{"YABD": 1}', '[]', '[]'
       from generate_series(1, 25000) n`,
      [id],
    )
    expect((await stored(id)).numberOfProjectRooms).toBe(25_000)
    await remove(id)
    expect(await network.database.rows(`select 1 from rooms where name like 'large%' limit 1`)).toEqual([])
    const { body } = await network.admin.call('listRooms', {
      query: { search_keys: ['tenantName'], search_values: ['large'] },
    })
    expect(body.totalElements).toBe(0)
    // Drops the queue of unsealed audit entries, because no test here waits for their seals.
    await network.database.rows('truncate audit_unsealed')
  })
})

describe('a region that the console started itself', () => {
  it('is another one once its URL was changed; the next start registers it anew, even if another region has its name', async () => {
    const env = { EMBEDDED_REGIONS: '1', DATA_DIR: `${network.dir}/with-regions` }
    await (await network.addServer(env)).stop()
    const named = async (name: string) =>
      (await network.admin.call('regions', {})).body.find((each) => each.regionName === name)
    const id = (await named('local-1'))?.regionId ?? 0
    const other = await startRegion({ name: 'other', dataDir: `${network.dir}/other-region` })
    await change(id, { regionIPorURL: other.url, ...login() })
    await (await network.addServer(env)).stop()
    await other.stop('SIGKILL')
    expect((await named('local-1'))?.regionIP).toBe(other.url)
    expect((await named('local-1-embedded'))?.regionIP).toMatch(/^http:\/\/127\.0\.0\.1:/)
  })
})

describe('two consoles on one database that start regions themselves', () => {
  it('keep out of the regions of each other, at every start', async () => {
    const env = (name: string) => ({ EMBEDDED_REGIONS: '1', DATA_DIR: `${network.dir}/${name}` })
    await network.database.rows('update regions set embedded_name = null')
    const rows = () =>
      network.database.rows<{ id: number; url: string; instance_id: string }>(
        'select id, url, instance_id from regions where embedded_name is not null order by id',
      )
    const one = await network.addServer(env('one'))
    const [first, ...others] = await rows()
    expect(others).toEqual([])
    const two = await network.addServer(env('two'))
    const both = await rows()
    expect(both).toEqual([first, { ...both[1], url: expect.not.stringMatching(first?.url ?? '') }])
    const rooms: string[] = []
    for (const { id } of both) rooms.push(await network.newRoom({ region: id }))
    await one.stop()
    await two.stop()
    const twoAgain = await network.addServer(env('two'))
    const oneAgain = await network.addServer(env('one'))
    expect((await rows()).map(({ instance_id }) => instance_id)).toEqual(both.map(({ instance_id }) => instance_id))
    for (const projectRoom of rooms) await network.admin.call('roomLicences', { query: { projectRoom } })
    for (const each of [oneAgain, twoAgain]) await each.stop()
  }, 120_000)
})

describe('testing a connection', () => {
  const test = (body: object) => network.admin.call('testRegion', { body })
  const reasonOf = async (body: object) => {
    const { status, detail } = await refusalOf(test(body))
    expect(status).toBe(502)
    return detail
  }
  const at = (regionIPorURL: string) => ({ regionIPorURL, ...login() })

  // shows: C-testRegion, region-test-connection
  it('says version, products and how long it took, for a draft and for a stored region', async () => {
    const other = await startRegion({ name: 'other', dataDir: `${network.dir}/draft` })
    for (const body of [{ regionName: 'new', ...at(other.url) }, { id: 1 }, { ...(await asStored(1)) }]) {
      const answer = await test(body)
      expect(answer.body).toMatchObject({ ok: true, products: ['ARIS', 'MINING', 'ENTERPRISE'] })
      expect(answer.body.version).toMatch(/\d/)
      expect(answer.body.latencyMs).toBeGreaterThan(0)
    }
    await other.stop('SIGKILL')
  })

  // shows: regions-other-host
  it('does not send a stored password to another address or account', async () => {
    const asked: string[] = []
    const other = await listen((request, response) => {
      asked.push(request.url ?? '')
      response.end('{}')
    })
    for (const changes of [{ regionIPorURL: other.url }, { userName: 'other' }]) {
      const { status, errors } = await refusalOf(test({ id: 1, ...changes }))
      expect({ status, fields: errors?.map(({ field }) => field) }).toEqual({
        status: 400,
        fields: ['password', 'passwordSystem'],
      })
    }
    expect(asked).toEqual([])
    other.stop()
  })

  it('says when the login is wrong', async () => {
    const url = network.regions[0]?.url ?? ''
    const system = await reasonOf({ id: 1, passwordSystem: 'a wrong password' })
    expect(system).toBe(
      `${new URL(url).host} is a region and accepts the user name and the superuser password, but not the system password.`,
    )
    const detail = await reasonOf({ ...at(url), password: 'a wrong password' })
    expect(detail).toBe(`${new URL(url).host} is a region, but it does not accept this user name and password.`)
  })

  // shows: C-testRegion, region-test-connection
  it('says when the name is not found, nobody listens, or there is no TLS', async () => {
    expect(await reasonOf(at('https://no-such-host.invalid'))).toBe('The name no-such-host.invalid is not found.')
    const closed = await listen(() => undefined)
    closed.stop()
    const { host } = new URL(closed.url)
    expect(await reasonOf(at(closed.url))).toBe(`${host} refuses the connection: nothing listens there.`)
    expect(await reasonOf(at('https://127.0.0.1:25'))).toContain('belongs to another protocol')
    const port = network.regions[0]?.port ?? 0
    expect(await reasonOf(at(`https://127.0.0.1:${port}`))).toBe(
      `The secure connection (TLS) to 127.0.0.1:${port} failed: it does not speak TLS on this port.`,
    )
  })

  it('says when something else answers there, follows no redirect and repeats nothing that was said', async () => {
    const asked: string[] = []
    const secret = 'internal secret of another service'
    const target = await listen((request, response) => {
      asked.push(request.url ?? '')
      response.end(secret)
    })
    const redirecting = await listen((_, response) => response.writeHead(307, { location: target.url }).end())
    const plain = await listen((_, response) => response.end(secret))
    const refusing = await listen((_, response) =>
      response
        .writeHead(404, { 'content-type': 'application/problem+json' })
        .end(JSON.stringify({ type: secret, title: secret, status: 404, detail: secret })),
    )
    const unfinished = await listen((_, response) => response.end(JSON.stringify({ token: secret })))
    const mute = createTcpServer((socket) => socket.end('220 mail.example ESMTP\r\n'))
    mute.listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const { port } = mute.address() as AddressInfo
    expect(await reasonOf(at(redirecting.url))).toContain('answers with a redirect, which is not followed.')
    expect(await reasonOf(at(plain.url))).toContain('answers, but it is not a region (status')
    expect(await reasonOf(at(refusing.url))).toContain('answers, but it is not a region (status 404).')
    expect(await reasonOf(at(unfinished.url))).toContain(
      "answers, but it is not a region (status 200). The region's answer to POST session is not as the protocol says: expiresAt: expected a text, but it is missing.",
    )
    expect(await reasonOf(at(`http://127.0.0.1:${port}`))).toContain('it does not speak HTTP.')
    for (const { url } of [redirecting, plain, refusing, unfinished])
      expect(await reasonOf(at(url))).not.toContain(secret)
    expect(asked).toEqual([])
    for (const each of [target, redirecting, plain, refusing, unfinished]) each.stop()
    mute.close()
  })

  // shows: pattern-region-url
  it('takes https, or http on this machine', async () => {
    const { status, errors } = await refusalOf(test(at('http://192.0.2.1')))
    expect({ status, field: errors?.[0]?.field }).toEqual({ status: 400, field: 'regionIPorURL' })
    const missing = await refusalOf(test({}))
    expect(missing.errors?.map(({ field }) => field)).toEqual(['regionIPorURL', 'password', 'passwordSystem'])
  })
})

async function listen(answer: RequestListener): Promise<{ url: string; stop(): void }> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

describe('what calls have shown of a region', () => {
  // shows: C-regions, C-testRegion
  it('is listed with it: the version of its software, and whether it answers or refuses the stored login', async () => {
    const health = async (id: number) => (await stored(id)).health
    await network.newRoom()
    await expect.poll(() => health(1)).toBe('answers')
    const { version } = (await network.regions[0]?.client.status()) ?? {}
    expect(await stored(1)).toMatchObject({ softwareVersion: version, healthSince: expect.stringMatching(/Z$/) })

    const nowhere = await addRegion('nowhere')
    expect(await stored(nowhere)).toMatchObject({ health: null, healthSince: null, softwareVersion: null })
    // The list itself asks nobody; the metrics do.
    await fetch(new URL('/metrics', network.server.address))
    await expect.poll(() => health(nowhere)).toBe('unreachable')

    const denying = await startRegion({ name: 'denying', dataDir: `${network.dir}/denying` })
    const id = await addRegion('denying', { regionIPorURL: denying.url })
    expect(await stored(id)).toMatchObject({ health: 'refuses-login', healthSince: expect.any(String) })
    await expect(network.admin.call('testRegion', { body: { id, password: '', passwordSystem: '' } })).rejects.toThrow()
    expect(await health(id)).toBe('refuses-login')
    await change(id, { ...login(), userName: denying.userName })
    expect(await health(id)).toBe('answers')
    await network.admin.call('testRegion', { body: { id, password: '', passwordSystem: '' } })
    expect(await stored(id)).toMatchObject({ health: 'answers', softwareVersion: version })
    await change(id, { ...login(), password: 'wrong' })
    expect(await health(id)).toBe('refuses-login')
    for (const each of [nowhere, id]) await network.admin.call('deleteRegion', { body: { id: each } })
  })
})
