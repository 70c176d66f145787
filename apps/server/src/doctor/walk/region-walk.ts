/** A region's rooms, page by page. A region that fails on the way is given up; what it said until then stands. */
import type { RegionClient, RoomInfo, RoomPage } from '@roomkeeper/region-protocol'
import { pause } from '#platform/pause.ts'
import { regionPage } from '../doctor-parts.ts'

export interface RegionWalk {
  id: number
  name: string
  url: string
  client: RegionClient
  /** Why it was given up; null: it answers. */
  lost: string | null
}

const triesOfPage = 4
const pauseBetweenTries = 500

/** By name, those behind `after`; ends early when the region is given up. */
export async function* roomsOfRegion(region: RegionWalk, after: string, signal: AbortSignal): AsyncGenerator<RoomInfo> {
  for (let last = after; region.lost === null; ) {
    const page = await nextPage(region, last, signal)
    if (page === null) return
    for (const room of page.rooms) {
      if (room.name <= last) {
        region.lost = 'It does not list its project rooms by name.'
        return
      }
      last = room.name
      yield room
    }
    if (page.next === null) return
    if (page.next < last) {
      region.lost = 'It does not list its project rooms by name.'
      return
    }
    last = page.next
    await pause(regionPage.pauseMilliseconds, signal)
  }
}

async function nextPage(region: RegionWalk, after: string, signal: AbortSignal): Promise<RoomPage | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await region.client.rooms(after, regionPage.rooms)
    } catch (error) {
      signal.throwIfAborted()
      if (tries === triesOfPage) {
        region.lost = reasonOf(error)
        return null
      }
      await pause(pauseBetweenTries * tries, signal)
    }
  }
}

/** In the words of the region's client; whatever else it is, is no fault of the region. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && ['RegionRefusal', 'RegionUnreachable'].includes(error.name)) return error.message
  throw error
}
