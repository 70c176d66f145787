/** Shared by the scenarios of operations: one network, and the files that operators upload. */
import { DatabaseSync } from 'node:sqlite'
import type { Network, RunningRegion } from '@roomkeeper/dev-env'

export interface World {
  network(): Network
  /** The bytes of a backup of a room with the document `one`. */
  backup(): Uint8Array<ArrayBuffer>
  /** An export of that room's database, protected by `adbPassword`. */
  adb(): Uint8Array<ArrayBuffer>
}

export const adbPassword = 'secret of the export'

export function regionOf(world: World, id: number): RunningRegion {
  const region = world.network().regions[id - 1]
  if (region === undefined) throw new Error(`The network has no region ${id}.`)
  return region
}

/** The documents of a database in region 1, read from its file. */
export function documentsIn({ network }: World, room: string, name = 'main'): Record<string, unknown> {
  const path = `${network().dir}/region-1/rooms/${room}/databases/${name}.db`
  const file = new DatabaseSync(path, { readOnly: true })
  try {
    const rows = file.prepare('select id, body from documents order by id').all() as { id: string; body: string }[]
    return Object.fromEntries(rows.map((row) => [row.id, JSON.parse(row.body)]))
  } finally {
    file.close()
  }
}
