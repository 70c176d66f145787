/** One worker at a time regularly checks the health of regions; the overview names what is wrong with them, and else. */
import { once } from 'node:events'
import { rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  bootNetwork,
  type Network,
  type RunningMailServer,
  skewedClock,
  startMailServer,
  startWebhookReceiver,
} from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { interceptCalls } from './migrations/intercept-calls.ts'

let network: Network
let mailServer: RunningMailServer
const ends: (() => void)[] = []
beforeAll(async () => {
  mailServer = await startMailServer()
  network = await bootNetwork({
    regions: 3,
    env: {
      REGION_HEALTH_SECONDS: '2',
      WORKER_LEASE_SECONDS: '2',
      WEBHOOK_NETWORKS: '127.0.0.0/8',
      SMTP_URL: mailServer.url,
    },
  })
})
afterAll(async () => {
  await network?.stop()
  await mailServer?.stop()
  for (const end of ends) end()
})

async function healthOf(...ids: number[]) {
  const { body } = await network.admin.call('regions', {})
  return ids.map((id) => body.find(({ regionId }) => regionId === id)?.health)
}

const waiting = { timeout: 30_000, interval: 200 }

// shows: C-regions
it('of a silent and of a hanging region is told without a call, and so is that they are back; disabled ones are not asked', async () => {
  let asked = 0
  const disabled = createServer((_, answer) => {
    asked += 1
    answer.destroy()
  }).listen(0, '127.0.0.1')
  await once(disabled, 'listening')
  ends.push(() => disabled.close())
  await network.database.rows(
    `insert into regions (name, url, user_name, password, system_password, products, state)
      select 'disabled', $1, user_name, password, system_password, products, 'disabled' from regions where id = 1`,
    [`http://127.0.0.1:${(disabled.address() as AddressInfo).port}`],
  )
  await expect.poll(() => healthOf(1, 2, 3), waiting).toEqual(['answers', 'answers', 'answers'])

  await network.setRegionFaults([{ path: '/region/v1/', action: 'hang', times: 1000 }], 1)
  await network.regions[0]?.stop('SIGKILL')
  await expect.poll(() => healthOf(1, 2, 3), waiting).toEqual(['unreachable', 'unreachable', 'answers'])
  await network.setRegionFaults([], 1)
  await network.restartRegion(0)
  await expect.poll(() => healthOf(1, 2, 3), waiting).toEqual(['answers', 'answers', 'answers'])
  expect(asked).toBe(0)
})

// shows: C-attention
it('the overview names within 15 s what is wrong, to those who may act on it, and nothing when it is mended', async () => {
  await network.database.rows(`delete from regions where name = 'disabled'`)
  const within = { timeout: 15_000, interval: 200 }
  const kinds = async (client = network.admin) =>
    (await client.call('attention', {})).body.map(({ kind, severity, count }) => [kind, severity, count])
  expect(await kinds()).toEqual([])
  // A store without a backup would be taken for a new one.
  const kept = await network.newSuspendedRoom({ region: 3 })
  await network.admin.call('backupRoom', { query: { projectRoomName: kept, isD2O: false } })
  await network.settle()
  const told = await startWebhookReceiver()
  const deaf = await startWebhookReceiver()
  ends.push(told.stop, deaf.stop)
  const hook = { events: ['attention.changed' as const], isOn: true }
  await network.admin.call('createWebhook', { body: { ...hook, name: 'told', url: told.url } })
  await network.admin.call('createWebhook', { body: { ...hook, name: 'deaf', url: deaf.url } })

  deaf.behave('fail')
  const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  mailServer.refuse('owner@attention.example', { status: 451, text: 'Later.' })
  const room = await network.newRoom({
    region: 3,
    customerEmail: 'owner@attention.example',
    expirationDate: inThreeDays,
  })
  await network.database.rows(`update rooms set state = 'ERROR' where name = $1`, [room])
  const late = await network.addServer({ PROCESS: 'worker', ...skewedClock(-240) })
  const folder = join(network.dir, 'server', 'backups')
  await rename(folder, `${folder}-elsewhere`)
  await network.regions[0]?.stop('SIGKILL')
  await network.regions[1]?.stop('SIGKILL')
  const wrong = [
    ['clock-off', 'error', null],
    ['mails-not-delivered', 'error', 1],
    ['region-down', 'error', 0],
    ['region-down', 'error', 0],
    ['store-missing', 'error', null],
    ['store-missing', 'error', null],
    ['rooms-expiring', 'warning', 1],
    ['rooms-failed', 'warning', 1],
    ['rooms-without-backup', 'warning', 1],
    ['webhooks-failing', 'warning', 1],
  ]
  const sorted = async (client = network.admin) => (await kinds(client)).toSorted()
  await expect.poll(() => sorted(), within).toEqual(wrong.toSorted())
  const forSupport = wrong.filter(([kind]) => /region|rooms/.test(String(kind)))
  expect(await sorted(await network.as('CLOUD_SUPPORT'))).toEqual(forSupport.toSorted())
  const { body } = await network.admin.call('attention', {})
  expect(body.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['The region region-2 does not answer.', '1 project room has failed.']),
  )
  expect(body.find(({ kind }) => kind === 'clock-off')?.params).toMatchObject({ seconds: -240 })

  deaf.behave('accept')
  mailServer.refuse('owner@attention.example', false)
  await late.stop()
  await rename(`${folder}-elsewhere`, folder)
  await Promise.all([network.restartRegion(0), network.restartRegion(1)])
  await network.database.rows('delete from rooms where name = $1', [room])
  await expect.poll(() => sorted(), { ...within, timeout: 45_000 }).toEqual([])
  const kindsTold = (what: string) =>
    told.received
      .map(({ body: text }) => (JSON.parse(text) as { data: { what: string; kind: string } }).data)
      .filter((data) => data.what === what)
      .map(({ kind }) => kind)
  for (const what of ['began', 'ended'])
    await expect
      .poll(() => kindsTold(what), within)
      .toEqual(expect.arrayContaining(['region-down', 'clock-off', 'rooms-failed']))
}, 180_000)

// shows: C-today
it('what was done on a day is counted by kind and hour, without what policies do', async () => {
  const day = new Date(Date.now() - 3_600_000).toISOString()
  const read = async () => (await network.admin.call('today', { query: { day } })).body
  const before = await read()
  await network.newSuspendedRoom({ region: 3 })
  await network.settle()
  const ended = `insert into operations (id, kind, version, room_name, input, state, started_by, ended_at)
    values (gen_random_uuid(), $1, 1, 'room', '{}', $2, 'bench', now())`
  await network.database.rows(ended, ['room.backup-scheduled', 'done'])
  await network.database.rows(ended, ['room.migrate', 'failed'])
  const { from, counts, hours } = await read()
  expect(from).toBe(day)
  const added = counts.map(({ kind, count }, at) => [kind, count - (before.counts[at]?.count ?? 0)])
  expect(Object.fromEntries(added)).toMatchObject({ created: 1, suspended: 1, failed: 1, moved: 0, 'backed-up': 0 })
  expect(hours).toHaveLength(24)
  const sum = (of: typeof hours) => of.reduce((all, { operations }) => all + operations, 0)
  expect(sum(hours) - sum(before.hours)).toBe(3)
  expect(sum(hours.slice(2))).toBe(0)
  expect(hours[1]?.at).toBe(new Date(Date.parse(day) + 3_600_000).toISOString())
  // A day of the calendar counts in UTC.
  const { body } = await network.admin.call('today', { query: { day: '2020-02-29' } })
  expect([body.from, sum(body.hours)]).toEqual(['2020-02-29T00:00:00.000Z', 0])
  // On a day on which clocks change, as in Berlin, the last hour is its 23rd or 25th.
  for (const [day, to, last, length] of [
    ['2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00', '2026-03-29T23:59:59+02:00', 23],
    ['2025-10-26T00:00:00+02:00', '2025-10-27T00:00:00+01:00', '2025-10-26T23:59:59+01:00', 25],
  ] as const) {
    await network.database.rows(ended.replace('now()', `'${last}'`), ['room.edit', 'done'])
    const { hours } = (await network.admin.call('today', { query: { day, to } })).body
    expect([hours.length, hours.at(-1)?.operations, sum(hours)]).toEqual([length, 1, 1])
    expect(Date.parse(hours.at(-1)?.at ?? '')).toBe(Date.parse(to) - 3_600_000)
  }
  const refused = network.admin.call('today', { query: { day: '2026-03-29', to: '2026-04-29T00:00:00Z' } })
  await expect(refused).rejects.toMatchObject({ problem: { errors: [{ field: 'to', code: 'not-end-of-day' }] } })
})

// shows: C-capacity
it('the capacity of regions has the trend of their rooms and the day on which they are full', async () => {
  const read = async (product?: 'MINING') => (await network.admin.call('capacity', { query: { product } })).body
  // A process that starts records the rooms of now.
  const late = await network.addServer({ PROCESS: 'worker' })
  await expect.poll(async () => (await read()).map(({ trend }) => trend.length), waiting).toEqual([1, 1, 1])
  await late.stop()
  const [, second, third] = await read()
  expect(second).toMatchObject({ regionName: 'region-2', limit: null, fullOn: null })
  const today = third?.trend[0]?.day ?? ''
  expect(third?.trend).toEqual([{ day: today, rooms: third?.rooms }])
  const dayIn = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)

  // Two more each day, and places for seven more.
  const grow = `insert into region_days (region_id, day, rooms)
    select 3, $1::date - n, $2 - 2 * n from generate_series(1, $3::int) as n on conflict do nothing`
  await network.database.rows('update regions set max_rooms = room_count + 7 where id = 3')
  await network.database.rows(grow, [today, third?.rooms, 5])
  expect((await read())[2]?.fullOn).toBeNull()
  await network.database.rows(grow, [today, third?.rooms, 100])
  const { trend = [], fullOn } = (await read())[2] ?? {}
  expect([trend.length, trend[0]?.day, fullOn]).toEqual([90, dayIn(-89), dayIn(4)])
  await network.database.rows('update region_days set rooms = -rooms where region_id = 3')
  expect((await read())[2]?.fullOn).toBeNull()

  await network.database.rows(`update regions set products = '{ARIS}' where id = 2`)
  expect((await read('MINING')).map(({ region }) => region)).toEqual([1, 3])
})

it('is asked for by one process at a time, and by the others when one has died', async () => {
  let signIns = 0
  let calls = 0
  ends.push(
    await interceptCalls(network, 2, ({ method, path }) => {
      calls += 1
      if (method === 'POST' && path.endsWith('/session')) signIns += 1
    }),
  )
  const other = await network.addServer()
  const reached = (count: number) => expect.poll(() => calls, waiting).toBeGreaterThanOrEqual(count)
  await reached(6)
  // Each process signs in for itself.
  expect(signIns).toBeLessThanOrEqual(2)
  await network.server.stop('SIGKILL')
  await reached(calls + 6)
  expect(signIns).toBe(2)
  await other.stop()
})
