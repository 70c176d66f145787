/** What a region's own troubles are, as opposed to what is wrong here. */
import { RegionJobFailed, RegionRefusal, RegionUnreachable } from '@roomkeeper/region-protocol'

/** Not the sign that another worker has taken the operation over. */
export function isOfRegion(error: unknown): error is RegionRefusal | RegionJobFailed | RegionUnreachable {
  if (error instanceof RegionRefusal) return error.type !== 'urn:roomkeeper-region:overtaken'
  return error instanceof RegionJobFailed || error instanceof RegionUnreachable
}
