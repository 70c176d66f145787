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
    `Ihr Projektraum ${room} wurde gesperrt`,
    `Ihr Projektraum ${room} wurde wieder freigegeben`,
  ].flatMap((subject) => ['owner@example.com', 'dora@example.com'].map((address) => [address, subject]))
  expect(told).toEqual(expected)
  const [first] = mailServer.mails
  expect(first?.from?.address).toBe('noreply@example.com')
  expect(first?.text).toContain("Guten Tag Øyvind O'Neil")
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
