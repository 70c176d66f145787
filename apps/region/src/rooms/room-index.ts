/** The records of all rooms, read into memory at the start, so that no request has to search the disk. */
import type { RoomRecord } from './room-record.ts'

export interface RoomIndex {
  readonly size: number
  get(name: string): RoomRecord | undefined
  put(record: RoomRecord): void
  remove(name: string): void
  /** At most `limit` records after `name`, ordered by name. */
  after(name: string, limit: number): RoomRecord[]
}

export function createRoomIndex(records: RoomRecord[]): RoomIndex {
  const byName = new Map(records.map((record) => [record.name, record]))
  const names = [...byName.keys()].sort()
  /** The position at which `name` is, or would be. */
  const positionOf = (name: string) => {
    let low = 0
    let high = names.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((names[middle] ?? '') < name) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    get size() {
      return byName.size
    },
    get: (name) => byName.get(name),
    put(record) {
      if (!byName.has(record.name)) names.splice(positionOf(record.name), 0, record.name)
      byName.set(record.name, record)
    },
    remove(name) {
      if (byName.delete(name)) names.splice(positionOf(name), 1)
    },
    after(name, limit) {
      const from = positionOf(name)
      const first = names[from] === name ? from + 1 : from
      return names.slice(first, first + limit).flatMap((each) => byName.get(each) ?? [])
    },
  }
}
