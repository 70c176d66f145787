/** Delivering to real receivers that fail, hang, redirect and die, by several workers, one of which is killed. */
import { type WebhookDelivery, webhookEvents } from '@roomkeeper/contract'
import { bootNetwork, type Network, startWebhookReceiver, until, type WebhookReceiver } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { acceptedBy, allDelivered, hurry, verified } from './deliver-now.ts'

let network: Network
const receivers: WebhookReceiver[] = []
/** Begun first and looked at last, because it takes 15 s. */
let silent: Promise<WebhookDelivery>
beforeAll(async () => {
  network = await bootNetwork({ env: { WEBHOOK_NETWORKS: '127.0.0.0/8' } })
  const { receiver, params } = await addWebhook('silent', ['backup.failed'])
  receiver.behave('hang')
  silent = network.admin.call('testWebhook', { params }).then(({ body }) => body)
  silent.catch(() => undefined)
})
afterAll(async () => {
  await network?.stop()
  await Promise.all(receivers.map((each) => each.stop()))
})

async function addWebhook(name: string, events: readonly (typeof webhookEvents)[number][] = webhookEvents) {
  const receiver = await startWebhookReceiver()
  receivers.push(receiver)
  const draft = { name, url: receiver.url, events: [...events], isOn: true }
  const { body: hook } = await network.admin.call('createWebhook', { body: draft })
  return { receiver, hook, draft, params: { id: hook.id } }
}

const suspend = (room: string) =>
  network.admin.call('suspendRoom', { body: { roomName: room, userNotification: false } })
const resume = (room: string) => network.admin.call('resumeRoom', { body: { roomName: room, userNotification: false } })

it('a receiver that fails, hangs and dies is told everything, in order per room, although a worker is killed', async () => {
  const worker = await network.addServer({ PROCESS: 'worker' })
  const bad = await addWebhook('bad')
  const hanging = await addWebhook('hanging')
  const good = await addWebhook('good')
  bad.receiver.behave('fail', 'die', 'accept', 'hang', 'redirect', 'accept', 'fail', 'endless', 'accept')
  hanging.receiver.behave('hang')
  const rooms = await Promise.all([network.newRoom(), network.newRoom(), network.newRoom()])
  for (const room of rooms) await suspend(room)
  await until('the first calls to have arrived', async () => {
    await hurry(network)
    return bad.receiver.received.length > 3
  })
  await worker.stop('SIGKILL')
  for (const room of rooms) await resume(room)
  await network.admin.call('deleteRoom', { body: { roomName: rooms[0] as string, withoutBackup: true } })
  await network.settle()
  // The claims of the killed worker end by themselves after a minute.
  await hurry(network, 'claimed')
  await allDelivered(network, good.hook.id)
  await allDelivered(network, bad.hook.id)
  for (const { receiver, hook } of [good, bad]) {
    const told = acceptedBy(receiver, hook.secret)
    const toldOf = (room: string) => told.filter(({ data }) => data.room?.name === room).map(({ type }) => type)
    const life = ['room.created', 'room.suspended', 'room.resumed']
    expect(rooms.map(toldOf)).toEqual([[...life, 'room.deleted'], life, life])
  }
  // The one that hangs is waited for, and has held up nobody.
  const { body: hooks } = await network.admin.call('webhooks', {})
  expect(hooks.find(({ id }) => id === hanging.hook.id)).toMatchObject({ waiting: 10, lastDeliveredAt: null })
  await network.admin.call('deleteWebhook', { params: hanging.params })
  await network.admin.call('deleteWebhook', { params: bad.params })
})

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
  await network.database.rows(`update webhooks set former_secret_until = now() where id = $1`, [hook.id])
  const one = await sent()
  expect(verified(one, renewed.secret).type).toBe('webhook.test')
  expect(() => verified(one, hook.secret)).toThrow()
  expect(JSON.stringify(await network.database.rows('select * from webhooks'))).not.toContain(renewed.secret)
})

it('a webhook whose every try has failed for 3 days is switched off, and says so', async () => {
  const { receiver, hook, params, draft } = await addWebhook('failing', ['room.created'])
  receiver.behave('fail')
  const room = await network.newRoom()
  const read = async () => (await network.admin.call('webhooks', {})).body.find(({ id }) => id === hook.id)
  const deliveries = async () => (await network.admin.call('webhookDeliveries', { params, query: {} })).body.data
  await until('the first try', async () => (await deliveries())[0]?.tries === 1)
  expect(await read()).toMatchObject({ isOn: true, waiting: 1, failingSince: expect.any(String) })
  const metrics = await (await fetch(`${network.server.address}/metrics`)).text()
  expect(metrics).toMatch(/^roomkeeper_webhooks_failing [1-9]/m)
  expect(metrics).toMatch(/^roomkeeper_webhook_deliveries_waiting [1-9]/m)
  // Something else was delivered meanwhile: then only this delivery ends.
  const threeDays = `now() - interval '3 days 1 minute'`
  const shift = (failingSince: string) =>
    network.database.rows(
      `with shifted as (update webhooks set failing_since = ${failingSince} where id = $1)
       update webhook_deliveries set first_try_at = ${threeDays}, next_try_at = now()
        where webhook_id = $1 and state = 'waiting'`,
      [hook.id],
    )
  await shift(`now() - interval '2 days'`)
  await until('the delivery to have ended', async () => (await deliveries())[0]?.state === 'ended')
  expect(await read()).toMatchObject({ isOn: true, switchedOffAt: null })

  await network.newRoom()
  await until('the first try of the second', async () => (await deliveries())[0]?.tries === 1)
  await network.newRoom()
  await until('the first try of the third', async () => (await deliveries())[0]?.tries === 1)
  await network.database.rows(`update webhooks set failing_since = ${threeDays} where id = $1`, [hook.id])
  await network.database.rows(
    `update webhook_deliveries set first_try_at = ${threeDays}, next_try_at = now()
      where id = (select id from webhook_deliveries where webhook_id = $1 and state = 'waiting' order by n limit 1)`,
    [hook.id],
  )
  await until('the webhook to be off', async () => (await read())?.isOn === false)
  await until('what waits to have ended', async () => (await deliveries()).every(({ state }) => state === 'ended'))
  expect(await read()).toMatchObject({ waiting: 0, switchedOffAt: expect.any(String) })
  const { body: audit } = await network.admin.call('audit', { query: { action: 'webhook.switch-off' } })
  expect(audit.data).toMatchObject([{ actor: 'system', detail: 'failing' }])
  await suspend(room)

  receiver.behave('accept')
  const { body: on } = await network.admin.call('changeWebhook', { params, body: draft })
  expect(on).toMatchObject({ isOn: true, switchedOffAt: null, failingSince: null })
  await network.newRoom()
  await allDelivered(network, hook.id)
  expect((await deliveries())[0]).toMatchObject({ state: 'delivered' })
  expect(await read()).toMatchObject({ failingSince: null, lastDeliveredAt: expect.any(String) })
})

it('a receiver that does not answer for 15 s has not got it', async () => {
  expect(await silent).toMatchObject({ state: 'ended', tries: 1, failure: 'timed-out', answer: null })
})
