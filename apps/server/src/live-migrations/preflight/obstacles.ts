/** What stands in the way of a run and of each room. Pure: everything that was found out comes in. */
import type { Obstacle } from '@roomkeeper/contract'
import type { RegionStatus, RoomInfo } from '@roomkeeper/region-protocol'
import type { Answer, RegionsSay, RoomSays } from './ask-regions.ts'
import type { PlannedRoom } from './selection-page.ts'

export interface Target {
  name: string
  isDisabled: boolean
  /** Left for rooms; null is unlimited. */
  placesLeft: number | null
  products: readonly string[]
}

export interface Circumstances {
  sourceName: string
  target: Target
  skipsSessions: boolean
  says: Pick<RegionsSay, 'source' | 'target'>
}

export function obstaclesOfRun(
  { sourceName, target, says }: Circumstances,
  { total, places }: { total: number; places: { needed: number } },
): Obstacle[] {
  const found: (Obstacle | null)[] = [
    target.isDisabled ? fails('region-disabled', `The target region ${target.name} is disabled.`) : null,
    unreachable(sourceName, says.source),
    unreachable(target.name, says.target),
    sameServer(sourceName, target, says),
  ]
  if (target.placesLeft !== null && places.needed > target.placesLeft) {
    const text = `The region ${target.name} has places for ${target.placesLeft} of ${total} project rooms.`
    found.push(fails('capacity', text))
  }
  return found.filter((each) => each !== null)
}

/**
 * @param placesBefore places that rooms before this one take
 * @param bytesBefore of the rooms before this one on the page
 */
export function obstaclesOfRoom(
  circumstances: Circumstances,
  room: PlannedRoom,
  says: RoomSays,
  { placesBefore, bytesBefore }: { placesBefore: number; bytesBefore: number },
): Obstacle[] {
  const { target } = circumstances
  const state = stateObstacle(circumstances, room)
  if (state !== null) return [state]
  const found: (Obstacle | null)[] = [
    room.isBusy ? postponed('busy', 'Another operation is running for this project room.') : null,
    target.placesLeft !== null && room.takesPlace && placesBefore >= target.placesLeft
      ? fails('capacity', `The region ${target.name} is full before this project room is moved.`)
      : null,
    room.product !== null && !target.products.includes(room.product)
      ? fails('product-not-served', `The region ${target.name} does not serve ${room.product}.`)
      : null,
    ...sourceObstacles(circumstances, room, says),
    targetObstacle(circumstances, room, says.target),
    spaceObstacle(circumstances, says.source, bytesBefore),
  ]
  return found.filter((each) => each !== null)
}

function stateObstacle({ sourceName }: Circumstances, { state, isInSource }: PlannedRoom): Obstacle | null {
  if (state === null) return fails('wrong-state', 'There is no such project room (any more).')
  if (!isInSource) return fails('wrong-state', `The project room is not in the region ${sourceName}.`)
  if (state === 'DEFAULT' || state === 'SUSPENDED') return null
  return fails('wrong-state', 'Only active and suspended project rooms can be moved.')
}

function sourceObstacles({ sourceName, skipsSessions, says }: Circumstances, room: PlannedRoom, of: RoomSays) {
  if ('failure' in of.source) return 'failure' in says.source ? [] : [unreachable(sourceName, of.source)]
  const info = of.source.found
  if (info === null || info.roomId !== room.id)
    return [fails('wrong-state', `The server of the region ${sourceName} does not have this project room.`)]
  return [lockObstacle(info), sessionObstacle(of.sessions, skipsSessions)]
}

function lockObstacle({ locked }: RoomInfo): Obstacle | null {
  return locked ? postponed('lock', 'The project room is locked by another process.') : null
}

function sessionObstacle(sessions: Answer<number>, skipsSessions: boolean): Obstacle | null {
  if ('failure' in sessions || sessions.found === 0) return null
  const users = sessions.found === 1 ? 'One active session' : `${sessions.found} active sessions`
  return skipsSessions
    ? { kind: 'session', effect: 'hint', text: `${users}: the project room is moved while it is in use.` }
    : postponed('session', `${users}.`)
}

function sameServer(sourceName: string, target: Target, { source, target: other }: Circumstances['says']) {
  if ('failure' in source || 'failure' in other) return null
  if (source.found.instanceId === null || source.found.instanceId !== other.found.instanceId) return null
  const text = `The regions ${sourceName} and ${target.name} are the same server: there is nothing to move.`
  return fails('same-server', text)
}

function targetObstacle(circumstances: Circumstances, room: PlannedRoom, found: Answer<RoomInfo | null>) {
  const { sourceName, target, says } = circumstances
  const same = sameServer(sourceName, target, says)
  if (same !== null) return same
  if ('failure' in found) return 'failure' in says.target ? null : unreachable(target.name, found)
  if (found.found === null) return null
  return found.found.roomId === room.id
    ? fails('name-taken', `The region ${target.name} still has what an earlier migration of this project room left.`)
    : fails('name-taken', `The region ${target.name} has another project room of this name.`)
}

/** The target holds the backup and what is restored from it for a while, the source the backup. */
function spaceObstacle(
  { sourceName, target, says }: Circumstances,
  of: Answer<RoomInfo | null>,
  bytesBefore: number,
): Obstacle | null {
  const size = 'found' in of ? (of.found?.size ?? 0) : 0
  if (size > freeBytes(says.source)) return fails('disk-space', `The disk of the region ${sourceName} is too full.`)
  const free = freeBytes(says.target)
  if (2 * size > free) return fails('disk-space', `The disk of the region ${target.name} is too full.`)
  if (bytesBefore + 2 * size <= free) return null
  const text = `The disk of the region ${target.name} may be too full after the project rooms before.`
  return { kind: 'disk-space', effect: 'hint', text }
}

function freeBytes(status: Answer<RegionStatus>): number {
  return 'found' in status ? status.found.freeBytes : Number.POSITIVE_INFINITY
}

function unreachable(region: string, answer: Answer<unknown>): Obstacle | null {
  if ('found' in answer) return null
  return fails('region-unreachable', `The region ${region} cannot be asked: ${answer.failure}`)
}

function fails(kind: Obstacle['kind'], text: string): Obstacle {
  return { kind, effect: 'fails', text }
}

function postponed(kind: Obstacle['kind'], text: string): Obstacle {
  return { kind, effect: 'postponed', text }
}
