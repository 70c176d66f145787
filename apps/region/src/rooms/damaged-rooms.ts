/**
 * Rooms that are there but cannot be used: their record could not be read at the start, or a database of theirs cannot
 * be opened. They are told in the region's status and looked at again whenever it is asked for. A call for one is refused
 * as such: who is told that a room does not exist goes on to remove its other copies.
 */
import type { RegionStatus } from '@roomkeeper/region-protocol'
import { statAtOnce } from '#disk/files.ts'
import { reportTrouble } from '#disk/report-trouble.ts'
import { Refusal, refuse } from '#refusals.ts'
import type { Region } from '#region.ts'
import type { Turns } from '#turns.ts'
import { followRecord } from './follow-record.ts'
import { readRoom, settleSwap } from './recover-rooms.ts'
import { describeRoom } from './room-info.ts'

type DamagedRooms = RegionStatus['damagedRooms']
const toldAtMost = 100

/** At most `toldAtMost` of them, after another look at each. */
export async function lookAtDamagedRooms(region: Region): Promise<DamagedRooms> {
  for (const name of [...region.damaged.keys()].slice(0, toldAtMost))
    await region.turns.take(name, () => lookAgain(region, name))
  return [...region.damaged].slice(0, toldAtMost).map(([name, reason]) => ({ name, reason }))
}

async function lookAgain(region: Region, name: string): Promise<void> {
  try {
    for (const [swap, of] of [...region.swapsLeft])
      if (of === name) await settleSwap(region.folders, name, swap, region.swapsLeft)
    const record = await readRoom(region.folders, name)
    await describeRoom(region, record)
    region.index.put(record)
    region.damaged.delete(name)
  } catch (error) {
    region.damaged.set(name, error instanceof Error ? error.message : String(error))
  }
}

/** Whether the failure says that the room is damaged, and not that the region cannot read just now; notes it. */
export function noteDamage(region: Region, name: string, error: unknown): boolean {
  if (error instanceof Refusal || region.index.get(name) === undefined || !saysDamage(region, name, error)) return false
  const reason = `it cannot be read (${error instanceof Error ? error.message : String(error)})`
  if (!region.damaged.has(name)) reportTrouble(`The project room ${name} is damaged: ${reason}`)
  region.damaged.set(name, reason)
  return true
}

/** What to tell about a failure in a room: that the room is damaged, when that is why, and not that the region failed. */
export function damageTold(region: Region, room: string, error: unknown): unknown {
  if (!noteDamage(region, room, error)) return error
  return refuse('room-damaged', { room, reason: region.damaged.get(room) ?? '' })
}

/** Turns for rooms: each begins with the record that is on the disk, and what fails for damage is told so. */
export function tellingDamage(turns: Turns, regionOf: () => Region): Turns {
  return {
    take: (room, work) =>
      turns.take(room, async () => {
        try {
          await followRecord(regionOf(), room)
          return await work()
        } catch (error) {
          throw damageTold(regionOf(), room, error)
        }
      }),
  }
}

function saysDamage({ folders }: Region, name: string, error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown }
  if (typeof errcode === 'number' && damageCodes.includes(errcode & 0xff)) return true
  try {
    return [folders.systemDatabase(name), folders.databases(name)].some((path) => statAtOnce(path) === undefined)
  } catch {
    // Nothing can be read just now.
    return false
  }
}

/** SQLITE_CORRUPT, SQLITE_NOTADB; SQLITE_ERROR: a table is missing. */
const damageCodes: readonly number[] = [1, 11, 26]
