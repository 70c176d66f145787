/** One disagreement for each repair and each thing that it can repair, made behind the console's back. */
import { randomBytes, randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Finding, FindingKind, Repair } from '@roomkeeper/contract'
import { type Network, uniqueRoomName } from '@roomkeeper/dev-env'
import { expect } from 'vitest'
import { digestOf, writeDocuments } from '../life/room-life.ts'
import { copyBehindTheConsole, deleteBehindTheConsole, makeBehindTheConsole, regionAt, roomIdOf } from './run-doctor.ts'

export interface Disagreement {
  name: string
  kind: FindingKind
  repair: Repair
  prepare(): Promise<{ about: (finding: Finding) => boolean; isRepaired: () => Promise<void> }>
}

const named = (room: string) => (finding: Finding) => finding.projectRoomName === room

/** @param networkNow returns the network, with two regions, once it has booted */
export function disagreements(networkNow: () => Network): Disagreement[] {
  return [...ofRooms(networkNow), ...ofStates(networkNow), ...ofRedirects(networkNow), ...ofRecords(networkNow)]
}

async function storedRoom(network: Network, name: string) {
  const [row] = await network.database.rows<Record<string, unknown>>(
    'select id, state, region_id, error_message from rooms where name = $1',
    [name],
  )
  return row
}

async function roomWithContent(network: Network): Promise<{ name: string; id: string }> {
  const name = await network.newRoom()
  await writeDocuments(network, name, { one: { from: 'a user' } })
  return { name, id: await roomIdOf(network, name) }
}

function ofRooms(networkNow: () => Network): Disagreement[] {
  return [
    {
      name: 'adopting a room that the console does not know',
      kind: 'room-unknown',
      repair: 'adopt',
      async prepare() {
        const network = networkNow()
        const [name, id] = [uniqueRoomName(), randomUUID()]
        await makeBehindTheConsole(regionAt(network, 1), name, id)
        const isRepaired = async () => {
          expect(await storedRoom(network, name)).toMatchObject({ id, state: 'DEFAULT', region_id: 2 })
          const adoptions = await network.database.rows(
            `select from audit where action = 'room.adopt' and room_id = $1`,
            [id],
          )
          expect(adoptions.length).toBe(1)
        }
        return { about: named(name), isRepaired }
      },
    },
    {
      name: 'adopting a room that is in another region',
      kind: 'room-elsewhere',
      repair: 'adopt',
      async prepare() {
        const network = networkNow()
        const { name, id } = await roomWithContent(network)
        const digest = await digestOf(network, name)
        await copyBehindTheConsole(regionAt(network, 0), regionAt(network, 1), { name, roomId: id })
        await deleteBehindTheConsole(regionAt(network, 0), name, id)
        const isRepaired = async () => {
          expect(await storedRoom(network, name)).toMatchObject({ id, state: 'DEFAULT', region_id: 2 })
          const job = { type: 'digestRoom', room: name } as const
          const there = await regionAt(network, 1).client.runJob(`digest-${randomUUID()}`, job)
          expect(there.digest).toBe(digest)
        }
        return { about: named(name), isRepaired }
      },
    },
    {
      name: 'removing a second copy',
      kind: 'room-twice',
      repair: 'remove-copy',
      async prepare() {
        const network = networkNow()
        const { name, id } = await roomWithContent(network)
        const digest = await digestOf(network, name)
        await copyBehindTheConsole(regionAt(network, 0), regionAt(network, 1), { name, roomId: id })
        const isRepaired = async () => {
          expect(await regionAt(network, 1).client.room(name)).toBeNull()
          expect(await regionAt(network, 0).client.room(name)).toMatchObject({ roomId: id, locked: false })
          expect(await digestOf(network, name)).toBe(digest)
        }
        return { about: named(name), isRepaired }
      },
    },
    {
      name: 'marking a room as missing',
      kind: 'room-missing',
      repair: 'mark-missing',
      async prepare() {
        const network = networkNow()
        const { name, id } = await roomWithContent(network)
        await deleteBehindTheConsole(regionAt(network, 0), name, id)
        const isRepaired = async () => expect(await storedRoom(network, name)).toMatchObject({ id, state: 'ERROR' })
        return { about: named(name), isRepaired }
      },
    },
  ]
}

function ofStates(networkNow: () => Network): Disagreement[] {
  const regionNow = (name: string) => regionAt(networkNow(), 0).client.room(name)
  return [
    {
      name: 'sending the state again',
      kind: 'state-differs',
      repair: 'send-again',
      async prepare() {
        const { name, id } = await roomWithContent(networkNow())
        await regionAt(networkNow(), 0).client.suspendRoom(name, id)
        const isRepaired = async () => expect(await regionNow(name)).toMatchObject({ state: 'active', locked: false })
        return { about: named(name), isRepaired }
      },
    },
    {
      name: 'sending the settings again',
      kind: 'settings-differ',
      repair: 'send-again',
      async prepare() {
        const { name, id } = await roomWithContent(networkNow())
        const before = (await regionNow(name))?.settings
        await regionAt(networkNow(), 0).client.changeRoom(name, { roomId: id, expirationDate: '2099-01-01' })
        const isRepaired = async () => expect((await regionNow(name))?.settings).toEqual(before)
        return { about: named(name), isRepaired }
      },
    },
    {
      name: 'releasing a lock',
      kind: 'lock-orphaned',
      repair: 'release',
      async prepare() {
        const { name, id } = await roomWithContent(networkNow())
        await regionAt(networkNow(), 0).client.lockRoom(name, { roomId: id, holder: `migration ${randomUUID()}` })
        const isRepaired = async () => expect(await regionNow(name)).toMatchObject({ state: 'active', locked: false })
        return { about: named(name), isRepaired }
      },
    },
    {
      name: 'releasing a room whose operation is gone',
      kind: 'room-stuck',
      repair: 'release',
      async prepare() {
        const { name } = await roomWithContent(networkNow())
        await networkNow().database.rows(`update rooms set state = 'IN_PROGRESS' where name = $1`, [name])
        const isRepaired = async () => {
          expect(await storedRoom(networkNow(), name)).toMatchObject({ state: 'ERROR' })
          expect(await regionNow(name)).toMatchObject({ state: 'active', locked: false })
        }
        return { about: named(name), isRepaired }
      },
    },
  ]
}

function ofRedirects(networkNow: () => Network): Disagreement[] {
  const routesNow = async () => (await regionAt(networkNow(), 1).client.routes())?.routes ?? []
  return [
    {
      name: 'sending a redirection again',
      kind: 'redirect-misleads',
      repair: 'send-again',
      async prepare() {
        const network = networkNow()
        const { name, id } = await roomWithContent(network)
        await regionAt(network, 1).client.putRoute(name, 'https://elsewhere.example')
        await network.database.rows(
          'insert into redirects (room_id, room_name, region_id, target_region_id) values ($1, $2, 2, 1)',
          [id, name],
        )
        const isRepaired = async () =>
          expect(await routesNow()).toContainEqual({ name, targetUrl: regionAt(network, 0).url })
        return { about: named(name), isRepaired }
      },
    },
    {
      name: 'ending a redirection',
      kind: 'redirect-without-room',
      repair: 'end-redirect',
      async prepare() {
        const name = uniqueRoomName()
        await regionAt(networkNow(), 1).client.putRoute(name, regionAt(networkNow(), 0).url)
        const isRepaired = async () => expect((await routesNow()).filter((each) => each.name === name)).toEqual([])
        return { about: named(name), isRepaired }
      },
    },
  ]
}

function ofRecords(networkNow: () => Network): Disagreement[] {
  return [
    {
      name: 'marking a backup as missing',
      kind: 'backup-missing',
      repair: 'mark-missing',
      async prepare() {
        const network = networkNow()
        const room = await network.newSuspendedRoom()
        await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
        await network.settle()
        const backups = () =>
          network.database.rows<{ location: string }>('select location from room_backups where room_name = $1', [room])
        await rm(join(network.dir, 'server', 'backups', (await backups())[0]?.location ?? ''))
        const isRepaired = async () => {
          expect(await backups()).toEqual([])
          const told = await network.database.rows(
            `select from audit where action = 'backup.delete' and room_name = $1`,
            [room],
          )
          expect(told.length).toBe(1)
        }
        return { about: named(room), isRepaired }
      },
    },
    {
      name: 'releasing a reservation that no operation needs',
      kind: 'reservation-left-over',
      repair: 'release',
      async prepare() {
        const { database } = networkNow()
        const { name, id } = await roomWithContent(networkNow())
        await database.rows(
          'insert into capacity_reservations (room_id, region_id, operation_id) values ($1, 2, gen_random_uuid())',
          [id],
        )
        const isRepaired = async () =>
          expect(await database.rows('select from capacity_reservations where room_id = $1', [id])).toEqual([])
        return { about: ({ facts }) => facts.room === name, isRepaired }
      },
    },
    {
      name: 'counting anew',
      kind: 'count-differs',
      repair: 'recount',
      async prepare() {
        const { database } = networkNow()
        await database.rows('update regions set room_count = room_count + 3 where id = 1')
        const isRepaired = async () => {
          const [row] = await database.rows<{ kept: number; counted: number }>(
            `select room_count as kept, (select count(*)::int from rooms where region_id = 1) as counted
               from regions where id = 1`,
          )
          expect(row?.kept).toBe(row?.counted)
        }
        return { about: ({ facts }) => String(facts.what).includes('region-1'), isRepaired }
      },
    },
    {
      name: 'taking the time for right',
      kind: 'time-jumped',
      repair: 'trust-time',
      async prepare() {
        const { database } = networkNow()
        await database.rows(`update time_looks set jumped_from = now() - interval '3 days', jumped_at = now()`)
        const isRepaired = async () =>
          expect(await database.rows('select jumped_at from time_looks')).toEqual([{ jumped_at: null }])
        return { about: () => true, isRepaired }
      },
    },
    {
      name: 'acknowledging that the end of the audit trail is missing',
      kind: 'audit-cut-off',
      repair: 'acknowledge',
      async prepare() {
        const { database, dir } = networkNow()
        const file = join(dir, 'server/audit-anchor.json')
        const missed = { position: 999_999, hash: randomBytes(32).toString('hex'), keptAt: new Date().toISOString() }
        await writeFile(file, JSON.stringify({ ...missed, missed: [] }))
        const entries = async () => (await database.rows(`select from audit where action = 'audit.acknowledge'`)).length
        const before = await entries()
        const isRepaired = async () => expect(await entries()).toBe(before + 1)
        return { about: () => true, isRepaired }
      },
    },
  ]
}
