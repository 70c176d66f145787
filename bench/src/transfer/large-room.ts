/** A suspended room with one large database, on the first region of a network. */
import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Network } from '@roomkeeper/dev-env'

export interface LargeRoom {
  name: string
  roomId: string
  /** The database's file. */
  path: string
  /** In bytes. */
  size: number
}

/** The documents are incompressible, like most of what fills large rooms. */
export async function makeLargeRoom(network: Network, megabytes: number): Promise<LargeRoom> {
  const name = await network.newSuspendedRoom()
  const region = regionOf(network)
  const roomId = (await region.client.room(name))?.roomId ?? ''
  await region.stop('SIGTERM')
  const path = join(region.dataDir, 'rooms', name, 'databases', 'main.db')
  fill(path, megabytes)
  await network.restartRegion(0)
  return { name, roomId, path, size: (await stat(path)).size }
}

export function regionOf(network: Network) {
  const [region] = network.regions
  if (region === undefined) throw new Error('The network has no region.')
  return region
}

function fill(path: string, megabytes: number): void {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; BEGIN')
  const insert = database.prepare('INSERT INTO documents VALUES (?, ?, ?)')
  const now = new Date().toISOString()
  for (let index = 0; index < megabytes; index += 1)
    insert.run(`document ${String(index).padStart(9, '0')}`, randomBytes(768 * 1024).toString('base64'), now)
  database.exec('COMMIT; PRAGMA journal_mode = WAL')
  database.close()
}
