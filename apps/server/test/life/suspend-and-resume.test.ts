/** Suspending and resuming: the effect on the region, e-mails and failures. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork()
})
afterAll(() => network?.stop())

// shows: C-suspendRoom, C-resumeRoom, states-suspend
it('a suspended room lets nobody in, a resumed one does', async () => {
  const room = await network.newRoom()
  const user = await userOf(room)
  expect([await user.write('before'), await user.read()]).toEqual([200, 200])
  const suspended = await network.admin.call('suspendRoom', { body: { roomName: room, userNotification: false } })
  expect(suspended).toMatchObject({ status: 200, body: { projectRoomState: 'SUSPENDED', runningOperation: null } })
  expect((await onRegion(room))?.state).toBe('suspended')
  expect([await user.write('meanwhile'), await user.read()]).toEqual([403, 403])
  const resumed = await network.admin.call('resumeRoom', { body: { roomName: room, userNotification: false } })
  expect(resumed).toMatchObject({ status: 200, body: { projectRoomState: 'DEFAULT' } })
  expect((await onRegion(room))?.state).toBe('active')
  const again = await userOf(room)
  expect([await again.read(), await again.write('afterwards')]).toEqual([200, 200])
})

// shows: mail-not-wished
it('owner and delegate are told by e-mail, unless that was switched off', async () => {
  const room = await network.newRoom({ additionalEmail: 'dora@example.org', licenses: { YABD: 2 } })
  await network.admin.call('suspendRoom', { body: { roomName: room } })
  const mails = await mailsAbout(`Your project room ${room} has been suspended`)
  expect(mails.map((mail) => /^To: (.*)$/m.exec(mail)?.[1]).sort()).toEqual(['dora@example.org', 'owner@example.com'])
  await network.admin.call('resumeRoom', { body: { roomName: room, userNotification: false } })
  expect(await mailsAbout(`Your project room ${room} has been resumed`)).toEqual([])
})

it('a second suspend is refused, and says why', async () => {
  const room = await network.newRoom()
  await network.admin.call('suspendRoom', { body: { roomName: room } })
  await expect(network.admin.call('suspendRoom', { body: { roomName: room } })).rejects.toMatchObject({
    problem: { status: 409, detail: 'This project room is suspended.' },
  })
})

// shows: states-suspend-fails
it('when the region refuses, the room is as before and the answer says why', async () => {
  const room = await network.newRoom()
  await network.setRegionFaults([
    { method: 'POST', path: `/region/v1/rooms/${room}/suspend`, times: 100, action: 'status', status: 400 },
  ])
  await expect(network.admin.call('suspendRoom', { body: { roomName: room } })).rejects.toMatchObject({
    problem: { status: 502 },
  })
  await network.setRegionFaults([])
  const { body } = await network.admin.call('room', { query: { projectRoom: room } })
  expect(body).toMatchObject({ projectRoomState: 'DEFAULT', runningOperation: null })
  expect(body.failedOperationId).not.toBeNull()
})

/** A user who works in the room in a session opened just now. The calls return the statuses of the answers. */
async function userOf(room: string) {
  const region = network.regions[0] as Network['regions'][number]
  const { token } = await region.client.openSession(room, 'owner@example.com')
  const ask = async (init: RequestInit) => {
    const answer = await fetch(`${region.url}/rooms/${room}/databases/main/documents/one`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...init,
    })
    await answer.body?.cancel()
    return answer.status
  }
  return {
    read: () => ask({}),
    write: (text: string) => ask({ method: 'PUT', body: JSON.stringify(text) }),
  }
}

function onRegion(name: string) {
  return network.regions[0]?.client.room(name)
}

async function mailsAbout(subject: string): Promise<string[]> {
  await network.mailsTried()
  const outbox = join(network.dir, 'server/outbox')
  const mails = await Promise.all((await readdir(outbox)).map((name) => readFile(join(outbox, name), 'utf8')))
  return mails.filter((mail) => mail.includes(`Subject: ${subject}`))
}
