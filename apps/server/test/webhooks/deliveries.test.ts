/** Delivering to real receivers that fail, hang, redirect and die, by several workers, one of which is killed. */
import { randomUUID } from 'node:crypto'
import { webhookEvents } from '@roomkeeper/contract'
import {
  bootNetwork,
  type Network,
  type RunningServer,
  startWebhookReceiver,
  until,
  type WebhookReceiver,
} from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '#platform/database.ts'
import { lookAtTime } from '#platform/steady-time.ts'
import { finishTry } from '#webhooks/finish-try.ts'
import { tidyWebhooks } from '#webhooks/index.ts'
import { acceptedBy, allDelivered, hurry, verified } from './deliver-now.ts'

let network: Network
let worker: RunningServer
const receivers: WebhookReceiver[] = []
beforeAll(async () => {
  network = await bootNetwork({ env: { WEBHOOK_NETWORKS: '127.0.0.0/8', PROCESS: 'api' } })
  worker = await network.addServer({ PROCESS: 'worker' })
})
afterAll(async () => {
  await Promise.all(receivers.map((each) => each.stop()))
  await network?.stop()
})

/** What needs attention changes by itself: region-checks.test.ts tells of it. */
const allOthers = webhookEvents.filter((each) => each !== 'attention.changed')

async function addWebhook(name: string, events: readonly (typeof webhookEvents)[number][] = allOthers) {
  const receiver = await startWebhookReceiver()
  receivers.push(receiver)
  const draft = { name, url: receiver.url, events: [...events], isOn: true }
  const { body: hook } = await network.admin.call('createWebhook', { body: draft })
  return { receiver, hook, draft, params: { id: hook.id } }
}

const suspend = (room: string) =>
  network.admin.call('suspendRoom', { body: { roomName: room, userNotification: false } })
const resume = (room: string) => network.admin.call('resumeRoom', { body: { roomName: room, userNotification: false } })

it('a worker that stands still has lost what it tries: another delivers it, and how the first try went does not count', async () => {
  const { receiver, hook, params } = await addWebhook('stands still', ['room.created'])
  receiver.behave('hang', 'accept')
  await network.newRoom()
  await until('the worker to wait for the receiver', async () => receiver.received.length === 1)
  await network.mailsTried()
  worker.child.kill('SIGSTOP')
  // As if that lasted for a minute.
  await hurry(network, 'claimed')
  const other = await network.addServer({ PROCESS: 'worker' })
  await allDelivered(network, hook.id)
  worker.child.kill('SIGCONT')
  await receiver.stop()
  // A worker records its tries before it stops.
  await worker.stop()
  worker = other
  const { body: deliveries } = await network.admin.call('webhookDeliveries', { params, query: {} })
  expect(deliveries.data).toMatchObject([{ state: 'delivered', tries: 1, failure: null, answer: { status: 200 } }])
  expect(await addedBefore('stands still')).toMatchObject({ failingSince: null, lastDeliveredAt: expect.any(String) })
  await network.admin.call('deleteWebhook', { params })
})

// shows: webhook-once
it('a receiver that fails, hangs and dies is told everything, in order per room, although a worker is killed', async () => {
  const bad = await addWebhook('bad')
  const hanging = await addWebhook('hanging')
  const good = await addWebhook('good')
  bad.receiver.behave('fail', 'die', 'accept', 'redirect', 'accept', 'fail', 'endless', 'accept')
  hanging.receiver.behave('hang')
  const rooms = await Promise.all([network.newRoom(), network.newRoom(), network.newRoom()])
  for (const room of rooms) await suspend(room)
  await until('the worker to wait for the one that hangs', async () => hanging.receiver.received.length > 0)
  await network.addServer({ PROCESS: 'worker' })
  await until('the first calls to have arrived', async () => {
    await hurry(network)
    return bad.receiver.received.length > 3
  })
  await worker.stop('SIGKILL')
  const toldByKilled = hanging.receiver.received.length
  for (const room of rooms) await resume(room)
  await network.admin.call('deleteRoom', { body: { roomName: rooms[0] as string, withoutBackup: true } })
  await network.settle()
  // The claims of the killed worker end by themselves after a minute.
  await hurry(network, 'claimed')
  await until('another worker to go on with it', async () => hanging.receiver.received.length > toldByKilled)
  await allDelivered(network, good.hook.id)
  await allDelivered(network, bad.hook.id)
  // The hanging delivery is waited for, and has not delayed the others.
  const { body: hooks } = await network.admin.call('webhooks', {})
  expect(hooks.find(({ id }) => id === hanging.hook.id)).toMatchObject({ waiting: 10, lastDeliveredAt: null })
  hanging.receiver.behave('accept')
  // As if the time for the calls that hang was over.
  await hurry(network, 'claimed')
  await allDelivered(network, hanging.hook.id)
  for (const { receiver, hook } of [good, bad, hanging]) {
    const told = acceptedBy(receiver, hook.secret)
    const toldOf = (room: string) => told.filter(({ data }) => data.room?.name === room).map(({ type }) => type)
    const life = ['room.created', 'room.suspended', 'room.resumed']
    expect(rooms.map(toldOf)).toEqual([[...life, 'room.deleted'], life, life])
  }
  // Two workers do nothing twice; only what was under way when its claim was ended is told again.
  expect(good.receiver.received.length).toBeLessThanOrEqual(10 + 4 + 4)
  await network.admin.call('deleteWebhook', { params: hanging.params })
  await network.admin.call('deleteWebhook', { params: bad.params })
})

it('two receivers that take their time hold up a third for two seconds, not until they have answered', async () => {
  const [one, two, quick] = [await addWebhook('slow'), await addWebhook('slower'), await addWebhook('quick')]
  const add = (id: string) =>
    network.database.rows(
      `insert into webhook_deliveries (webhook_id, message_id, type, ordering_key, at, body)
       select $1::uuid, 'msg_' || n, 'room.changed', 'key ' || n, now(), '{}' from generate_series(1, 12) n`,
      [id],
    )
  for (const { receiver, hook } of [one, two]) {
    receiver.behave('hang')
    await add(hook.id)
  }
  const places = async () => one.receiver.received.length === 4 && two.receiver.received.length === 4
  await until('them to have all places', places)
  await add(quick.hook.id)
  await until('the third to be told everything', async () => quick.receiver.received.length === 12)
  const triesOf = async ({ params }: typeof one) =>
    (await network.admin.call('webhookDeliveries', { params, query: {} })).body.data.filter(({ tries }) => tries > 0)
  expect([...(await triesOf(one)), ...(await triesOf(two))]).toEqual([])
  expect(await places()).toBe(true)
  for (const { receiver, params } of [one, two]) {
    await network.admin.call('deleteWebhook', { params })
    await receiver.stop()
  }
})

// shows: C-testWebhook, C-webhookDeliveries, webhook-guard
it('a test says at once how it went, also where the webhook is off', async () => {
  const { receiver, params, draft } = await addWebhook('tested')
  await network.admin.call('changeWebhook', { params, body: { ...draft, isOn: false } })
  const test = async (behaviour: Parameters<WebhookReceiver['behave']>[0]) => {
    receiver.behave(behaviour)
    return (await network.admin.call('testWebhook', { params })).body
  }
  expect(await test('accept')).toMatchObject({
    type: 'webhook.test',
    state: 'delivered',
    tries: 1,
    nextTryAt: null,
    failure: null,
    answer: { status: 200, body: 'thank you\uFFFD' },
  })
  const failed = await test('fail')
  expect(failed).toMatchObject({ state: 'ended', failure: 'refused', answer: { status: 500 } })
  expect(failed.answer?.body).toHaveLength(2000)
  expect(await test('redirect')).toMatchObject({ state: 'ended', failure: 'redirected', answer: { status: 302 } })
  expect(receiver.received.map(({ path }) => path)).not.toContain('/elsewhere')
  expect(await test('die')).toMatchObject({ state: 'ended', failure: 'unreachable', answer: null })
  const endless = await test('endless')
  expect(endless).toMatchObject({ state: 'delivered', failure: null, answer: { status: 200 } })
  expect(endless.answer?.body).toHaveLength(2000)
  const { body } = await network.admin.call('webhookDeliveries', { params, query: { size: 2, state: 'ended' } })
  expect(body).toMatchObject({ totalElements: 3, totalPages: 2 })
  expect(body.data.map(({ failure }) => failure)).toEqual(['unreachable', 'redirected'])
})

// shows: C-resendWebhookDelivery
it('what is sent again has its id, a new time, and stays delivered when it fails', async () => {
  const { receiver, hook, params } = await addWebhook('again', ['room.created'])
  await network.newRoom()
  await allDelivered(network, hook.id)
  const [first] = (await network.admin.call('webhookDeliveries', { params, query: {} })).body.data
  const again = { id: hook.id, deliveryId: first?.id ?? '' }
  const { body: resent } = await network.admin.call('resendWebhookDelivery', { params: again })
  expect(resent).toMatchObject({ messageId: first?.messageId, request: first?.request, state: 'delivered', tries: 2 })
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([first?.messageId, first?.messageId])
  receiver.behave('fail')
  const { body: refused } = await network.admin.call('resendWebhookDelivery', { params: again })
  expect(refused).toMatchObject({ state: 'delivered', failure: 'refused', tries: 3, nextTryAt: null })
  const unknown = { id: hook.id, deliveryId: hook.id }
  await expect(network.admin.call('resendWebhookDelivery', { params: unknown })).rejects.toMatchObject({
    problem: { type: 'urn:roomkeeper:webhook-delivery-unknown' },
  })
})

it('what waits behind an earlier event of its room is not sent again before it; what was delivered or has ended is', async () => {
  const { receiver, hook, params } = await addWebhook('in turn', ['room.created', 'room.suspended', 'room.resumed'])
  receiver.behave('fail')
  const room = await network.newSuspendedRoom()
  await resume(room)
  const [third, second, first] = (await network.admin.call('webhookDeliveries', { params, query: {} })).body.data
  const resend = async (delivery: { id: string } | undefined) =>
    (await network.admin.call('resendWebhookDelivery', { params: { id: hook.id, deliveryId: delivery?.id ?? '' } }))
      .body
  await expect(resend(third)).rejects.toMatchObject(refusedWith('webhook-delivery-waits-its-turn', { status: 409 }))
  await expect(resend(second)).rejects.toMatchObject(refusedWith('webhook-delivery-waits-its-turn'))
  const { body: audit } = await network.admin.call('audit', { query: { action: 'webhook.resend' } })
  expect(JSON.stringify(audit)).not.toContain('in turn: ')
  expect(await resend(first)).toMatchObject({ state: 'waiting', failure: 'refused' })
  // It has ended, so it no longer waits for the deliveries before it; sending it again does not send those.
  await network.database.rows(`update webhook_deliveries set state = 'ended', next_try_at = null where id = $1`, [
    second?.id,
  ])
  expect(await resend(second)).toMatchObject({ state: 'ended', failure: 'refused' })
  await expect(resend(third)).rejects.toMatchObject(refusedWith('webhook-delivery-waits-its-turn'))
  receiver.behave('accept')
  expect(await resend(first)).toMatchObject({ state: 'delivered' })
  expect(await resend(third)).toMatchObject({ state: 'delivered' })
  expect(acceptedBy(receiver, hook.secret).map(({ type }) => type)).toEqual(['room.created', 'room.resumed'])
})

it('what is sent again ends no pause of what waits behind it', async () => {
  const { hook, params } = await addWebhook('pausing', ['room.created'])
  const add = (messageId: string, state: string) =>
    network.database.rows<{ id: string }>(
      `insert into webhook_deliveries (webhook_id, message_id, type, ordering_key, at, body, state, next_try_at)
       values ($1, $2, 'room.created', 'a key', now(), '{}', $3,
               case $3 when 'waiting' then now() + interval '1 hour' end) returning id`,
      [hook.id, messageId, state],
    )
  const told = [...(await add('delivered', 'delivered')), ...(await add('ended', 'ended'))]
  await add('waiting', 'waiting')
  const inAnHour = async () => (await network.admin.call('webhookDeliveries', { params, query: {} })).body.data[0]
  const before = await inAnHour()
  for (const { id: deliveryId } of told) {
    const { body } = await network.admin.call('resendWebhookDelivery', { params: { id: hook.id, deliveryId } })
    expect(body).toMatchObject({ state: 'delivered', tries: 1 })
  }
  expect(await inAnHour()).toEqual(before)
})

it('a try that was overtaken, or went to a former address, says nothing about the webhook', async () => {
  const { hook, params, draft } = await addWebhook('overtaken', ['room.created'])
  await network.newRoom()
  await allDelivered(network, hook.id)
  const [delivery] = (await network.admin.call('webhookDeliveries', { params, query: {} })).body.data
  const read = async () => (await network.admin.call('webhooks', {})).body.find(({ id }) => id === hook.id)
  const healthy = await read()
  expect(healthy).toMatchObject({ failingSince: null, lastDeliveredAt: expect.any(String) })
  const webhook = { id: hook.id, name: hook.name, url: hook.url, secrets: [] }
  const database = openDatabase(network.database.url, { maxConnections: 1 })
  const fail = async (claim: string) => {
    const tried = {
      id: delivery?.id ?? '',
      claim,
      messageId: '',
      body: '',
      tries: 1,
      claimedAt: '',
      isTest: false,
      startUntil: 0,
    }
    await finishTry(database, { ...tried, webhook }, { answer: null, failure: 'timed-out' })
  }
  const claimNow = randomUUID()
  await fail(claimNow)
  expect(await read()).toEqual(healthy)
  await network.database.rows('update webhook_deliveries set claim = $2 where id = $1', [delivery?.id, claimNow])
  const { body: led } = await network.admin.call('changeWebhook', {
    params,
    body: { ...draft, url: `${draft.url}/elsewhere` },
  })
  await fail(claimNow).finally(() => database.close())
  expect(await read()).toEqual(led)
  const { body: after } = await network.admin.call('webhookDeliveries', { params, query: {} })
  expect(after.data).toMatchObject([{ state: 'delivered', failure: 'timed-out', tries: 2 }])
  // It fails, until it is led elsewhere.
  await network.database.rows('update webhooks set failing_since = now() where id = $1', [hook.id])
  expect((await network.admin.call('changeWebhook', { params, body: draft })).body.failingSince).toBeNull()
})

/** Ends the time of a former secret. @param n its place in the list, newest first */
const ended = (n: number) => `former_secrets = jsonb_set(former_secrets, '{${n},until}', to_jsonb(now()))`

// shows: C-renewWebhookSecret, webhook-signed
it('a renewed secret signs at once, and the former one along for a day', async () => {
  const { receiver, hook, params } = await addWebhook('renewed')
  const { body: renewed } = await network.admin.call('renewWebhookSecret', { params })
  expect(renewed.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const sent = async () => {
    await network.admin.call('testWebhook', { params })
    return receiver.received.at(-1) ?? { headers: {}, body: '' }
  }
  const both = await sent()
  expect(verified(both, hook.secret)).toEqual(verified(both, renewed.secret))
  await network.database.rows(`update webhooks set ${ended(0)} where id = $1`, [hook.id])
  const one = await sent()
  expect(verified(one, renewed.secret).type).toBe('webhook.test')
  expect(() => verified(one, hook.secret)).toThrow()
  expect(JSON.stringify(await network.database.rows('select * from webhooks'))).not.toContain(renewed.secret)
})

it('each former secret signs along for its own day; the fifth renewal of a day is refused', async () => {
  const { receiver, hook, params } = await addWebhook('often renewed')
  const renew = async () => (await network.admin.call('renewWebhookSecret', { params })).body.secret
  const signing = async (secrets: string[]) => {
    await network.admin.call('testWebhook', { params })
    const sent = receiver.received.at(-1) ?? { headers: {}, body: '' }
    return secrets.filter((each) => {
      try {
        return verified(sent, each).type === 'webhook.test'
      } catch {
        return false
      }
    })
  }
  const secrets = [hook.secret]
  for (let n = 0; n < 4; n += 1) secrets.push(await renew())
  expect(await signing(secrets)).toEqual(secrets)
  await expect(renew()).rejects.toMatchObject(
    refusedWith('too-many-webhook-secrets', { params: { max: 4, hours: 24 } }),
  )
  expect(await signing(secrets)).toEqual(secrets)

  await network.database.rows(`update webhooks set ${ended(-1)} where id = $1`, [hook.id])
  expect(await signing(secrets)).toEqual(secrets.slice(1))
  const database = openDatabase(network.database.url, { maxConnections: 1 })
  await lookAtTime(database.db)
  secrets.push(await renew())
  expect(await signing(secrets)).toEqual(secrets.slice(1))
  for (const n of [0, -1]) await network.database.rows(`update webhooks set ${ended(n)} where id = $1`, [hook.id])
  await lookAtTime(database.db)
  await tidyWebhooks(database.db).finally(() => database.close())
  const [stored] = await network.database.rows(
    'select jsonb_array_length(former_secrets) as former from webhooks where id = $1',
    [hook.id],
  )
  expect(stored).toEqual({ former: 2 })
  expect(await signing(secrets)).toEqual([...secrets.slice(2, 4), secrets.at(-1)])
})

it('a try whose secret cannot be opened fails with that; a former secret that cannot be does not sign', async () => {
  const { receiver, hook, params } = await addWebhook('unreadable')
  const test = async () => (await network.admin.call('testWebhook', { params })).body
  const { body: renewed } = await network.admin.call('renewWebhookSecret', { params })
  await network.database.rows(
    `update webhooks set former_secrets = jsonb_set(former_secrets, '{0,secret}', '"another key"') where id = $1`,
    [hook.id],
  )
  expect(await test()).toMatchObject({ failure: null })
  expect(verified(receiver.received[0] ?? { headers: {}, body: '' }, renewed.secret).type).toBe('webhook.test')
  await network.database.rows(`update webhooks set secret = 'another key' where id = $1`, [hook.id])
  expect(await test()).toMatchObject({ state: 'ended', failure: 'secret-unreadable', answer: null })
  expect(receiver.received).toHaveLength(1)
})

it('two calls by hand at a time are sent to a webhook, and they take no place of its events', async () => {
  const { receiver, hook, params } = await addWebhook('by hand', ['room.created'])
  receiver.behave('hang')
  const hanging = [1, 2].map(() => network.admin.call('testWebhook', { params }))
  await until('both to hang', async () => receiver.received.length === 2)
  const third = network.admin.call('testWebhook', { params })
  await expect(third).rejects.toMatchObject(refusedWith('too-many-calls'))
  receiver.behave('accept')
  // A webhook that fails has one place, and it is free.
  await network.database.rows('update webhooks set failing_since = now() where id = $1', [hook.id])
  await network.newRoom()
  await until('the event to be delivered', async () => receiver.received.some(({ isAccepted }) => isAccepted))
  await receiver.stop()
  expect((await Promise.all(hanging)).map(({ body }) => body.failure)).toEqual(['unreachable', 'unreachable'])
  const { body: after } = await network.admin.call('testWebhook', { params })
  expect(after.failure).toBe('unreachable')
})

it('a figure says how long something is due that no worker takes, also while another webhook fails', async () => {
  const held = await addWebhook('held', ['room.suspended'])
  const failing = await addWebhook('refusing', ['room.suspended'])
  failing.receiver.behave('fail')
  held.receiver.behave('hang')
  const notTaken = async () => {
    const metrics = await (await fetch(`${network.server.address}/metrics`)).text()
    expect(metrics).toMatch(/^roomkeeper_webhooks_failing [1-9]/m)
    return Number(/^roomkeeper_webhook_deliveries_not_taken_seconds (.+)$/m.exec(metrics)?.[1])
  }
  const rooms = [await network.newRoom(), await network.newRoom()]
  // As if nobody took anything of this one. One at a time, so that the other delivery is due as long as the first is tried.
  const blocking = new pg.Client({ connectionString: network.database.url })
  await blocking.connect()
  await network.database.rows('update webhooks set failing_since = now() where id = $1', [held.hook.id])
  await blocking.query('begin')
  await blocking.query('select from webhooks where id = $1 for no key update', [held.hook.id])
  for (const room of rooms) await suspend(room)
  await until('the other one to fail', async () => failing.receiver.received.length > 0)
  await network.database.rows(
    `update webhook_deliveries set next_try_at = now() - interval '10 minutes' where webhook_id = $1`,
    [held.hook.id],
  )
  expect(await notTaken()).toBeGreaterThanOrEqual(600)
  await blocking.query('rollback')
  await until('one to be taken', async () => held.receiver.received.length > 0)
  // The other is still due for ten minutes, behind that try.
  expect(await notTaken()).toBeLessThan(60)
  await blocking.end()
  await network.admin.call('deleteWebhook', { params: held.params })
  await network.admin.call('deleteWebhook', { params: failing.params })
})

// shows: webhook-off
it('a webhook whose every try has failed for 3 days is switched off, and says so', async () => {
  const { receiver, hook, params, draft } = await addWebhook('failing', ['room.created'])
  receiver.behave('fail')
  await network.newRoom()
  const read = async () => (await network.admin.call('webhooks', {})).body.find(({ id }) => id === hook.id)
  const deliveries = async () => (await network.admin.call('webhookDeliveries', { params, query: {} })).body.data
  await until('the first try', async () => (await deliveries())[0]?.tries === 1)
  expect(await read()).toMatchObject({ isOn: true, waiting: 1, failingSince: expect.any(String) })
  const metrics = await (await fetch(`${network.server.address}/metrics`)).text()
  expect(metrics).toMatch(/^roomkeeper_webhooks_failing [1-9]/m)
  expect(metrics).toMatch(/^roomkeeper_webhook_deliveries_waiting [1-9]/m)
  // Something else was delivered meanwhile: then only this delivery ends.
  // The steady time may be a minute late.
  const threeDays = `now() - interval '3 days 5 minutes'`
  const shift = (failingSince: string) =>
    network.database.rows(
      `with shifted as (update webhooks set failing_since = ${failingSince} where id = $1)
       update webhook_deliveries set at = ${threeDays}, next_try_at = now()
        where webhook_id = $1 and state = 'waiting'`,
      [hook.id],
    )
  // After a jump of the time its age says nothing.
  await network.database.rows(`update time_looks set jumped_from = now() - interval '4 days', jumped_at = now()`)
  await shift(`now() - interval '2 days'`)
  await until('another try', async () => (await deliveries())[0]?.tries === 2)
  expect((await deliveries())[0]).toMatchObject({ state: 'waiting', nextTryAt: expect.any(String) })
  await network.database.rows('update time_looks set jumped_from = null, jumped_at = null')
  await shift(`now() - interval '2 days'`)
  await until('the delivery to have ended', async () => (await deliveries())[0]?.state === 'ended')
  expect(await read()).toMatchObject({ isOn: true, switchedOffAt: null })

  await network.newRoom()
  await until('the first try of the second', async () => (await deliveries())[0]?.tries === 1)
  await network.newRoom()
  await until('the first try of the third', async () => (await deliveries())[0]?.tries === 1)
  await network.database.rows(`update webhooks set failing_since = ${threeDays} where id = $1`, [hook.id])
  await network.database.rows(
    `update webhook_deliveries set at = ${threeDays}, next_try_at = now()
      where id = (select id from webhook_deliveries where webhook_id = $1 and state = 'waiting' order by n limit 1)`,
    [hook.id],
  )
  await until('the webhook to be off', async () => (await read())?.isOn === false)
  await until('what waits to have ended', async () => (await deliveries()).every(({ state }) => state === 'ended'))
  expect(await read()).toMatchObject({ waiting: 0, switchedOffAt: expect.any(String) })
  const { body: audit } = await network.admin.call('audit', { query: { action: 'webhook.switch-off' } })
  expect(audit.data).toMatchObject([{ actor: 'system', detail: 'failing' }])
  // What happens while it is off is not told.
  await network.newRoom()

  receiver.behave('accept')
  const { body: on } = await network.admin.call('changeWebhook', { params, body: draft })
  expect(on).toMatchObject({ isOn: true, switchedOffAt: null, failingSince: null })
  await network.newRoom()
  await allDelivered(network, hook.id)
  expect((await deliveries()).map(({ state }) => state)).toEqual(['delivered', 'ended', 'ended', 'ended'])
  expect(await read()).toMatchObject({ failingSince: null, lastDeliveredAt: expect.any(String) })
})

const refusedWith = (code: string, more = {}) => ({ problem: { type: `urn:roomkeeper:${code}`, ...more } })

// shows: C-webhooks, C-createWebhook, C-changeWebhook, C-deleteWebhook
it('is added, changed and deleted; the audit trail says so, and holds neither secret nor path', async () => {
  const { draft, hook, params } = await addWebhook('Chat', ['room.created', 'region.down'])
  expect(hook).toMatchObject({ ...draft, version: 1, waiting: 0, failingSince: null, switchedOffAt: null })
  const create = (given: object) => network.admin.call('createWebhook', { body: { ...draft, ...given } })
  await expect(create({ name: ' CHAT ' })).rejects.toMatchObject(
    refusedWith('webhook-name-taken', { params: { name: 'CHAT' } }),
  )
  const body = { ...draft, url: 'https://hooks.example/very-secret', isOn: false, version: 1 }
  const { body: changed } = await network.admin.call('changeWebhook', { params, body })
  expect(changed).toMatchObject({ url: body.url, isOn: false, version: 2, createdBy: 'admin@localhost' })
  await expect(network.admin.call('changeWebhook', { params, body })).rejects.toMatchObject(
    refusedWith('webhook-stale'),
  )
  const { body: listed } = await network.admin.call('webhooks', {})
  expect(listed.find(({ id }) => id === hook.id)).toEqual(changed)
  expect(JSON.stringify(listed)).not.toContain('whsec_')
  await network.admin.call('deleteWebhook', { params })
  await expect(network.admin.call('deleteWebhook', { params })).rejects.toMatchObject(refusedWith('webhook-unknown'))
  await expect(network.admin.call('testWebhook', { params })).rejects.toMatchObject(refusedWith('webhook-unknown'))
  const { body: audit } = await network.admin.call('audit', { query: { size: 3 } })
  expect(audit.data).toMatchObject([
    { action: 'webhook.delete', detail: 'Chat' },
    { action: 'webhook.change', detail: 'Chat', changes: [{ field: 'url', to: 'https://hooks.example' }, {}] },
    { action: 'webhook.create', detail: 'Chat' },
  ])
  expect(JSON.stringify(audit)).not.toMatch(/very-secret|whsec_/)
})

it.each([
  ['http://10.0.0.1/', 'webhook-address-forbidden'],
  ['http://0xA9FEA9FE/', 'webhook-address-forbidden'],
  ['http://[::ffff:10.0.0.1]/', 'webhook-address-forbidden'],
  ['https://user:password@hooks.example/', 'webhook-url-invalid'],
  ['ftp://hooks.example/', 'webhook-url-invalid'],
  ['hooks.example', 'webhook-url-invalid'],
])('%s is refused at its field', async (url, code) => {
  // By hand: the client would refuse most of them itself.
  const answer = await fetch(`${network.server.address}/api/operator/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'refused', url, events: webhookEvents }),
  })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ errors: [{ field: 'url', code }] })
})

it('more than fifty are refused, however many ask at once; old deliveries and deleted webhooks are removed', async () => {
  const { params } = await addWebhook('old')
  await network.admin.call('testWebhook', { params })
  await network.database.rows(`insert into webhooks (name, url, events, is_on, secret, created_by, changed_by)
    select 'many ' || n, 'https://hooks.example', '{room.created}', false, '', 'ada', 'ada' from generate_series(1, 49 -
      (select count(*)::int from webhooks where deleted_at is null and url <> '')) n`)
  const draft = { url: 'https://hooks.example', events: [...webhookEvents], isOn: false }
  const made = await Promise.allSettled(
    ['one', 'two', 'three'].map((name) => network.admin.call('createWebhook', { body: { ...draft, name } })),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const [refused] = made.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject({ reason: refusedWith('too-many-webhooks', { params: { max: 50 } }) })

  await network.database.rows(`update webhook_deliveries set at = now() - interval '31 days' where webhook_id = $1`, [
    params.id,
  ])
  await network.admin.call('deleteWebhook', { params: { id: (await addedBefore('again'))?.id ?? '' } })
  await network.database.rows(
    `update webhooks set deleted_at = now() - interval '2 hours' where deleted_at is not null`,
  )
  const database = openDatabase(network.database.url, { maxConnections: 1 })
  // A worker may hold one of them at this moment; then the next round removes it.
  await until('the deleted ones are gone', async () => {
    await tidyWebhooks(database.db)
    return (await network.database.rows('select 1 from webhooks where deleted_at is not null')).length === 0
  })
  await database.close()
  const { body } = await network.admin.call('webhookDeliveries', { params, query: {} })
  expect(body).toEqual({ data: [], totalElements: 0, totalPages: 0 })
})

const addedBefore = async (name: string) =>
  (await network.admin.call('webhooks', {})).body.find((each) => each.name === name)
