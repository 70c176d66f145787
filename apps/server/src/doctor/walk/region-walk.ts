/** Reads a region's rooms, page by page. A region that fails is given up, but its answers until then count. */
import { because, type CodedReason } from '@roomkeeper/contract'
import {
  type RegionClient,
  RegionRefusal,
  type RegionStatus,
  RegionUnreachable,
  type RoomInfo,
  type RoomPage,
  roomName,
  TransferTooSlow,
  WrongServer,
} from '@roomkeeper/region-protocol'
import { pause } from '#platform/pause.ts'
import { regionPage } from '../doctor-parts.ts'

export interface RegionWalk {
  id: number
  name: string
  url: string
  client: RegionClient
  /** Its damaged rooms by name, with the reason. */
  damaged: ReadonlyMap<string, string>
  /** Why the region was given up; null while it answers. */
  lost: CodedReason | null
  /** How many findings and suspects the region has caused in this run. */
  trouble: { findings: number; suspects: number }
}

/** Far more than an operator reads. Without a limit, a region that causes ever more would keep a run from ending. */
export const mostFindings = 1000
const mostSuspects = 10_000

/** A region that has caused too much in this run is given up. */
export function giveUpWhenTooMuch(region: RegionWalk): void {
  const { findings, suspects } = region.trouble
  if (findings >= mostFindings) region.lost ??= because('left-after-findings', { findings })
  else if (suspects >= mostSuspects) region.lost ??= because('left-after-suspects', { times: suspects })
}

/** The reasons by room name, in the order of the names. Invalid names are ignored. */
export function damagedIn(told: RegionStatus['damagedRooms']): ReadonlyMap<string, string> {
  const rooms = told.filter(({ name }) => roomName.safeParse(name).success)
  return new Map(rooms.map(({ name, reason }) => [name, reason] as const).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const triesOfPage = 4
const pauseBetweenTries = 500

/** The rooms whose names come after `after`, in order. Ends early if the region is given up. */
export async function* roomsOfRegion(region: RegionWalk, after: string, signal: AbortSignal): AsyncGenerator<RoomInfo> {
  for (let last = after; region.lost === null; ) {
    const page = await nextPage(region, last, signal)
    if (page === null) return
    const names = page.rooms.map(({ name }) => name)
    if (!isInOrder(names, last, page.next)) {
      region.lost = because('rooms-not-in-order')
      return
    }
    for (const room of page.rooms) {
      if (region.lost !== null) return
      yield room
    }
    if (page.next === null) return
    // A region may skip damaged rooms, but not without end.
    if (names.length === 0) region.trouble.suspects += regionPage.rooms
    giveUpWhenTooMuch(region)
    last = page.next
    await pause(regionPage.pauseMilliseconds, signal)
  }
}

/** Whether a page continues after `after` in order and makes progress; otherwise reading might never end. */
export function isInOrder(names: readonly string[], after: string, next: string | null): boolean {
  let last = after
  for (const name of names) {
    if (name <= last) return false
    last = name
  }
  return next === null || (next > after && next >= last)
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

/** The reason for an error of a region or its client. @throws any other error, which is not the region's fault */
export function reasonOf(error: unknown): CodedReason {
  if (error instanceof WrongServer) return because('another-server')
  if (error instanceof TransferTooSlow || error instanceof RegionRefusal)
    return because('told', { told: error.message })
  if (error instanceof RegionUnreachable) return because('region-unreachable', { error: error.reason })
  throw error
}
