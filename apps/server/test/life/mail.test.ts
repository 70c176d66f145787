/** The e-mails to customers, read back from a real SMTP server. */
import { bootNetwork, type Network, type RunningMailServer, startMailServer } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'

let mailServer: RunningMailServer
let network: Network
beforeAll(async () => {
  mailServer = await startMailServer()
  const env = { SMTP_URL: mailServer.url, MAIL_LANGUAGE: 'de', MAIL_FROM: 'Roomkeeper <noreply@example.com>' }
  network = await bootNetwork({ env })
})
afterAll(async () => {
  await network?.stop()
  await mailServer?.stop()
})

// shows: mail-created
it('owner and delegate learn in the set language that their room was made, suspended and resumed', async () => {
  const room = await network.newRoom({ additionalEmail: 'dora@example.com', licenses: { YABD: 2 } })
  await network.admin.call('suspendRoom', { body: { roomName: room, userNotification: true } })
  await network.admin.call('resumeRoom', { body: { roomName: room, userNotification: true } })
  const told = mailServer.mails.map((mail) => [mail.to?.[0]?.address, mail.subject])
  const expected = [
    `Ihr Projektraum ${room} ist bereit`,
    `Ihr Projektraum ${room} wurde angehalten`,
    `Ihr Projektraum ${room} wurde fortgesetzt`,
  ].flatMap((subject) => ['owner@example.com', 'dora@example.com'].map((address) => [address, subject]))
  expect(told).toEqual(expected)
  const [first] = mailServer.mails
  expect(first?.from?.address).toBe('noreply@example.com')
  expect(first?.text).toContain("Guten Tag Øyvind O'Neil")
  expect(first?.text).toContain(`${network.regions[0]?.url}/${room}`)
  // The console knows the owner's name only.
  expect(mailServer.mails[1]?.text).toContain('Guten Tag,')
})

it('a mail goes to one mailbox, whatever the field for the address holds', async () => {
  const room = await network.newRoom()
  const suspendWith = async (email: string) => {
    await network.database.rows('update rooms set customer_email = $1 where name = $2', [email, room])
    const before = mailServer.mails.length
    await network.admin.call('suspendRoom', { body: { roomName: room, userNotification: true } })
    await network.admin.call('resumeRoom', { body: { roomName: room, userNotification: false } })
    return mailServer.mails.slice(before).map((mail) => mail.to?.map(({ address }) => address))
  }
  expect(await suspendWith('Owner <only@example.com>')).toEqual([['only@example.com']])
  expect(await suspendWith('one@example.com, two@example.com')).toEqual([])
})

it('a mail that is refused keeps nothing from happening, and the log says so', async () => {
  mailServer.refuse('gone@example.com')
  const room = await network.newRoom({ customerEmail: 'gone@example.com' })
  const suspended = await network.admin.call('suspendRoom', { body: { roomName: room, userNotification: true } })
  expect(suspended).toMatchObject({ status: 200, body: { projectRoomState: 'SUSPENDED' } })
  const [operation] = await network.database.rows<{ id: string }>(
    `select id from operations where room_name = $1 and kind = 'room.suspend'`,
    [room],
  )
  const { lines } = (await network.admin.call('operationLog', { query: { processId: operation?.id ?? '' } })).body
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 'warning',
      text: 'tell the stakeholders: the e-mail to the owner could not be sent',
    }),
  )
})
