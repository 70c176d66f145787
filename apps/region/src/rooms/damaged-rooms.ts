/**
 * Rooms that exist but cannot be used, because their record or one of their databases cannot be read. The region's
 * status lists them, after checking each again. A call for one is refused as 'room-damaged', never as 'room-unknown': a
 * caller that believes that a room does not exist may go on to remove its other copies.
 */
import type { RegionStatus } from '@roomkeeper/region-protocol'
import { statIfPresentSync } from '#disk/files.ts'
import { reportTrouble } from '#disk/report-trouble.ts'
import type { KeyedMutex } from '#keyed-mutex.ts'
import { Refusal, refuse } from '#refusals.ts'
import type { Region } from '#region.ts'
import { followRecord } from './follow-record.ts'
import { readRoom } from './read-room.ts'
import { describeRoom } from './room-info.ts'
import { settleSwap } from './swaps.ts'

type DamagedRooms = RegionStatus['damagedRooms']
const listedAtMost = 100

/** Checks damaged rooms again and lists those that are still damaged, at most `listedAtMost`. */
export async function recheckDamagedRooms(region: Region): Promise<DamagedRooms> {
  for (const name of [...region.damaged.keys()].slice(0, listedAtMost))
    await region.roomMutex.runExclusive(name, () => recheck(region, name))
  return [...region.damaged].slice(0, listedAtMost).map(([name, reason]) => ({ name, reason }))
}

async function recheck(region: Region, name: string): Promise<void> {
  try {
    for (const [swap, of] of [...region.remainingSwaps]) if (of === name) await settleSwap(region, name, swap)
    const record = await readRoom(region.folders, name)
    await describeRoom(region, record)
    region.index.put(record)
    region.damaged.delete(name)
  } catch (error) {
    region.damaged.set(name, error instanceof Error ? error.message : String(error))
  }
}

/**
 * Records the room as damaged if the failure shows that, and not merely that the region cannot read files just now.
 * @returns whether it does
 */
export function recordDamage(region: Region, name: string, error: unknown): boolean {
  if (error instanceof Refusal || region.index.get(name) === undefined || !isDamage(region, name, error)) return false
  const reason = `it cannot be read (${error instanceof Error ? error.message : String(error)})`
  if (!region.damaged.has(name)) reportTrouble(`The project room ${name} is damaged: ${reason}`)
  region.damaged.set(name, reason)
  return true
}

/** The refusal 'room-damaged' if damage is why the work failed; otherwise the error itself. */
export function asDamageRefusal(region: Region, room: string, error: unknown): unknown {
  if (!recordDamage(region, room, error)) return error
  return refuse('room-damaged', { room, reason: region.damaged.get(room) ?? '' })
}

/** A mutex for rooms: before work starts, the record in memory follows the one on disk; damage is reported as such. */
export function reportingDamage(mutex: KeyedMutex, regionOf: () => Region): KeyedMutex {
  return {
    runExclusive: (room, work) =>
      mutex.runExclusive(room, async () => {
        try {
          await followRecord(regionOf(), room)
          return await work()
        } catch (error) {
          throw asDamageRefusal(regionOf(), room, error)
        }
      }),
  }
}

function isDamage({ folders }: Region, name: string, error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown }
  if (typeof errcode === 'number' && damageCodes.includes(errcode & 0xff)) return true
  try {
    return [folders.systemDatabase(name), folders.databases(name)].some((path) => statIfPresentSync(path) === undefined)
  } catch {
    // The region cannot read files just now, which says nothing about the room.
    return false
  }
}

/** SQLITE_ERROR (a table is missing), SQLITE_CORRUPT, SQLITE_NOTADB. */
const damageCodes: readonly number[] = [1, 11, 26]
