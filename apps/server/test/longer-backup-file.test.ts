/** A backup store that returns more than was stored. */
import { connect } from 'node:net'
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type LyingStore, startLyingStore } from './lying-store.ts'

let store: LyingStore
let network: Network
let room: string
beforeAll(async () => {
  store = await startLyingStore()
  const { endpoint } = store
  network = await bootNetwork({
    regions: 1,
    env: {
      BACKUP_STORE: 's3://bucket/console',
      OBJECT_STORE_ENDPOINT: endpoint,
      OBJECT_STORE_ACCESS_KEY: 'access',
      OBJECT_STORE_SECRET_KEY: 'secret',
    },
  })
})
beforeEach(async () => {
  room = await network.newRoom()
  await network.admin.call('suspendRoom', { body: { roomName: room } })
  await network.settle()
})
afterAll(async () => {
  await network?.stop()
  await store?.stop()
})

it('has no whole backup: what is read back ends where it differs', async () => {
  store.sends = 'and more'
  expect(await backUp()).toMatchObject([{ state: 'failed', error: expect.stringContaining('not the one') }])
  expect(await network.database.rows('select id from room_backups where room_name = $1', [room])).toEqual([])
})

it('brings nothing into what is answered after a download', async () => {
  store.sends = 'what was put'
  expect(await backUp()).toMatchObject([{ state: 'done' }])
  const sql = 'select id from room_backups where room_name = $1'
  const [backup] = await network.database.rows<{ id: string }>(sql, [room])
  store.sends = 'and more'
  const heard = await download(`/api/operator/room/backups/${backup?.id}/content`)
  const endOfHead = heard.indexOf('\r\n\r\n') + 4
  // The announced length of the file, or of an error instead.
  const announced = Number(/content-length: (\d+)/i.exec(heard)?.[1])
  expect(heard.length - endOfHead).toBeLessThanOrEqual(announced)
})

async function backUp() {
  const { body } = await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
  await network.settle()
  return network.database.rows('select state, error from operations where id = $1', [body.operationId])
}

/** Reads everything until the console closes the connection, but at most a large amount. */
async function download(path: string): Promise<string> {
  const { hostname, port } = new URL(network.server.address)
  const socket = connect(Number(port), hostname)
  socket.setEncoding('latin1')
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${network.admin.token}\r\n\r\n`,
  )
  let heard = ''
  for await (const text of socket) {
    heard += text
    if (heard.length > 10_000_000) break
  }
  return heard
}
