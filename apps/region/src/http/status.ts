/** What the region reports about itself. It lacks nothing that the protocol has. */
import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { capabilities, protocolVersion, type RegionStatus } from '@roomkeeper/region-protocol'
import type { Region } from '#region.ts'
import { recheckDamagedRooms } from '#rooms/damaged-rooms.ts'

export async function describeRegion(region: Region): Promise<RegionStatus> {
  const { settings, instanceId, index } = region
  const disk = await statfs(settings.dataDir)
  return {
    name: settings.name,
    version,
    protocolVersion,
    capabilities: [...capabilities],
    instanceId,
    products: [...settings.products],
    rooms: index.size,
    freeBytes: disk.bavail * disk.bsize,
    damagedRooms: await recheckDamagedRooms(region),
  }
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
