/** Rooms move to examples/region-python, a region in another language that shares no code with the reference, and back. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  bootNetwork,
  canStartPythonRegion,
  type Network,
  type PythonRegion,
  registerRegion,
  startPythonRegion,
} from '@roomkeeper/dev-env'
import type { RegionClient } from '@roomkeeper/region-protocol'
import { sourceOf } from '@roomkeeper/region-protocol/conformance'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeDocuments } from '../life/room-life.ts'
import { endSessions, entriesOf, moveAll, newMigration } from './moves.ts'

const isPythonThere = canStartPythonRegion()
let network: Network
let python: PythonRegion
beforeAll(async () => {
  if (!isPythonThere) return
  network = await bootNetwork({ regions: 1 })
  python = await startPythonRegion({ name: 'python', dataDir: join(network.dir, 'python') })
  await registerRegion(network.admin, python)
})
afterAll(async () => {
  await python?.stop()
  await network?.stop()
})

const reference = () => (network.regions[0] as Network['regions'][number]).client
const digestIn = async (client: RegionClient, room: string) =>
  (await client.runJob(randomUUID(), { type: 'digestRoom', room })).digest

const exportPassword = 'päss 😀'
const vectors = new URL('../../../../packages/region-protocol/vectors/files/', import.meta.url)

/** Databases with every kind of value, structures, a view, a trigger, and texts that are not UTF-8. */
async function importVectors(room: string): Promise<void> {
  const client = reference()
  const roomId = (await client.room(room))?.roomId ?? ''
  for (const database of ['values', 'structures']) {
    const file = `vector-${randomUUID()}`
    await client.putFile(file, sourceOf(readFileSync(new URL(`${database}.adb`, vectors))))
    await client.runJob(randomUUID(), {
      type: 'importDatabase',
      room,
      roomId,
      database,
      file,
      password: exportPassword,
    })
  }
}

async function migrate(rooms: string[], direction: { sourceRegion: number; targetRegion: number }): Promise<void> {
  const migrationId = await newMigration(network, { ...direction, routing: true })
  await moveAll(network, { migrationId, rooms })
  expect(await entriesOf(network, migrationId)).toMatchObject(
    rooms.map((room_name) => ({ room_name, outcome: 'migrated', error: '' })),
  )
}

it.skipIf(!isPythonThere)(
  'rooms move to a region in Python and back, active and suspended ones, and lose nothing',
  async () => {
    const active = await network.newRoom()
    await writeDocuments(network, active, { one: { from: 'a user' }, two: { text: 'ö'.repeat(2000), real: 1e21 } })
    await endSessions(network, active)
    await importVectors(active)
    const suspended = await network.newSuspendedRoom()
    const rooms = [active, suspended]
    const before = await Promise.all(rooms.map((room) => digestIn(reference(), room)))

    await migrate(rooms, { sourceRegion: 1, targetRegion: 2 })
    for (const [index, room] of rooms.entries()) {
      expect(await reference().room(room)).toBeNull()
      expect(await digestIn(python.client, room)).toBe(before[index])
      expect((await python.client.room(room))?.state).toBe(index === 0 ? 'active' : 'suspended')
    }
    const visit = await fetch(`${network.regions[0]?.url}/${active}`, { redirect: 'manual' })
    expect([visit.status, visit.headers.get('location')]).toEqual([307, `${python.url}/${active}`])

    // The console works with the room there, and its users do.
    await network.admin.call('suspendRoom', { body: { roomName: active, userNotification: false } })
    await network.settle()
    await network.admin.call('resumeRoom', { body: { roomName: active, userNotification: false } })
    await network.settle()
    const { token, id } = await python.client.openSession(active, 'owner@example.com')
    const written = await fetch(`${python.url}/rooms/${active}/databases/main/documents/three`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ written: 'in Python' }),
    })
    expect(written.ok).toBe(true)
    await python.client.endSession(active, id)
    await python.restart()
    const changed = await digestIn(python.client, active)
    expect(changed).not.toBe(before[0])

    await migrate(rooms, { sourceRegion: 2, targetRegion: 1 })
    expect(await digestIn(reference(), active)).toBe(changed)
    expect(await digestIn(reference(), suspended)).toBe(before[1])
    for (const room of rooms) expect(await python.client.room(room)).toBeNull()
    const read = await fetch(`${network.regions[0]?.url}/rooms/${active}/databases/main/documents/three`, {
      headers: { authorization: `Bearer ${(await reference().openSession(active, 'owner@example.com')).token}` },
    })
    expect(await read.json()).toEqual({ written: 'in Python' })
    expect(await network.doctor()).toEqual([])
  },
)
