/**
 * Rooms that are there but cannot be used: their record could not be read at the start, or a database of theirs cannot
 * be opened. They are told in the region's status and looked at again whenever it is asked for.
 */
import type { RegionStatus } from '@roomkeeper/region-protocol'
import { isAbsent } from '#disk/files.ts'
import type { Region } from '#region.ts'
import { readRoom } from './recover-rooms.ts'
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
    const record = region.index.get(name) ?? (await readRoom(region.folders, name))
    await describeRoom(region, record)
    if (region.index.get(name) === undefined) region.index.put(record)
    region.damaged.delete(name)
  } catch (error) {
    region.damaged.set(name, error instanceof Error ? error.message : String(error))
  }
}

/** Whether the failure says that the room is damaged, and not that the region cannot read just now; notes it. */
export function noteDamage(region: Region, name: string, error: unknown): boolean {
  const { errcode, message } = error as { errcode?: unknown; message?: string }
  const damage = isAbsent(error) || (typeof errcode === 'number' && damageCodes.includes(errcode & 0xff))
  if (damage) region.damaged.set(name, `it cannot be read (${message})`)
  return damage
}

/** SQLITE_CORRUPT, SQLITE_CANTOPEN, SQLITE_NOTADB; SQLITE_ERROR: a table is missing. */
const damageCodes: readonly number[] = [1, 11, 14, 26]
