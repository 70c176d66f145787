/** A room that its region lists as damaged is neither missing nor in order, and nothing treats it as deleted. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bootNetwork, callDoctor, type Network, uniqueRoomName } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  copyBehindTheConsole,
  findingsAbout,
  kindsOf,
  makeBehindTheConsole,
  regionAt,
  repair,
  roomIdOf,
  runDoctor,
} from './run-doctor.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
})
afterAll(() => network?.stop())

const folderOf = (name: string, index = 0) => join(regionAt(network, index).dataDir, 'rooms', name)

/** Damages a room while its region is stopped, behind the region's back. @returns a function that repairs it */
async function damage(name: string, file: 'room.json' | 'system.db', index = 0): Promise<() => Promise<void>> {
  const path = join(folderOf(name, index), file)
  await regionAt(network, index).stop()
  const whole = await readFile(path)
  await writeFile(path, 'this is not what it should be, and long enough to be seen as such')
  await network.restartRegion(index)
  return () => writeFile(path, whole)
}

describe('a room that is damaged', () => {
  it.each(['room.json', 'system.db'] as const)(
    'in its %s is told as such by every run, until its folder is in order again',
    async (file) => {
      const name = await network.newRoom()
      const mend = await damage(name, file)
      const [finding, ...more] = await findingsAbout(network, name)
      expect(more).toEqual([])
      expect(finding).toMatchObject({
        kind: 'room-damaged',
        severity: 'error',
        projectRoomName: name,
        isRoomKnown: true,
        regionName: 'region-1',
        repairs: [],
        facts: { reason: expect.stringMatching(/\w/) },
      })
      expect(finding?.text).toContain(`The region region-1 cannot read the project room ${name}`)
      expect(await findingsAbout(network, name)).toMatchObject([{ id: finding?.id, since: finding?.since }])
      const { findings, exitCode } = await callDoctor(network.settings)
      expect({ kinds: kindsOf(findings), exitCode }).toEqual({ kinds: ['room-damaged'], exitCode: 1 })
      await mend()
      expect(await runDoctor(network)).toEqual([])
    },
  )

  it('and that the console does not know is told too', async () => {
    const name = uniqueRoomName()
    await makeBehindTheConsole(regionAt(network, 1), name, randomUUID())
    const mend = await damage(name, 'room.json', 1)
    expect(await runDoctor(network)).toMatchObject([
      { kind: 'room-damaged', projectRoomName: name, isRoomKnown: false },
    ])
    await mend()
    const [unknown] = await runDoctor(network)
    expect(unknown).toMatchObject({ kind: 'room-unknown', projectRoomName: name })
    expect(await repair(network, unknown as NonNullable<typeof unknown>, 'adopt')).toMatchObject({ state: 'done' })
  })

  it('keeps its second copy: what may be the only whole one is not offered to be removed', async () => {
    const name = await network.newRoom()
    const roomId = await roomIdOf(network, name)
    await copyBehindTheConsole(regionAt(network, 0), regionAt(network, 1), { name, roomId })
    const [twice] = await findingsAbout(network, name)
    expect(twice).toMatchObject({ kind: 'room-twice', repairs: ['remove-copy'] })
    const mend = await damage(name, 'room.json')
    const found = (await findingsAbout(network, name)).toSorted((a, b) => a.kind.localeCompare(b.kind))
    expect(found.map(({ kind, repairs }) => ({ kind, repairs }))).toEqual([
      { kind: 'room-damaged', repairs: [] },
      { kind: 'room-twice', repairs: [] },
    ])
    const request = { params: { id: twice?.id ?? '' }, body: { repair: 'remove-copy' } } as const
    await expect(network.admin.call('repairFinding', request)).rejects.toMatchObject({ problem: { status: 409 } })
    expect(await regionAt(network, 1).client.room(name)).toMatchObject({ roomId, locked: false })
    await mend()
    const [again] = await findingsAbout(network, name)
    expect(await repair(network, again as NonNullable<typeof again>, 'remove-copy')).toMatchObject({ state: 'done' })
    expect(await findingsAbout(network, name)).toEqual([])
  })

  it('is not deleted as if it were gone: the deletion says what is wrong, and its folder stays', async () => {
    const name = await network.newRoom()
    const mend = await damage(name, 'room.json')
    await network.admin.call('deleteRoom', { body: { roomName: name } })
    await network.settle()
    const [row] = await network.database.rows<{ state: string; error_message: string }>(
      'select state, error_message from rooms where name = $1',
      [name],
    )
    expect(row).toMatchObject({ state: 'ERROR', error_message: expect.stringMatching('cannot be read') })
    expect(existsSync(folderOf(name))).toBe(true)
    await mend()
    expect(await runDoctor(network)).toEqual([])
    await network.admin.call('deleteRoom', { body: { roomName: name } })
    await network.settle()
    expect(existsSync(folderOf(name))).toBe(false)
  })
})
