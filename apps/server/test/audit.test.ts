/** The audit trail over HTTP, and the command that verifies it. */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ActivityQuery, activityGroups, createClient } from '@roomkeeper/contract'
import { administrator, bootNetwork, type Network, operatorDraft, repository, signIn, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tidyOperations } from '#operations/index.ts'
import { openDatabase } from '#platform/database.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 0 })
  await network.database.rows(
    `insert into audit (at, actor, action, room_id, room_name, detail, changes)
     select timestamptz '2020-01-01T00:00:00Z' + n * interval '1 hour', 'Person' || n % 3 || '@example.com',
            case when n % 2 = 0 then 'room.edit' else 'room.delete' end, gen_random_uuid(), 'history' || n % 10,
            case when n = 0 then '=1+1' end, case when n = 0 then '[{"field":"companyName","from":null,"to":"-2, \\"x\\""}]' else '[]' end::jsonb
       from generate_series(0, 99) n`,
  )
})
afterAll(() => network?.stop())

const of2020 = { from: '2020-01-01T00:00:00Z', to: '2021-01-01T00:00:00Z' }
const find = async (query: object) => (await network.admin.call('audit', { query })).body

const verify = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['apps/server/src/app/verify-audit.ts', ...args], {
    cwd: repository,
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: network.database.url, DATA_DIR: join(network.dir, 'server') },
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

describe('the audit trail', () => {
  // shows: C-audit, audit-pages
  it('is newest first, by pages that neither repeat nor lose an entry, from both ends', async () => {
    const pages = await Promise.all([0, 1, 2, 3, 4].map((page) => find({ ...of2020, page, size: 30 })))
    expect(pages.map(({ data }) => data.length)).toEqual([30, 30, 30, 10, 0])
    expect(pages[0]).toMatchObject({ totalElements: 100, totalPages: 4 })
    const ids = pages.flatMap(({ data }) => data.map(({ id }) => id))
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a))
  })

  // shows: audit-filters
  it.each([
    ['who', { actor: 'person1' }, 33],
    ['who, capital letters', { actor: 'PERSON1@EXAMPLE.COM' }, 33],
    ['what', { action: 'room.del' }, 50],
    ['which room', { room: 'HISTORY7' }, 10],
    ['from when', { from: '2020-01-05T00:00:00Z' }, 4],
    ['until before when', { to: '2020-01-01T02:00:00+01:00' }, 1],
    ['all of them', { actor: 'person0', action: 'room.edit', room: 'history6', from: '2020-01-02T00:00:00Z' }, 3],
    ['nothing that a pattern would match', { actor: '%' }, 0],
    ['nothing that an underscore would match', { room: 'history_' }, 0],
  ])('can be filtered by %s', async (_, filter, matches) => {
    const { data, totalElements } = await find({ ...of2020, ...filter, size: 100 })
    expect(totalElements).toBe(matches)
    expect(data).toHaveLength(matches)
  })

  it('refuses times that are none', async () => {
    for (const query of ['from=yesterday', 'to=2020-02-31T00:00:00Z', 'page=-1', 'size=101']) {
      const answer = await fetch(`${network.server.address}/api/operator/audit?${query}`, {
        headers: { authorization: `Bearer ${network.admin.token}` },
      })
      expect(answer.status, query).toBe(400)
    }
  })

  // shows: C-audit, wire-request-id-audit
  it('has failed sign-ins, with the request that failed', async () => {
    const answer = await fetch(`${network.server.address}/api/operator/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'intruder@example.com', password: 'a guess' }),
    })
    const { data } = await find({ actor: 'intruder' })
    expect(data[0]).toMatchObject({ action: 'operator.sign-in-failed', requestId: answer.headers.get('x-request-id') })
    expect(JSON.stringify(data)).not.toContain('a guess')
  })

  // shows: C-exportAudit
  it('is exported as CSV with the same filters, formulas defused', async () => {
    const stream = await network.admin.open('exportAudit', {
      query: { ...of2020, room: 'history0', action: 'room.edit' },
    })
    expect(stream.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(stream.headers.get('content-disposition')).toMatch(/^attachment; filename="audit_.*\.csv"$/)
    const lines = (await stream.text()).split('\r\n')
    expect(lines[0]).toBe('Number,Time,Operator,Action,Project room,Detail,Changes,Operation,Request,Outcome,Reason')
    expect(lines).toHaveLength(12)
    expect(lines.at(-2)).toMatch(
      /^\d+,"2020-01-01T00:00:00\.000Z","Person0@example\.com","room\.edit","history0","'=1\+1","companyName: – → -2, ""x""",,,,$/,
    )
  })

  describe('as activity', () => {
    const activity = async (query: Partial<ActivityQuery>, by = network.admin) =>
      (await by.call('activity', { query })).body

    // shows: C-activity, activity-pages
    it('is newest first, by pages that neither repeat nor lose an entry, also of entries of one moment', async () => {
      await network.database.rows(
        `insert into audit (at, actor, action) select '2019-12-31T12:00:00Z', 'moment@example.com', 'view.create' from generate_series(1, 9)`,
      )
      const ids: number[] = []
      for (let after: number | null = 0; after !== null; ) {
        const page = await activity({ ...of2020, from: '2019-01-01T00:00:00Z', after, size: 10 })
        ids.push(...page.data.map(({ id }) => id))
        after = page.next
      }
      const all = await network.database.rows<{ id: string }>(
        `select id from audit where at < '2021-01-01' order by at desc, id desc`,
        [],
      )
      expect(ids).toEqual(all.map(({ id }) => Number(id)))
    })

    const filters: [string, Partial<ActivityQuery>, number][] = [
      ['operator, in any spelling', { actor: 'PERSON1@example.com' }, 33],
      ['an action', { kinds: ['room.edit'] }, 50],
      ['an action of an operator', { kinds: ['room.edit'], actor: 'person1@example.com' }, 16],
      ['a group', { kinds: ['changes'] }, 100],
      ['a group and an action of it', { kinds: ['changes', 'room.edit'] }, 100],
      ['a group of an operator', { kinds: ['changes'], actor: 'person1@example.com' }, 33],
      ['a group without entries', { kinds: ['sign-ins'] }, 0],
      ['a room that is gone', { room: 'HISTORY7' }, 10],
      [
        'all of them',
        { room: 'history6', actor: 'person0@example.com', kinds: ['changes'], to: '2020-01-03T00:00:00Z' },
        2,
      ],
    ]
    // shows: activity-filters
    it.each(filters)('can be filtered by %s', async (_, filter, matches) => {
      const { data, next } = await activity({ ...of2020, ...filter, size: 100 })
      const more = next === null ? [] : (await activity({ ...of2020, ...filter, after: next })).data
      expect(data.length + more.length).toBe(matches)
    })

    it('knows sign-ins, what the system did, and an operator with all tokens', async () => {
      const draft = { name: 'Reader', role: 'CLOUD_ADMINISTRATOR' } as const
      const { token } = (await network.admin.call('createToken', { body: draft })).body
      const program = createClient({ base: network.server.address, token: () => token })
      await (await program.open('exportRooms', { query: { search: 'activity' } })).text()
      const mine = await activity({ actor: administrator.email, size: 1 })
      expect(mine.data[0]).toMatchObject({ actor: `${administrator.email} (token Reader)`, action: 'export.rooms' })
      const signIns = await activity({ kinds: ['sign-ins'], size: 100 })
      expect(new Set(signIns.data.map(({ action }) => action.split('.')[0]))).toEqual(new Set(['operator']))
      for (const { actor } of (await activity({ kinds: ['system'] })).data) expect(actor).toBe('system')
    })

    // shows: activity-roles
    it('tells operators who are no administrators of rooms only, and of those that are gone not with which data', async () => {
      const support = await network.as('CLOUD_SUPPORT')
      const queries: Partial<ActivityQuery>[] = [{}, { kinds: [...activityGroups] }, { actor: administrator.email }]
      for (const query of queries)
        for (const entry of (await activity({ ...query, size: 100 }, support)).data)
          expect(entry).toMatchObject({ room: expect.any(String), detail: null, changes: [], mails: [], undo: null })
      expect((await activity({ kinds: ['sign-ins', 'operator.sign-in'] }, support)).data).toEqual([])
      expect((await activity({ ...of2020 }, support)).data).toHaveLength(50)
    })
  })

  it('has one entry for each export, by call, API token and link, with its filter and the number of rows', async () => {
    const draft = { name: 'SIEM', role: 'CLOUD_ADMINISTRATOR' } as const
    const { token } = (await network.admin.call('createToken', { body: draft })).body
    const program = createClient({ base: network.server.address, token: () => token })
    await (await network.admin.open('exportAudit', { query: { ...of2020, room: 'history0' } })).text()
    await (await program.open('exportRooms', { query: { search: 'acme' } })).text()
    const { url } = (await network.admin.call('createAuditTicket', { body: { query: of2020 } })).body
    const csv = await (await fetch(`${network.server.address}${url}`)).text()
    expect(csv.split('\r\n')).toHaveLength(102)
    const { data } = await find({ action: 'export.', size: 3 })
    const time = `from=${of2020.from} to=${of2020.to}`
    expect(data.map(({ actor, action, detail }) => [actor, action, detail])).toEqual([
      [administrator.email, 'export.audit', `100 rows: ${time}`],
      [`${administrator.email} (token SIEM)`, 'export.rooms', '0 rows: search=acme'],
      [administrator.email, 'export.audit', `10 rows: room=history0 ${time}`],
    ])
    for (const { requestId } of data) expect(requestId).not.toBeNull()
  })

  it('has changes that the role does not allow, one an hour for each call of an operator', async () => {
    const sales = await network.as('CLOUD_SALES')
    for (let asked = 0; asked < 3; asked += 1)
      await expect(sales.call('runDoctor', {})).rejects.toMatchObject({ problem: { status: 403 } })
    const { token } = (await sales.call('createToken', { body: { name: 'Script', role: 'CLOUD_SALES' } })).body
    const program = createClient({ base: network.server.address, token: () => token })
    await expect(program.call('createToken', { body: { name: 'x', role: 'CLOUD_SALES' } })).rejects.toMatchObject({
      problem: { status: 403 },
    })
    // One change is a GET, and some calls that only read are a POST.
    await expect(sales.call('deleteUser', { params: { id: 'somebody' } })).rejects.toMatchObject({
      problem: { status: 403 },
    })
    await expect(sales.call('migrationRooms', { body: {} } as never)).rejects.toMatchObject({
      problem: { status: 403 },
    })
    // Reading is no change.
    await expect(sales.call('audit', {})).rejects.toMatchObject({ problem: { status: 403 } })
    const { data } = await find({ action: 'operator.refused' })
    const { email } = operatorDraft('CLOUD_SALES')
    expect(data.map(({ actor, detail }) => [actor, detail])).toEqual([
      [email, 'GET /api/operator/deleteUser/:id, as CLOUD_SALES'],
      [`${email} (token Script)`, 'POST /api/operator/tokens, as CLOUD_SALES'],
      [email, 'POST /api/operator/doctor/run, as CLOUD_SALES'],
    ])
  })

  it('tells how the operation of an entry stands and ended, also when the operation has been removed, and stays whole', async () => {
    const id = '00000000-0000-4000-8000-000000000071'
    const { rows } = network.database
    // No worker knows this version, so that none claims the operation while the test looks at it.
    await rows(
      `insert into operations (id, kind, version, process_type, room_name, input, state, started_by)
       values ($1, 'database.import', 99, 'Restore DB', 'outcome', '{}', 'running', 'a@example.com')`,
      [id],
    )
    await rows(
      `insert into audit (actor, action, room_id, room_name, operation_id)
       values ('a@example.com', 'database.import', gen_random_uuid(), 'outcome', $1)`,
      [id],
    )
    const outcome = async () => (await find({ room: 'outcome' })).data[0]?.outcome
    expect(await outcome()).toEqual({ state: 'running', errorText: null, errorReasons: [] })
    const errorReasons = [{ code: 'told-by-region', params: { told: '=No.' } }]
    await rows(
      `update operations set state = 'failed', error = '=No.', error_reasons = $2::jsonb, ended_at = now() - interval '91 days'
        where id = $1`,
      [id, JSON.stringify(errorReasons)],
    )
    const failed = { state: 'failed', errorText: '=No.', errorReasons }
    expect(await outcome()).toEqual(failed)
    const database = openDatabase(network.database.url, { maxConnections: 1 })
    for (const tidy of tidyOperations) await tidy(database.db)
    await database.close()
    expect(await rows('select from operations where id = $1', [id])).toEqual([])
    expect(await outcome()).toEqual(failed)
    const csv = await (await network.admin.open('exportAudit', { query: { room: 'outcome' } })).text()
    expect(csv).toContain(`,"failed","'=No."`)
    expect(verify().output).toContain('The audit trail is whole')
  })

  // shows: who-audit
  it('is closed to all but administrators', async () => {
    for (const role of ['CLOUD_SUPPORT', 'CLOUD_SALES'] as const) {
      const client = await network.as(role)
      await expect(client.call('audit', {})).rejects.toMatchObject({ problem: { status: 403 } })
      await expect(client.open('exportAudit', {})).rejects.toMatchObject({ problem: { status: 403 } })
    }
  })
})

describe('npm run audit:verify', () => {
  const newestSeal = async () => {
    const [head] = await network.database.rows<{ position: number }>('select position::int from audit_head')
    return head?.position ?? 0
  }
  const tamper = (statement: string) =>
    network.database.rows(`do $do$ begin set local session_replication_role = replica; ${statement}; end $do$`)

  it('finds the trail of a running server whole, and says up to which seal', async () => {
    await network.as('CLOUD_SALES')
    const { status, output } = verify()
    expect(output).toMatch(/^The audit trail is whole: \d+ entries. Its newest seal is \d+:[0-9a-f]{64}\n$/)
    expect(status).toBe(0)
    const [, seal = ''] = / (\d+:[0-9a-f]{64})/.exec(output) ?? []
    expect(verify('--expect', seal).status).toBe(0)
    expect(
      verify(
        '--expect',
        seal.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ).status,
    ).toBe(1)
  })

  it('misses an end that was cut off together with its record, by the file beside the server', async () => {
    expect(verify().status).toBe(0)
    await network.as('CLOUD_SALES')
    const newest = await newestSeal()
    const file = join(network.dir, 'server/audit-anchor.json')
    await signIn(() => network.server.address, operatorDraft('CLOUD_SALES'))
    await until('the server has sealed it and written the file', async () => {
      const kept = JSON.parse(await readFile(file, 'utf8')) as { position: number }
      return kept.position > newest && kept.position === (await newestSeal())
    })
    await tamper(
      `create temp table kept on commit drop as select * from audit_seals where position > ${newest - 2};
       delete from audit where id in (select entry_id from kept); delete from audit_seals where position > ${newest - 2};
       update audit_head set (position, hash) = (select position, hash from audit_seals where position = ${newest - 2})`,
    )
    const { status, output } = verify()
    expect(output).toContain(`are missing: the folder ${join(network.dir, 'server')} knows the seal`)
    expect(status).toBe(1)
  })

  // The entries of the test before are missing, and more are made.
  it('says so after further entries too, as everything else does, until an administrator acknowledges it', async () => {
    await signIn(() => network.server.address, operatorDraft('CLOUD_SALES')).catch(() => undefined)
    const found = async () =>
      (await network.admin.call('doctorFindings', {})).body.data.find(({ kind }) => kind === 'audit-cut-off')
    await until('it is a finding', async () => (await found()) !== undefined)
    const figure = async () =>
      /^roomkeeper_audit_damaged (\d+)$/m.exec(await (await fetch(`${network.server.address}/metrics`)).text())?.[1]
    expect(await figure()).toBe('1')
    expect(network.server.output()).toContain('the audit trail does not have a seal that was written down')
    const file = join(network.dir, 'server/audit-anchor.json')
    await until('newer anchors are written beside the one that is missing', async () => {
      const { position, missed } = JSON.parse(await readFile(file, 'utf8')) as { position: number; missed: unknown[] }
      return position === (await newestSeal()) && missed.length === 1
    })
    // A run that looks elsewhere does not close it.
    await network.admin.call('runDoctor', {})
    await network.settle()
    expect(verify().status).toBe(1)
    const { id = '', facts } = (await found()) ?? {}
    const repair = { params: { id }, body: { repair: 'acknowledge' as const } }
    await network.admin.call('repairFinding', repair)
    await network.settle()
    expect(await found()).toBeUndefined()
    expect(await figure()).toBe('0')
    const { data } = await find({ action: 'audit.acknowledge' })
    expect(data).toMatchObject([
      { actor: administrator.email, detailReasons: [{ params: { position: facts?.position } }] },
    ])
    expect(verify()).toMatchObject({ status: 0, output: expect.stringContaining('The audit trail is whole') })
    await network.server.stop()
    await network.restartServer()
    expect(await found()).toBeUndefined()
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      position: await newestSeal(),
      missed: [{ position: facts?.position }],
    })
  })

  it('says when it could not check', () => {
    const { status, stderr } = spawnSync(process.execPath, ['apps/server/src/app/verify-audit.ts'], {
      cwd: repository,
      env: { PATH: process.env.PATH ?? '', DATABASE_URL: 'postgres://127.0.0.1:1/none', DATA_DIR: network.dir },
      encoding: 'utf8',
    })
    expect(stderr).toContain('could not be checked')
    expect(status).toBe(2)
  })
})
