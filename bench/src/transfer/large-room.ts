/** A suspended room with one large database, on the first region of a network. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Network } from '@roomkeeper/dev-env'
import { fillRoom } from '../fill-room.ts'

export interface LargeRoom {
  name: string
  roomId: string
  /** The database's file. */
  path: string
  /** In bytes. */
  size: number
}

export async function makeLargeRoom(network: Network, megabytes: number): Promise<LargeRoom> {
  const name = await network.newSuspendedRoom()
  const region = regionOf(network)
  const roomId = (await region.client.room(name))?.roomId ?? ''
  await region.stop('SIGTERM')
  const path = join(region.dataDir, 'rooms', name, 'databases', 'main.db')
  fillRoom(path, megabytes)
  await network.restartRegion(0)
  return { name, roomId, path, size: (await stat(path)).size }
}

export function regionOf(network: Network) {
  const [region] = network.regions
  if (region === undefined) throw new Error('The network has no region.')
  return region
}
