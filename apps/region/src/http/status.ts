/** What the region tells about itself. */
import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { RegionStatus } from '@roomkeeper/region-protocol'
import type { Region } from '#region.ts'

export async function describeRegion({ settings, instanceId, index }: Region): Promise<RegionStatus> {
  const disk = await statfs(settings.dataDir)
  return {
    name: settings.name,
    version,
    instanceId,
    products: [...settings.products],
    rooms: index.size,
    freeBytes: disk.bavail * disk.bsize,
  }
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
