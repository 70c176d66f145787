/** Whatever is wrong with a call, the answer is a 4xx problem with a clear text, and nothing is half-stored. */
import { problem, type Route, routes } from '@roomkeeper/contract'
import { bootNetwork, type Network, roomDraft } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 1 })
})
afterAll(() => network?.stop())

const all = Object.entries(routes) as [string, Route][]
const withBody = all.filter(([, route]) => route.body !== undefined)
const withUpload = all.filter(([, route]) => route.upload !== undefined)
const withQuery = all.filter(([, route]) => route.query !== undefined)
const withParams = all.filter(([, route]) => route.params !== undefined)

/** Every array, and every object with arbitrary keys, in a body. */
const withLists = withBody.flatMap(([name, route]) =>
  listsIn(z.toJSONSchema(route.body as z.ZodType, { io: 'input', unrepresentable: 'any' })).map(
    ({ path, maximum }) => [path, name, route, maximum] as const,
  ),
)

it('there are calls of every sort to be wrong with', () => {
  const sorts = { withBody, withUpload, withQuery, withParams, withLists }
  expect(Object.entries(sorts).filter(([, found]) => found.length < 3)).toEqual([])
})

const wrongValues: unknown[] = [
  null,
  '',
  '%',
  '\u0000',
  "'; drop table rooms; --",
  -1,
  1.5,
  1e308,
  99999999999,
  true,
  [],
  [1],
  {},
  { $ne: 1 },
  'x'.repeat(10_000),
  '../../etc/passwd',
  '<script>',
  '2026-02-31T00:00:00.000Z',
  '\ud800',
]

describe.each(withBody)('the body of %s', (_, route) => {
  // shows: wire-bad-body
  it.each(['', '{', 'null', '[]', '"text"', '1', '{"__proto__":{"a":1}}', 'a=b'])('may not be %s', async (body) => {
    await expectProblem(await send(route, { body }))
  })

  it('is said to be no JSON if it is none', async () => {
    for (const body of ['{', 'a=b', '{"a":1,}', '{"__proto__":{"a":1}}'])
      expect(((await (await send(route, { body })).json()) as { detail: string }).detail).toMatch(
        / the body is not JSON\.$/,
      )
  })

  // shows: wire-media-type
  it('may not be of another media type', async () => {
    const others = ['text/xml', 'text/plain', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded']
    const partial = route.partial === true ? [] : ['application/merge-patch+json']
    for (const type of [...others, ...partial]) await expectProblem(await send(route, { body: '{}', type }), 415)
  })

  // shows: wire-body-size
  it('may not be too large', async () => {
    const mebibytes = route.longBody === true ? 5 : 2
    await expectProblem(await send(route, { body: JSON.stringify({ a: 'x'.repeat(mebibytes * 1024 * 1024) }) }), 413)
  })
})

describe.each(withLists)('%s of the body of %s', (path, _, route, maximum) => {
  const bodyWith = (value: string) =>
    path.split('.').reduceRight((inner, field) => `{${JSON.stringify(field)}:${inner}}`, value)

  it.each(['1', '{}'])('may not be as much as a body holds of %s', async (element) => {
    const list = Array(Math.floor(900_000 / (element.length + 1))).fill(element)
    const fields = Array.from({ length: Math.floor(900_000 / (element.length + 10)) }, (__, at) => `"${at}":${element}`)
    for (const value of [`[${list.join(',')}]`, `{${fields.join(',')}}`])
      await expectShortProblem(await send(route, { body: bodyWith(value) }))
  })

  it('has a greatest length', () => {
    expect(maximum).toBeGreaterThan(0)
  })

  it('may not be wrong in each of 100,000 elements', async () => {
    await expectShortProblem(await send(route, { body: bodyWith(`[${Array(100_000).fill('true').join(',')}]`) }))
  })
})

describe('a body of nearly 1 MiB', () => {
  it.each([
    ['more elements than a list may have', `{"selectedRooms":[${Array(520_000).fill(0).join(',')}]}`],
    ['as many elements as a list may have', `{"selectedRooms":[${Array(100_000).fill(123_456_789).join(',')}]}`],
  ])('with %s, all of them wrong, is told of at most 100 errors', async (_, body) => {
    await expectShortProblem(await send(routes.preflightLiveMigration, { body }))
    await expectShortProblem(await send(routes.startLiveMigration, { body }))
  })
})

describe('the fields of a creation', () => {
  const fields = Object.keys(
    roomDraft({ expirationDate: null, additionalEmail: null, licensesInformation: [], subLicenses: [], priority: 0 }),
  )
  // shows: wire-no-500
  it.each(fields)('%s: no wrong value is a server error, and none leaves a room behind', async (field) => {
    const before = await counts()
    for (const value of wrongValues) {
      const answer = await send(routes.createRoom, { body: JSON.stringify({ ...wireDraft(), [field]: value }) })
      if (answer.status === 202) continue
      await expectProblem(answer)
      expect(answer.status).toBeLessThan(500)
    }
    await network.settle()
    const after = await counts()
    expect(after.operations - before.operations).toBe(after.rooms - before.rooms)
  })
})

it.each(['2099-03-04T10:00:00.000Z', '2099-03-04T00:00:00+02:00'])(
  'an expiration date with a time of day is refused: %s',
  async (expirationDate) => {
    const answer = await send(routes.createRoom, { body: JSON.stringify({ ...wireDraft(), expirationDate }) })
    expect(answer.status).toBe(400)
    expect(problem.parse(await answer.json()).errors).toMatchObject([{ field: 'expirationDate', code: 'must-be-date' }])
  },
)

it('a text that nothing can store is refused at its field', async () => {
  const errorsOf = async (route: Route, sent: Sent) => {
    const { status, errors } = problem.parse(await (await send(route, sent)).json())
    return [status, ...(errors ?? []).map(({ field, code }) => `${field}: ${code}`)]
  }
  const draft = { ...wireDraft(), companyName: 'half \ud800', sapNumber: 'nul \0' }
  expect(await errorsOf(routes.createRoom, { body: JSON.stringify(draft) })).toEqual([
    400,
    'sapNumber: text-has-nul',
    'companyName: text-half-character',
  ])
  expect(await errorsOf(routes.audit, { query: '?actor=%00' })).toEqual([400, 'actor: text-has-nul'])
})

describe('a character that nobody sees', () => {
  const create = (fields: object) => send(routes.createRoom, { body: JSON.stringify({ ...wireDraft(), ...fields }) })
  const errorsOf = async (answer: Response) =>
    (problem.parse(await answer.json()).errors ?? []).map(({ field, message }) => `${field}: ${message}`)
  const roomsWith = async (query: string) =>
    ((await (await send(routes.listRooms, { query })).json()) as { data: { tenantName: string }[] }).data.map(
      ({ tenantName }) => tenantName,
    )

  it('is refused, by its code, where it would tell rooms and people apart', async () => {
    const refused = await create({
      customerEmail: 'olga\u200b@example.com',
      additionalEmail: 'olga\u202e@example.com',
      salesmanEmail: 'sa\u00adles@example.com',
      sapNumber: '9000\u2060-1',
    })
    const text = (code: string) => `This holds a character that cannot be seen (${code}). Please type it again.`
    expect(await errorsOf(refused)).toEqual([
      `sapNumber: ${text('U+2060')}`,
      `customerEmail: ${text('U+200B')}`,
      `additionalEmail: ${text('U+202E')}`,
      `salesmanEmail: ${text('U+00AD')}`,
    ])
    const forgot = { email: 'olga\u200b@example.com' }
    expect(await errorsOf(await send(routes.forgotRoomName, { body: JSON.stringify(forgot) }))).toEqual([
      `email: ${text('U+200B')}`,
    ])
  })

  it('is left out of other texts, which are one line, and are found however their letters are composed', async () => {
    expect(await errorsOf(await create({ customerFirstName: '\u200b', customerLastName: '\u2060' }))).toEqual([
      'customerFirstName: Please enter the customer contact first name.',
      'customerLastName: Please enter the customer contact last name.',
    ])
    const texts = {
      companyName: 'So\u0308hne\u200b\nund\u0007 Co\u00ad',
      customerFirstName: 'نسخه\u200cها',
      customerContactDetails: 'A\u0308\u202e\r\nB',
      sapNumber: '9000-A\u0308',
    }
    expect((await create({ ...texts, tenantName: 'seen' })).status).toBe(202)
    await network.settle()
    const room = (await (await send(routes.room, { query: '?projectRoom=seen' })).json()) as Record<string, unknown>
    expect(room).toMatchObject({
      companyName: 'Söhne und Co',
      customerFirstName: 'نسخه\u200cها',
      customerContactDetails: 'Ä\r\nB',
      sapNumber: '9000-Ä',
    })
    for (const word of ['Söhne', 'so\u0308hne', 'Söh\u200bne'].map(encodeURIComponent)) {
      expect(await roomsWith(`?search=${word}`)).toEqual(['seen'])
      expect(await roomsWith(`?search_keys=companyName&search_values=${word}`)).toEqual(['seen'])
      const filter = '?filter_keys=companyName&filter_conditions=STARTS_WITH&filter_values='
      expect(await roomsWith(filter + word)).toEqual(['seen'])
    }
    const selection = { query: { filter_keys: ['companyName'], filter_conditions: ['CONTAINS'] } }
    for (const word of ['so\u0308hne', 'Söh\u2060ne']) {
      const bulk = { action: 'suspend', selection: { query: { ...selection.query, filter_values: [word] } } }
      const preflight = await send(routes.preflightBulk, { body: JSON.stringify(bulk) })
      expect(await preflight.json()).toMatchObject({ total: 1 })
    }
  })

  it('that is stored keeps no room from being edited, and may not come to another field', async () => {
    await network.database.rows(
      `update rooms set customer_email = E'olga\\u200b@example.com', company_name = E'A\\nB' where name = 'seen'`,
    )
    const read = async () => (await (await send(routes.room, { query: '?projectRoom=seen' })).json()) as object
    const edit = async (fields: object) =>
      send(routes.editRoom, { body: JSON.stringify({ ...(await read()), sapNumberLast: '9001', ...fields }) })
    expect((await edit({ salesman: 'Sam' })).status).toBe(200)
    expect(await read()).toMatchObject({ customerEmail: 'olga\u200b@example.com', companyName: 'A B', salesman: 'Sam' })
    const wrong = await edit({ customerEmail: 'ol\u200bga@example.com', sapNumberLast: '90\u200b02' })
    expect((await errorsOf(wrong)).map((each) => each.split(':')[0])).toEqual(['sapNumberLast', 'customerEmail'])
    expect((await edit({ customerEmail: 'olga@example.com' })).status).toBe(200)
  })
})

describe.each(withUpload)('the upload of %s', (_, route) => {
  const form = 'multipart/form-data; boundary=b'
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
  it.each(['', '--b', '--b--', head, `${head}\r\n--b--`, head.repeat(3), '\u0000'.repeat(100)])(
    'may not be %j',
    async (body) => {
      await expectProblem(await send(route, { body, type: form }))
    },
  )

  it('may not be of another media type', async () => {
    for (const type of ['application/json', 'text/xml', 'multipart/mixed; boundary=b'])
      await expectProblem(await send(route, { body: head, type }), 415)
  })
})

describe.each(withQuery)('the query of %s', (_, route) => {
  // shows: wire-problem
  it('is refused, not broken, by wrong values', async () => {
    for (const field of Object.keys(route.query?.shape ?? {})) {
      for (const value of wrongValues) {
        const answer = await send(route, { query: `?${field}=${encodeURIComponent(wellFormed(String(value)))}` })
        if (answer.ok) await answer.body?.cancel()
        else await expectProblem(answer)
      }
      await expectProblemUnlessOk(await send(route, { query: `?${field}=1&${field}=2` }))
      await expectProblemUnlessOk(await send(route, { query: `?${field}=%` }))
    }
  })
})

describe('an unknown field', () => {
  const refusal = async (route: Route, sent: Sent) => {
    const { status, errors = [] } = problem.parse(await (await send(route, sent)).json())
    return [status, ...errors.map(({ field, message }) => `${field}: ${message}`)]
  }
  const refused = async (route: Route, body: unknown) => refusal(route, { body: JSON.stringify(body) })

  it.each(all)('is refused in body and query of %s', async (_, route) => {
    const found = await refusal(route, { query: '?notAField=1' })
    expect(found).toEqual(expect.arrayContaining([400, 'notAField: Unknown field notAField.']))
    if (route.method === 'GET' || route.upload !== undefined) return
    const inBody = await refusal(route, { body: '{"notAField":1}' })
    expect(inBody).toEqual(expect.arrayContaining([400, 'notAField: Unknown field notAField.']))
  })

  it('is refused with the name that was probably meant, also where it would limit', async () => {
    expect(await refused(routes.createRoom, { ...wireDraft(), expirationdate: '2099-01-01T00:00:00.000Z' })).toEqual([
      400,
      'expirationdate: Unknown field expirationdate. Is it expirationDate?',
    ])
    const token = { name: 'deployments', role: 0 }
    expect(await refused(routes.createToken, { ...token, network: ['10.0.0.0/8'], expiresInDays: 7 })).toEqual([
      400,
      'network: Unknown field network. Is it networks?',
      'expiresInDays: Unknown field expiresInDays.',
    ])
    expect(await refused(routes.createToken, { ...token, expires_at: '2099-01-01T00:00:00Z' })).toEqual([
      400,
      'expires_at: Unknown field expires_at. Is it expiresAt?',
    ])
    expect(await refusal(routes.listRooms, { query: '?filter_key=region&filter_value=1' })).toEqual([
      400,
      'filter_key: Unknown field filter_key. Is it filter_keys?',
      'filter_value: Unknown field filter_value. Is it filter_values?',
    ])
  })

  it('is refused inside objects, lists and choices', async () => {
    const licence = { licenseKey: 'YABD', licenseAmount: 1, licenseType: 'NUC' }
    const { licenseType: licenceType, ...misspelt } = licence
    const room = { ...wireDraft(), licensesInformation: [licence, { ...misspelt, licenceType }] }
    expect(await refused(routes.importRoom, { projectRoom: room, tmpFileName: 'a.zip' })).toEqual([
      400,
      'projectRoom.licensesInformation.1.licenceType: Unknown field licenceType. Is it licenseType?',
      'projectRoom.licensesInformation.1.licenseType: Must be one of NUC, CUC, TEN.',
    ])
    const bulk = { action: 'extend', parameters: { expirationDate: '2099-01-01T00:00:00.000Z' } }
    expect(await refused(routes.preflightBulk, { ...bulk, selection: { rooms: ['alpha'], exept: ['beta'] } })).toEqual([
      400,
      'selection.exept: Unknown field exept. Is it except?',
    ])
    expect(
      await refused(routes.preflightBulk, {
        ...bulk,
        parameters: { ...bulk.parameters, unlimitedTo: false },
        selection: { query: { serch: 'acme' } },
      }),
    ).toEqual([
      400,
      'parameters.unlimitedTo: Unknown field unlimitedTo. Is it unlimitedToo?',
      'selection.query.serch: Unknown field serch. Is it search?',
    ])
  })

  it('of great length or number makes no long answer', async () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`f${index}`, 1]))
    for (const body of [{ [`x${'y'.repeat(900_000)}`]: 1 }, many, { ...wireDraft(), licensesInformation: [many] }])
      await expectShortProblem(await send(routes.createRoom, { body: JSON.stringify(body) }))
  })

  it('is none if an answer holds it: what was read can be sent back', async () => {
    const call = async (route: Route, body: unknown) => {
      const answer = await send(route, { body: JSON.stringify(body) })
      expect([route.path, answer.status, await answer.clone().text()]).toEqual([
        route.path,
        answer.status < 300 ? answer.status : 200,
        expect.anything(),
      ])
      return answer.status === 204 ? {} : ((await answer.json()) as Record<string, unknown>)
    }
    const listed = async (route: Route, query?: string) => {
      return (await (await send(route, query === undefined ? {} : { query })).json()) as Record<string, unknown>[]
    }
    await call(routes.createRoom, { ...wireDraft(), tenantName: 'sentback' })
    await network.settle()
    const [room] = [await listed(routes.room, '?projectRoom=sentback')]
    await call(routes.editRoom, { ...room, sapNumberLast: 'sent-back-2' })
    await call(routes.createRoom, { ...room, tenantName: 'copied', sapNumber: 'copied' })
    await network.settle()
    const [region] = await listed(routes.regions)
    await call(routes.changeRegion, { ...region, id: region?.regionId })
    await call(routes.testRegion, { ...region, id: region?.regionId })
    const text = { maintenanceMode: false, maintenanceMessage: 'Back soon.' }
    await call(routes.saveMaintenance, { ...text, token: 'x' })
    await call(routes.saveConfiguration, { youtubeIdentifier: '', token: 'x' })
    const moment = (hour: number) => `2099-01-01T0${hour}:00:00.000Z`
    const notice = { notificationId: 0, message: 'Hello', startDate: moment(1), endDate: moment(2) }
    await call(routes.changeNotification, await call(routes.createNotification, notice))
    const kept = { daily: 1, weekly: 0, monthly: 0 }
    const policy = await call(routes.createBackupPolicy, {
      name: 'sent back',
      isOn: false,
      schedule: { every: 'hours', hours: 24 },
      keep: kept,
    })
    await call(withId(routes.changeBackupPolicy, policy.id), policy)
    await call(routes.previewBackupPolicy, policy)
    const hook = await call(routes.createWebhook, {
      name: 'sent back',
      url: 'https://a.example',
      events: ['region.up'],
    })
    const { secret: _, ...shown } = hook
    await call(withId(routes.changeWebhook, hook.id), { ...shown, isOn: false })
    const view = await call(routes.createView, { name: 'sent back', query: '', columns: {} })
    await call(withId(routes.changeView, view.id), view)
    const account = { email: 'back@example.org', name: 'Back', role: 0, password: 'sent and sent back' }
    const operator = await call(routes.createOperator, account)
    await call(withId(routes.changeOperator, operator.id), operator)
  })
})

it('a missing object is named in the detail of the refusal', async () => {
  const detail = async (route: Route) => problem.parse(await (await send(route, { body: '{}' })).json()).detail
  expect(await detail(routes.importRoom)).toBe('projectRoom: Must be an object with fields.')
  expect(await detail(routes.restoreRoom)).toBe('projectRoom: Must be an object with fields.')
})

function withId(route: Route, id: unknown): Route {
  return { ...route, path: route.path.replace(':id', String(id)) }
}

describe.each(withParams)('the path of %s', (name, route) => {
  // shows: wire-problem
  it('is refused, not broken, by wrong values', async () => {
    for (const value of ['%00', '%', '..%2f..', "'", 'x'.repeat(150), '%ff']) {
      const answer = await send({ ...route, path: route.path.replace(/:\w+/, value) }, { body: '{}' })
      // Any id is accepted, because a customer user that no region has counts as deleted.
      if (name === 'deleteUser') await expectProblemUnlessOk(answer)
      else await expectProblem(answer)
    }
  })
})

describe('an unknown call', () => {
  // shows: wire-404
  it('is a 404 problem', async () => {
    await expectProblem(
      await send({ method: 'GET', path: '/api/operator/nothing', access: 'all', summary: '', answers: {} }, {}),
      404,
    )
  })
})

/** Expects that the problem does not list an error for every single element of a huge input. */
async function expectShortProblem(answer: Response): Promise<void> {
  const text = await answer.clone().text()
  expect([answer.status, text.length < 20_000]).toEqual([400, true])
  await expectProblem(answer, 400)
  const { errors = [] } = problem.parse(JSON.parse(text))
  expect([errors.length > 0, errors.length <= 100]).toEqual([true, true])
}

interface Sent {
  body?: string
  type?: string
  query?: string
}

function send(route: Route, { body, type = 'application/json', query = '' }: Sent): Promise<Response> {
  const path = route.path.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000')
  return fetch(network.server.address + path + query, {
    method: route.method,
    headers: {
      authorization: `Bearer ${network.admin.token}`,
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined || route.method === 'GET' ? {} : { body }),
  })
}

async function expectProblemUnlessOk(answer: Response): Promise<void> {
  if (answer.ok) await answer.body?.cancel()
  else await expectProblem(answer)
}

async function expectProblem(answer: Response, status?: number): Promise<void> {
  const text = await answer.text()
  const where = `${answer.url} → ${answer.status} ${text}`
  expect(answer.status, where).toBeGreaterThanOrEqual(400)
  expect(answer.status, where).toBeLessThan(500)
  if (status !== undefined) expect(answer.status, where).toBe(status)
  expect(answer.headers.get('content-type'), where).toContain('application/problem+json')
  const found = problem.parse(JSON.parse(text))
  expect(found.detail.length).toBeGreaterThan(5)
  // Sentences of the schema library are for programmers.
  expect(text, where).not.toMatch(/not-valid|Invalid (input:|option|string|key)|Too (big|small)|Unrecognized key/)
  expect(text).not.toMatch(/\bat .*\.ts:|node_modules|select .* from/i)
}

function listsIn(schema: z.core.JSONSchema.BaseSchema, path = ''): { path: string; maximum: number | undefined }[] {
  const isList = schema.type === 'array' || typeof schema.additionalProperties === 'object'
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
    typeof each === 'object' ? listsIn(each, path === '' ? name : `${path}.${name}`) : [],
  )
  return isList ? [{ path, maximum: schema.maxItems ?? schema.maxProperties }, ...fields] : fields
}

function wireDraft(): Record<string, unknown> {
  return { ...roomDraft(), product: 0, edition: 0 }
}

/** A lone surrogate cannot be put into a URL. */
function wellFormed(text: string): string {
  return text.toWellFormed()
}

async function counts(): Promise<{ rooms: number; operations: number }> {
  const [row] = await network.database.rows<{ rooms: number; operations: number }>(
    'select (select count(*)::int from rooms) as rooms, (select count(*)::int from operations) as operations',
  )
  return row ?? { rooms: -1, operations: -1 }
}
