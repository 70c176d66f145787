/** The e-mails that remind of rooms that soon expire, read back from a real SMTP server; the clock is the test's. */

import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, mailServerId } from '@roomkeeper/contract'
import {
  bootNetwork,
  type Network,
  type RunningMailServer,
  repository,
  startMailServer,
  startWebhookReceiver,
  until,
} from '@roomkeeper/dev-env'
import { dayInUtc } from '@roomkeeper/rules'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from '#platform/database.ts'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import { sendDueReminders } from '#rooms/expiry/start-reminders.ts'
import { doAlone } from './do-alone.ts'
import { insertRooms } from './room-rows.ts'

const days = [30, 7, 1]
let mailServer: RunningMailServer
let network: Network
let databases: Database[]
beforeAll(async () => {
  mailServer = await startMailServer()
  network = await bootNetwork({ env: { SMTP_URL: mailServer.url, MAIL_LANGUAGE: 'de' } })
  databases = [1, 2].map(() => openDatabase(network.database.url, { timeoutSeconds: 15 }))
})
afterAll(async () => {
  await Promise.all((databases ?? []).map((database) => database.close()))
  await network?.stop()
  await mailServer?.stop()
})

const at = (dayFromNow: number) => new Date(Date.now() + dayFromNow * 86_400_000)
async function newRoom(expiresIn: number): Promise<string> {
  const name = await network.newRoom({ expirationDate: dayInUtc(at(expiresIn)), salesmanEmail: 'sales@example.com' })
  await network.mailsTried()
  return name
}

/** Two workers look at the same moment. @returns who was told about which day */
async function remindedOn(day: number): Promise<string[]> {
  mailServer.mails.length = 0
  await Promise.all(databases.map((database) => sendReminders(database, days, at(day))))
  // One of the two may have had no turn.
  await sendDueReminders(databases[0] as Database, days, at(day))
  await network.mailsTried()
  return mailServer.mails.map(({ to, subject }) => `${to?.[0]?.address}: ${subject}`).sort()
}

// shows: expiry-mails
it('owner and sales contact are reminded once on each of the days, however often processes look', async () => {
  const name = await newRoom(40)
  const day = dayInUtc(at(40)).split('-').reverse().join('.')
  const both = [
    `owner@example.com: Der Projektraum ${name} gilt bis ${day}`,
    `sales@example.com: Der Projektraum ${name} gilt bis ${day}`,
  ]
  expect(await remindedOn(9)).toEqual([])
  expect(await remindedOn(10)).toEqual(both)
  expect(await remindedOn(10)).toEqual([])
  expect(await remindedOn(32)).toEqual([])
  expect(await remindedOn(33)).toEqual(both)
  expect(await remindedOn(39)).toEqual(both)
  const ledToConsole = mailServer.mails.filter(({ text }) => text?.includes(`/project/edit_project_room/${name}\n`))
  expect(ledToConsole.map(({ to }) => to?.[0]?.address)).toEqual(['sales@example.com'])
  expect(await remindedOn(40)).toEqual([])
  expect(await remindedOn(41)).toEqual([])
  const { body: history } = await network.admin.call('roomHistory', { query: { projectRoom: name } })
  expect(JSON.stringify(history).match(/"room\.remind"/g)).toHaveLength(3)
  expect(history.data.find(({ action }) => action === 'room.remind')).toMatchObject({
    detail: `1 day before ${day}`,
    detailReasons: [{ code: 'audit-reminder', params: { days: 1, day } }],
  })
})

it('after an outage only the last of what was due is sent, and another last day is reminded of anew', async () => {
  const name = await newRoom(60)
  // No worker looked on the day when 30 days were left.
  expect(await remindedOn(55)).toHaveLength(2)
  expect(await remindedOn(55)).toEqual([])
  await network.database.rows('update rooms set expiration_date = $1 where name = $2', [dayInUtc(at(90)), name])
  expect(await remindedOn(56)).toEqual([])
  expect(await remindedOn(60)).toHaveLength(2)
})

it('a room that is extended between the reminder and its e-mail is not reminded of', async () => {
  const name = await newRoom(100)
  await network.server.stop()
  await sendDueReminders(databases[0] as Database, days, at(70))
  await network.database.rows('update rooms set expiration_date = null where name = $1', [name])
  mailServer.mails.length = 0
  await network.restartServer()
  await network.mailsTried()
  expect(mailServer.mails).toEqual([])
})

it('a reminder that has waited for the mail server is not sent when its room was extended meanwhile', async () => {
  const name = await newRoom(130)
  for (const address of ['owner@example.com', 'sales@example.com'])
    mailServer.refuse(address, { status: 451, text: 'Try again later.' })
  expect(await remindedOn(100)).toEqual([])
  await network.database.rows('update rooms set expiration_date = $1 where name = $2', [dayInUtc(at(230)), name])
  for (const address of ['owner@example.com', 'sales@example.com']) mailServer.refuse(address, false)
  await network.database.rows(
    `update webhook_deliveries set next_try_at = now() where state = 'waiting' and claim is null`,
  )
  const reminder = async () => {
    const { body: history } = await network.admin.call('roomHistory', { query: { projectRoom: name } })
    return history.data.find(({ action }) => action === 'room.remind')
  }
  await until('both to end', async () => (await reminder())?.mails.every(({ state }) => state === 'ended') === true)
  const reasons = ((await reminder())?.mails ?? []).map(({ errorReasons }) => errorReasons)
  expect(reasons).toEqual([[{ code: 'mail-not-needed', params: {} }], [{ code: 'mail-not-needed', params: {} }]])
  expect(mailServer.mails).toEqual([])
})

it('an e-mail that fails keeps the other one from nothing, and can be sent again', async () => {
  const name = await newRoom(20)
  mailServer.refuse('owner@example.com')
  expect((await remindedOn(0)).map((mail) => mail.split(':')[0])).toEqual(['sales@example.com'])
  expect(await remindedOn(0)).toEqual([])
  const { body: history } = await network.admin.call('roomHistory', { query: { projectRoom: name } })
  const mails = history.data.find(({ action }) => action === 'room.remind')?.mails ?? []
  expect(mails).toMatchObject([
    { to: 'owner@example.com', state: 'ended', errorReasons: [{ code: 'mail-refused' }] },
    { to: 'sales@example.com', state: 'delivered', errorReasons: [] },
  ])
  mailServer.refuse('owner@example.com', false)
  const params = { id: mailServerId, deliveryId: mails[0]?.id ?? '' }
  await network.admin.call('resendWebhookDelivery', { params })
  expect(mailServer.mails.map(({ to }) => to?.[0]?.address)).toEqual(['owner@example.com'])
})

it('of many that are due at once, a few are begun at a time', async () => {
  const [database] = databases as [Database]
  const rooms = Array.from({ length: 25 }, () => ({ regionId: 1, expirationDate: dayInUtc(at(160)) }))
  await insertRooms(database.db, rooms)
  await network.server.stop()
  const open = async () =>
    (await network.database.rows(`select from operations where kind = 'room.remind' and ended_at is null`)).length
  const look = () => sendDueReminders(database, days, at(159))
  expect([await look(), await open()]).toEqual([true, 20])
  expect([await look(), await open()]).toEqual([true, 20])
  mailServer.mails.length = 0
  await network.restartServer()
  await network.mailsTried()
  expect(mailServer.mails).toHaveLength(40)
  expect(await look()).toBe(false)
  await network.mailsTried()
  expect(mailServer.mails).toHaveLength(50)
})

// shows: drill
it('a drill on the same data sends nothing to a region, a mail server or a webhook, runs nothing and changes nothing', async () => {
  const receiver = await startWebhookReceiver()
  const name = await newRoom(20)
  const hook = { name: 'Chat', url: 'https://hooks.example', events: ['room.suspended' as const], isOn: true }
  await network.admin.call('createWebhook', { body: hook })
  await network.admin.call('suspendRoom', { body: { roomName: name, userNotification: false } })
  await network.settle()
  await network.server.stop()
  await network.database.rows('update webhooks set url = $1', [receiver.url])
  await network.database.rows(`update webhook_deliveries set next_try_at = now() where state = 'waiting'`)
  const unfinished = `update operations set state = 'waiting', ended_at = null, worker_id = null
                       where kind = 'room.suspend' and room_name = $1 returning id`
  const [waiting] = await network.database.rows<{ id: string }>(unfinished, [name])
  const unused = { method: '*', path: '/region/v1/', action: 'status', status: 503, times: 1000 }
  await network.setRegionFaults([unused])
  mailServer.mails.length = 0
  // The console has kept anchors in its store, and the drill has another end of the trail than they say.
  const store = join(network.dir, 'server/backups')
  const files = createFileStore({ kind: 'folder', folder: store }, databases[0] as Database)
  await files.put('first', Readable.from([Buffer.from('file')], { objectMode: false }))
  const anchor = join(store, 'audit-anchor.json')
  const inProduction = JSON.stringify({
    position: 999_999,
    hash: '0'.repeat(64),
    keptAt: new Date().toISOString(),
    missed: [],
  })
  await writeFile(anchor, inProduction)
  const env = {
    EXPIRY_REMINDER_DAYS: '30',
    WEBHOOK_NETWORKS: '127.0.0.0/8',
    REGION_HEALTH_SECONDS: '1',
    ROOM_RECORD_SECONDS: '1',
  }
  const drill = await network.addServer({ ...env, PROCESS: 'drill' })
  const admin = await network.newSession({}, drill)
  const visitor = createClient({ base: drill.address, token: () => null })
  expect((await visitor.call('maintenance', {})).body).toMatchObject({ isDrill: true })
  expect((await admin.call('listRooms', { query: { size: 100 } })).body.data.map((room) => room.tenantName)).toContain(
    name,
  )
  const selection = { rooms: [name] }
  const preflight = { action: 'resume' as const, selection, parameters: { userNotification: false } }
  expect((await admin.call('preflightBulk', { body: preflight })).body).toMatchObject({ total: 1 })
  const refusedCalls = [
    () => admin.call('resumeRoom', { body: { roomName: name, userNotification: true } }),
    () => admin.call('retryOperation', { params: { id: waiting?.id ?? '' } }),
    () => admin.call('testRegion', { body: { id: 1 } }),
    () => admin.call('runDoctor', {}),
    () => admin.call('deleteUser', { params: { id: 'somebody' } }),
    () => admin.call('saveMaintenance', { body: { maintenanceMode: true, maintenanceMessage: 'x' } }),
    () => visitor.call('forgotRoomName', { body: { email: 'owner@example.com' } } as never),
  ]
  for (const call of refusedCalls) await expect(call()).rejects.toMatchObject({ code: 'drill' })
  await expect(admin.call('roomLicences', { query: { projectRoom: name } })).rejects.toMatchObject({
    code: 'region-unreachable',
  })
  await pause(6000)
  const rules = await fetch(`${network.regions[0]?.url}/faults`)
  expect(await rules.json()).toEqual([expect.objectContaining({ times: 1000 })])
  expect([mailServer.mails, receiver.received]).toEqual([[], []])
  const open = `select state from operations where id = $1`
  expect(await network.database.rows(open, [waiting?.id])).toEqual([{ state: 'waiting' }])
  expect(await (await fetch(`${drill.address}/metrics`)).text()).not.toMatch(/^roomkeeper_mail_server_set/m)
  await drill.stop()
  expect(await readFile(anchor, 'utf8')).toBe(inProduction)
  const cutOff = `select from doctor_findings where kind = 'audit-cut-off'`
  expect(await network.database.rows(cutOff)).toEqual([])
  await rm(anchor)
  // The same data, in a console that is no drill.
  await network.setRegionFaults([])
  await network.restartServer(env)
  await until('the webhook is called', async () => receiver.received.length > 0, 30)
  await until('the owner is reminded', async () => mailServer.mails.length > 0, 30)
  await receiver.stop()
  expect(await recurringWork()).toEqual(await documentedWork())
})

async function recurringWork(): Promise<Set<string | undefined>> {
  const figures = await (await fetch(`${network.server.address}/metrics`)).text()
  return new Set([...figures.matchAll(/^roomkeeper_recurring_seconds_total\{work="([^"]+)"/gm)].map(([, work]) => work))
}

async function documentedWork(): Promise<Set<string | undefined>> {
  const page = await readFile(join(repository, 'docs/architecture.md'), 'utf8')
  const section = page.split('## Recurring work')[1]?.split('\n## ')[0] ?? ''
  return new Set([...section.matchAll(/^\| (?!work |-)([^|]+) \|/gm)].map(([, work]) => work))
}

/** As the server does it: one process at a time. */
function sendReminders(database: Database, days: readonly number[], now: Date): Promise<void> {
  return doAlone(database, 'reminders of expiry', () => sendDueReminders(database, days, now))
}
