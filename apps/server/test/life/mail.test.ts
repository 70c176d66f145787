/** The e-mails to customers, read back from a real SMTP server, which is away and refuses addresses when told so. */
import { type Answer, mailServerId } from '@roomkeeper/contract'
import {
  bootNetwork,
  type FaultProxy,
  type Network,
  type RunningMailServer,
  startFaultProxy,
  startMailServer,
  until,
} from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createMailer, NoAnswer } from '#platform/mail.ts'
import { Secret } from '#platform/secrets.ts'
import { hurry } from '../webhooks/deliver-now.ts'

let mailServer: RunningMailServer
let way: FaultProxy
let network: Network
beforeAll(async () => {
  mailServer = await startMailServer()
  const url = new URL(mailServer.url)
  way = await startFaultProxy({ host: url.hostname, port: Number(url.port) })
  url.port = String(way.port)
  const env = { SMTP_URL: url.href, MAIL_LANGUAGE: 'de', MAIL_FROM: 'Roomkeeper <noreply@example.com>' }
  network = await bootNetwork({ env })
})
afterAll(async () => {
  await network?.stop()
  await way?.close()
  await mailServer?.stop()
})
beforeEach(() => {
  mailServer.mails.length = 0
})

const suspend = (roomName: string, userNotification = true) =>
  network.admin.call('suspendRoom', { body: { roomName, userNotification } })
const resume = (roomName: string, userNotification = true) =>
  network.admin.call('resumeRoom', { body: { roomName, userNotification } })
const addressees = () => mailServer.mails.map(({ to }) => to?.map(({ address }) => address))

async function newRoom(given: Parameters<Network['newRoom']>[0] = {}): Promise<string> {
  const name = await network.newRoom(given)
  await network.mailsTried()
  return name
}

type Entry = Answer<'roomHistory'>['body']['data'][number]

/** The newest entry of this action in the history of a room. */
async function entryOf(projectRoom: string, action: string): Promise<Entry> {
  const { body } = await network.admin.call('roomHistory', { query: { projectRoom } })
  const found = body.data.find((each) => each.action === action)
  if (found === undefined) throw new Error(`The history has no ${action}.`)
  return found
}

async function logOf(entry: Entry): Promise<{ level: string; text: string }[]> {
  const { body } = await network.admin.call('operationLog', { query: { processId: entry.operationId ?? '' } })
  return body.lines.map(({ level, text }) => ({ level, text }))
}

// shows: mail-created
it('owner and delegate learn in the set language that their room was made, suspended and resumed', async () => {
  const room = await network.newRoom({ additionalEmail: 'dora@example.com', licenses: { YABD: 2 } })
  await suspend(room)
  await resume(room)
  await network.mailsTried()
  const told = mailServer.mails.map((mail) => [mail.to?.[0]?.address, mail.subject])
  for (const address of ['owner@example.com', 'dora@example.com'])
    expect(told.filter(([to]) => to === address).map(([, subject]) => subject)).toEqual([
      `Ihr Projektraum ${room} ist bereit`,
      `Ihr Projektraum ${room} wurde angehalten`,
      `Ihr Projektraum ${room} wurde fortgesetzt`,
    ])
  expect(told).toHaveLength(6)
  const toOwner = mailServer.mails.find(({ to }) => to?.[0]?.address === 'owner@example.com')
  expect(toOwner?.from?.address).toBe('noreply@example.com')
  expect(toOwner?.text).toContain("Guten Tag Øyvind O'Neil")
  expect(toOwner?.text).toContain(`${network.regions[0]?.url}/${room}`)
  // The console knows the owner's name only.
  const toDelegate = mailServer.mails.find(({ to }) => to?.[0]?.address === 'dora@example.com')
  expect(toDelegate?.text).toContain('Guten Tag,')
})

it('a mail goes to one mailbox, whatever the field for the address holds', async () => {
  const room = await newRoom()
  const suspendWith = async (email: string) => {
    await network.database.rows('update rooms set customer_email = $1 where name = $2', [email, room])
    mailServer.mails.length = 0
    await suspend(room)
    await resume(room, false)
    await network.mailsTried()
    return addressees()
  }
  expect(await suspendWith('Owner <only@example.com>')).toEqual([['only@example.com']])
  // This mail server knows no quotes; that it has refused the address says that it was asked.
  expect(await suspendWith('"john doe"@example.com')).toEqual([])
  const [quoted] = (await entryOf(room, 'room.suspend')).mails
  expect(quoted?.errorText).toMatch(/^the mail server refused it: 501/)
  // Nothing says that it is the mailbox: it would be tried again.
  await network.database.rows(
    `update webhook_deliveries set state = 'ended', next_try_at = null where id = $1 and state = 'waiting'`,
    [quoted?.id],
  )
  expect(await suspendWith('one@example.com, two@example.com')).toEqual([])
  const entry = await entryOf(room, 'room.suspend')
  expect(entry.mails).toMatchObject([
    {
      state: 'ended',
      errorText: 'this is not the address of a single mailbox',
      to: 'one@example.com, two@example.com',
    },
  ])
  expect((await logOf(entry)).at(-1)).toEqual({
    level: 'warning',
    text: 'the e-mail to one@example.com, two@example.com was not delivered and is not tried again: this is not the address of a single mailbox',
  })
})

it('while the mail server is away the history and the log say so, and later the mails arrive once, in order', async () => {
  const room = await newRoom()
  mailServer.mails.length = 0
  await way.set({ refuse: true })
  expect(await suspend(room)).toMatchObject({ status: 200, body: { projectRoomState: 'SUSPENDED' } })
  await network.mailsTried()
  const waiting = await entryOf(room, 'room.suspend')
  expect(waiting).toMatchObject({
    outcome: { state: 'done' },
    mails: [{ to: 'owner@example.com', state: 'waiting', errorReasons: [{ code: 'mail-unreachable' }] }],
  })
  expect(await logOf(waiting)).toContainEqual({
    level: 'warning',
    text: expect.stringMatching(
      /^the e-mail to owner@example\.com is not delivered yet and is tried again: the mail server cannot be reached.*ECONNREFUSED/,
    ),
  })
  await resume(room)
  const health = await fetch(`${network.server.address}/metrics`)
  const metrics = await health.text()
  expect(metrics).toMatch(/^roomkeeper_mails_waiting 2$/m)
  expect(metrics).toMatch(/^roomkeeper_mails_oldest_waiting_seconds [\d.]+$/m)
  // A worker dies, and another one goes on.
  await network.server.stop('SIGKILL')
  await network.restartServer()
  await hurry(network)
  expect(mailServer.mails).toEqual([])
  await way.set({})
  await until('both to have arrived', async () => {
    await hurry(network)
    return mailServer.mails.length > 1
  })
  await network.mailsTried()
  expect(mailServer.mails.map(({ subject }) => subject)).toEqual([
    `Ihr Projektraum ${room} wurde angehalten`,
    `Ihr Projektraum ${room} wurde fortgesetzt`,
  ])
  const delivered = await entryOf(room, 'room.suspend')
  expect(delivered.mails).toMatchObject([{ state: 'delivered', errorText: null }])
  expect((await logOf(delivered)).at(-1)).toEqual({
    level: 'info',
    text: 'the e-mail to owner@example.com was handed to the mail server',
  })
})

it('a mail that is refused is not tried again and holds up no later one; it can be sent again', async () => {
  mailServer.refuse('gone@example.com')
  const room = await newRoom({ customerEmail: 'gone@example.com' })
  await suspend(room)
  await network.mailsTried()
  const entry = await entryOf(room, 'room.suspend')
  expect(entry.mails).toMatchObject([
    { to: 'gone@example.com', state: 'ended', errorText: 'the mail server refused it: 550 No such mailbox.' },
  ])
  expect((await logOf(entry)).at(-1)).toMatchObject({
    level: 'warning',
    text: expect.stringMatching(
      /^the e-mail to gone@example\.com was not delivered.*: the mail server refused it.*550/,
    ),
  })
  const listed = { params: { id: mailServerId }, query: { state: 'ended' as const } }
  const { body: ended } = await network.admin.call('webhookDeliveries', listed)
  const [mail] = entry.mails
  expect(ended.data.find(({ id }) => id === mail?.id)).toMatchObject({ room, type: 'mail.owner', tries: 1 })
  const params = { id: mailServerId, deliveryId: mail?.id ?? '' }
  expect((await network.admin.call('resendWebhookDelivery', { params })).body).toMatchObject({ state: 'ended' })
  mailServer.refuse('gone@example.com', false)
  expect((await network.admin.call('resendWebhookDelivery', { params })).body).toMatchObject({ state: 'delivered' })
  expect(addressees()).toEqual([['gone@example.com']])
  expect((await entryOf(room, 'mail.resend')).detail).toBe('gone@example.com')
  // The mail server is no webhook.
  const id = mailServerId
  expect((await network.admin.call('webhooks', {})).body).toEqual([])
  for (const call of ['testWebhook', 'deleteWebhook', 'renewWebhookSecret'] as const)
    await expect(network.admin.call(call, { params: { id } })).rejects.toMatchObject({ code: 'webhook-unknown' })
})

it('a mail that is refused because of its sender is tried again; what the mail server says is shown without what hides', async () => {
  const refuse = (status: number, text: string) => mailServer.refuse('relay@example.com', { status, text })
  refuse(554, '5.7.1 Relay\u202eaccess denied')
  const room = await newRoom({ customerEmail: 'relay@example.com' })
  const refused = async (state: string, said: string) => {
    const errorText = `the mail server refused it: ${said}`
    await until(`${state}, because of ${said}`, async () => {
      await hurry(network)
      const [mail] = (await entryOf(room, 'room.create')).mails
      return mail?.state === state && mail.errorText === errorText
    })
  }
  await refused('waiting', '554 5.7.1 Relay access denied')
  refuse(553, '5.1.8 Sender address rejected')
  await refused('waiting', '553 5.1.8 Sender address rejected')
  const failing = 'select from webhooks where id = $1 and failing_since is not null'
  expect(await network.database.rows(failing, [mailServerId])).toHaveLength(1)
  refuse(554, '5.1.1 Unknown mailbox')
  await refused('ended', '554 5.1.1 Unknown mailbox')
})

it('a mail that the mail server takes without an answer is sent once more, and then may have been delivered', async () => {
  const room = await newRoom()
  mailServer.mails.length = 0
  mailServer.holdAnswers()
  await suspend(room)
  const sentAgain = async (times: number) => {
    await until('the mail to be sent', async () => mailServer.mails.length === times)
    await way.set({ reset: true })
    await network.mailsTried()
    await until('the try to be recorded', async () => {
      const [mail] = (await entryOf(room, 'room.suspend')).mails
      return mail?.errorReasons.length === 1
    })
    await way.set({})
  }
  await sentAgain(1)
  const waiting = await entryOf(room, 'room.suspend')
  expect(waiting.mails).toMatchObject([{ state: 'waiting', errorReasons: [{ code: 'mail-unanswered' }] }])
  // In between it fails in another way, before anything is sent.
  await way.set({ refuse: true })
  const failed = async (code: string) => {
    await hurry(network)
    const [mail] = (await entryOf(room, 'room.suspend')).mails
    return mail?.errorReasons[0]?.code === code
  }
  await until('another failure', () => failed('mail-unreachable'))
  await way.set({})
  await hurry(network)
  await sentAgain(2)
  await until('it to end', async () => (await entryOf(room, 'room.suspend')).mails[0]?.state === 'ended')
  const ended = await entryOf(room, 'room.suspend')
  expect(ended.mails).toMatchObject([{ errorReasons: [{ code: 'mail-unanswered' }] }])
  expect((await logOf(ended)).at(-1)).toEqual({
    level: 'warning',
    text: 'the e-mail to owner@example.com may have been delivered and is not sent again: the mail server did not answer whether it accepts it, so it may have been delivered',
  })
  expect(mailServer.mails).toHaveLength(2)
  mailServer.holdAnswers(false)
})

it('what is not sent in time is never accepted, and the answer to the whole mail has a time of its own', async () => {
  const url = new URL(mailServer.url)
  url.port = String(way.port)
  const text = { subject: 'Slow', body: 'Slow.' }
  const mail = { id: 'slow', to: 'slow@example.com', text: { en: text, de: text } }
  const smtpUrl = new Secret(url.href)
  const send = createMailer({ smtpUrl, from: 'a@example.com', language: 'en', outbox: '' })
  await way.set({ latencyMilliseconds: 100 })
  await expect(send(mail, { sendMilliseconds: 500, answerMilliseconds: 10_000 })).rejects.toMatchObject({
    code: 'EABORT',
  })
  await until('the connection to be over', async () => way.connections() === 0)
  expect(mailServer.mails).toEqual([])
  await way.set({})
  mailServer.holdAnswers()
  await expect(send(mail, { sendMilliseconds: 10_000, answerMilliseconds: 300 })).rejects.toThrow(NoAnswer)
  mailServer.holdAnswers(false)
  expect(addressees()).toEqual([['slow@example.com']])
})
