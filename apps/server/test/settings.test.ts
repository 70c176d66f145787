/** The console's global settings, and which of them customers see. */
import { randomBytes } from 'node:crypto'
import type { BodyGiven, Problem, Routes } from '@roomkeeper/contract'
import { administrator, bootNetwork, type Network, signIn } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callWhileUncommitted } from './calls-at-once.ts'
import { tablesWith } from './tables-with-text.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 0 })
})
afterAll(() => network?.stop())
/** The newest audit entry when the test began, because the trail cannot be emptied. */
let auditedBefore = 0
/** The newest event for consoles when the test began. */
let hintedBefore = 0
beforeEach(async () => {
  await network.database.rows('truncate maintenance, cloud_configuration, notifications')
  const [newest] = await network.database.rows<{ id: number }>('select coalesce(max(id), 0)::int as id from audit')
  auditedBefore = newest?.id ?? 0
  const [hint] = await network.database.rows<{ id: number }>('select coalesce(max(id), 0)::int as id from events')
  hintedBefore = hint?.id ?? 0
})

describe('the configuration', () => {
  // shows: C-configuration, C-saveConfiguration, C-customerConfiguration, cloud-video
  it('has no video until one is saved, trimmed; customers are told of it', async () => {
    expect((await network.admin.call('configuration', {})).body).toEqual({ youtubeIdentifier: '' })
    await network.admin.call('saveConfiguration', { body: { youtubeIdentifier: '  dQw4w9WgXcQ ' } })
    expect((await network.admin.call('configuration', {})).body).toEqual({ youtubeIdentifier: 'dQw4w9WgXcQ' })
    expect(await publicly('/api/customer/configuration')).toEqual({ youtubeIdentifier: 'dQw4w9WgXcQ' })
    for (const address of ['https://www.youtube.com/watch?t=9&v=dQw4w9WgXcQ', 'https://youtu.be/dQw4w9WgXcQ?t=9'])
      expect((await network.admin.call('saveConfiguration', { body: { youtubeIdentifier: address } })).body).toEqual({
        youtubeIdentifier: 'dQw4w9WgXcQ',
      })
    await network.admin.call('saveConfiguration', { body: { youtubeIdentifier: '' } })
    expect(await publicly('/api/customer/configuration')).toEqual({ youtubeIdentifier: '' })
    expect(await audited('configuration.change')).toEqual([
      [{ field: 'youtubeIdentifier', from: '', to: 'dQw4w9WgXcQ' }],
      [{ field: 'youtubeIdentifier', from: 'dQw4w9WgXcQ', to: '' }],
    ])
  })

  it.each(['', 'earlier'])('is audited with what it replaces, also when two save it at once (%#)', async (earlier) => {
    const save = (youtubeIdentifier: string) => network.admin.call('saveConfiguration', { body: { youtubeIdentifier } })
    if (earlier !== '') await save(earlier)
    await callWhileUncommitted(
      network.database,
      () => save('other'),
      () => save(earlier),
    )
    expect((await network.admin.call('configuration', {})).body).toEqual({ youtubeIdentifier: earlier })
    expect((await audited('configuration.change')).slice(-2)).toEqual([
      [{ field: 'youtubeIdentifier', from: earlier, to: 'other' }],
      [{ field: 'youtubeIdentifier', from: 'other', to: earlier }],
    ])
  })
})

describe('a token in the body, as old clients send it', () => {
  const unique = () => randomBytes(12).toString('hex')

  // shows: wire-token-field
  it.each([
    ['configuration', '/api/operator/configuration', 'youtubeIdentifier', {}],
    ['maintenance', '/api/operator/maintenanceMode', 'maintenanceMessage', { maintenanceMode: true }],
  ])('is accepted with the %s and kept nowhere', async (_, path, field, rest) => {
    const [value, token] = [unique(), unique()]
    const answer = await send('POST', path, { ...rest, [field]: value, token })
    expect([answer.status, await answer.json()]).toEqual([200, { ...rest, [field]: value }])
    expect(await tablesWith(network.database, value)).not.toEqual([])
    expect(await tablesWith(network.database, token)).toEqual([])
    expect(network.server.output()).not.toContain(token)
  })
})

describe('maintenance mode', () => {
  // shows: C-maintenance, maintenance-default
  it('is off with an empty message until it is set', async () => {
    expect(await publicly('/api/maintenanceMode')).toEqual({ maintenanceMode: false, maintenanceMessage: '' })
  })

  // shows: C-maintenance, C-saveMaintenance
  it('is seen by everybody at once, audited, and announced to the consoles', async () => {
    const on = { maintenanceMode: true, maintenanceMessage: 'Back at <b>noon</b>.' }
    expect((await network.admin.call('saveMaintenance', { body: on })).body).toEqual(on)
    expect(await publicly('/api/maintenanceMode')).toEqual(on)
    const hints = await network.database.rows(
      `select from events where payload ->> 'type' = 'maintenance' and id > $1`,
      [hintedBefore],
    )
    expect(hints).toHaveLength(1)
    expect(await audited('maintenance.change')).toHaveLength(1)
    await network.admin.call('saveMaintenance', { body: on })
    expect(await audited('maintenance.change')).toHaveLength(1)
  })

  it.each([false, true])('is announced and audited also when two change it at once (set before: %s)', async (isSet) => {
    const off = { maintenanceMode: false, maintenanceMessage: 'Back at noon.' }
    const on = { ...off, maintenanceMode: true }
    const save = (body: typeof on) => network.admin.call('saveMaintenance', { body })
    if (isSet) await save(off)
    await callWhileUncommitted(
      network.database,
      () => save(on),
      () => save(off),
    )
    expect((await network.admin.call('maintenance', {})).body).toEqual(off)
    expect((await audited('maintenance.change')).slice(-2)).toEqual([
      expect.arrayContaining([{ field: 'maintenanceMode', from: false, to: true }]),
      [{ field: 'maintenanceMode', from: true, to: false }],
    ])
    const hints = await network.database.rows(
      `select from events where payload ->> 'type' = 'maintenance' and id > $1`,
      [hintedBefore],
    )
    expect(hints).toHaveLength(isSet ? 3 : 2)
  })

  // shows: maintenance-limits
  it.each([
    ['', 'Please enter the message.'],
    ['   ', 'Please enter the message.'],
    ['x'.repeat(5001), 'The message can have at most 5000 characters.'],
  ])('needs a message of 1 to 5000 characters (%#)', async (maintenanceMessage, words) => {
    const body = { maintenanceMode: true, maintenanceMessage }
    expect(await refusal('POST', '/api/operator/maintenanceMode', body)).toEqual([400, words])
    const longest = { maintenanceMode: true, maintenanceMessage: 'x'.repeat(5000) }
    expect((await network.admin.call('saveMaintenance', { body: longest })).status).toBe(200)
  })

  // shows: maintenance-visitors
  it('lets operators sign in and work', async () => {
    await network.admin.call('saveMaintenance', { body: { maintenanceMode: true, maintenanceMessage: 'Later.' } })
    const operator = await signIn(() => network.server.address, administrator)
    expect((await operator.call('overview', {})).status).toBe(200)
  })
})

describe('notifications', () => {
  // shows: C-notifications, C-createNotification, C-changeNotification, C-deleteNotification, notifications-crud
  it('are added, listed, changed and removed, and each step is audited', async () => {
    const made = (await network.admin.call('createNotification', { body: draft() })).body
    expect(made).toMatchObject({ message: '<p>Hello</p>', displayPopup: false, deactivate: false })
    const later = { ...made, endDate: '2999-01-01T00:00:00.000Z', displayPopup: true }
    expect((await network.admin.call('changeNotification', { body: later })).body).toEqual(later)
    expect((await network.admin.call('notifications', {})).body).toEqual([later])
    await network.admin.call('deleteNotification', { params: { id: String(made.notificationId) } })
    expect((await network.admin.call('notifications', {})).body).toEqual([])
    expect(await audited('notification.change')).toEqual([
      [
        { field: 'endDate', from: made.endDate, to: later.endDate },
        { field: 'displayPopup', from: false, to: true },
      ],
    ])
    expect(await audited('notification.delete')).toHaveLength(1)
  })

  // shows: notifications-codes
  it('speak 0 and 1 on the wire', async () => {
    const answer = await network.admin.call('createNotification', { body: draft({ displayPopup: true }) })
    expect(answer.body.displayPopup).toBe(true)
    const [raw] = (await publicly('/api/customer/notifications')) as { displayPopup: number; deactivate?: number }[]
    expect(raw).toMatchObject({ displayPopup: 1 })
    expect(raw).not.toHaveProperty('deactivate')
    const listed = await (await send('GET', '/api/operator/notification')).json()
    expect(listed).toMatchObject([{ displayPopup: 1, deactivate: 0 }])
  })

  // shows: C-customerNotifications, notifications-force
  it('are shown to customers from their start until their end, and not when deactivated', async () => {
    const hour = (from: number) => new Date(Date.now() + from * 3_600_000).toISOString()
    const make = (message: string, startDate: string, endDate: string, deactivate = false) =>
      network.admin.call('createNotification', { body: draft({ message, startDate, endDate, deactivate }) })
    await make('<p>over</p>', hour(-2), hour(-1))
    await make('<p>now</p>', hour(-1), hour(1))
    await make('<p>to come</p>', hour(1), hour(2))
    await make('<p>switched off</p>', hour(-1), hour(1), true)
    const shown = (await publicly('/api/customer/notifications')) as { message: string }[]
    expect(shown.map(({ message }) => message)).toEqual(['<p>now</p>'])
  })

  it.each([
    [{ startDate: '2020-01-01T00:00:00Z', endDate: '2020-01-01T00:00:00Z' }, 'The end must be after the start.'],
    [{ startDate: 'soon' }, 'Please enter a date and time.'],
    [{ message: '' }, 'Please enter the message.'],
    [{ message: '<p><br></p><script>alert(1)</script>' }, 'Please enter the message.'],
  ])('refuse what cannot be shown (%#)', async (given, words) => {
    expect(await refusal('POST', '/api/operator/notification', draft(given))).toEqual([400, words])
  })

  it('answer 404 for one that is gone', async () => {
    const unknown = [404, 'There is no such notification.']
    expect(await refusal('DELETE', '/api/operator/notification/4711')).toEqual(unknown)
    expect(await refusal('PUT', '/api/operator/notification', { ...draft(), notificationId: 4711 })).toEqual(unknown)
  })

  // shows: notifications-html
  it('never keep HTML that could act in a customer’s page', async () => {
    const message = `<p onclick="steal()">Read <a>this</a></p><img src=x onerror=alert(1)>`
    const { body } = await network.admin.call('createNotification', { body: draft({ message }) })
    expect(body.message).toBe('<p>Read <a>this</a></p>')
  })

  it('refuse a link that cleaning would remove, so that its author notices', async () => {
    for (const link of ['javascript:alert(1)', 'JaVa&#x09;ScRiPt:alert(1)', '//elsewhere.example', '/project']) {
      const message = `<p>See <a href="https://example.com">here</a> and <a href="${link}">there</a></p>`
      await expect(network.admin.call('createNotification', { body: draft({ message }) })).rejects.toMatchObject({
        problem: { status: 400, errors: [{ field: 'message', code: 'link-refused' }] },
      })
    }
  })
})

function draft(given: Partial<BodyGiven<Routes['createNotification']>> = {}) {
  return {
    message: '<p>Hello</p>',
    startDate: '2026-01-01T00:00:00.000Z',
    endDate: '2998-01-01T00:00:00.000Z',
    ...given,
  }
}

async function publicly(path: string): Promise<unknown> {
  const answer = await fetch(network.server.address + path)
  expect(answer.status).toBe(200)
  return answer.json()
}

/** Uses plain HTTP, because the typed client only sends what the contract names. */
function send(method: string, path: string, body?: object): Promise<Response> {
  return fetch(network.server.address + path, {
    method,
    headers: { authorization: `Bearer ${network.admin.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

async function refusal(method: string, path: string, body?: object): Promise<[number, string]> {
  const answer = await send(method, path, body)
  const problem = (await answer.json()) as Problem
  return [answer.status, problem.detail]
}

async function audited(action: string): Promise<unknown[]> {
  const sql = 'select changes from audit where action = $1 and id > $2 order by id'
  return (await network.database.rows<{ changes: unknown }>(sql, [action, auditedBefore])).map(({ changes }) => changes)
}
