/**
 * The obstacles of a run and of each room, whose texts are in the rules, and other risks: an unreachable region, a disk
 * without space. A run does not stop at such a risk, because it may have passed by then. Pure: all facts are passed in.
 */
import { because, type Obstacle } from '@roomkeeper/contract'
import type { RegionStatus, RoomInfo } from '@roomkeeper/region-protocol'
import { type MoveFacts, obstacleBecause, presentObstacle, whyNotMove, whyNotMoveBetween } from '@roomkeeper/rules'
import type { RegionCapacity } from '#regions/index.ts'
import type { Removals } from '../removals-in-target.ts'
import type { Answer, RegionAnswers, RoomAnswers } from './ask-regions.ts'
import { isMovableRoom, type PlannedRoom } from './selection-page.ts'

export interface Circumstances {
  sourceName: string
  target: RegionCapacity
  removals: Removals
  /** After a force delete in the target; 0: none. */
  minutesToWait: number
  skipsSessions: boolean
  answers: Pick<RegionAnswers, 'source' | 'target'>
}

export function obstaclesOfRun(
  { sourceName, target, answers, minutesToWait }: Circumstances,
  { total, capacity }: { total: number; capacity: { needed: number } },
): Obstacle[] {
  const way = { source: sourceName, target: target.name, isSameServer: isSameServer(answers) }
  const found = [
    ...whyNotMoveBetween({ ...way, targetIsDisabled: target.isDisabled }).map(presentObstacle),
    ...unreachable(sourceName, answers.source),
    ...unreachable(target.name, answers.target),
    ...tooEarly(target.name, minutesToWait),
  ]
  if (target.freeCapacity === null || capacity.needed <= target.freeCapacity) return found
  const few = because('move-capacity-left', { region: target.name, free: target.freeCapacity, total })
  return [...found, obstacleBecause('capacity', 'fails', few)]
}

/** Why no room at all would be moved now. A target that has capacity for some of the rooms does not prevent a start. */
export function whyNotStart(ofRun: readonly Obstacle[], { target }: Circumstances): Obstacle['reason'] | null {
  const decisive = ofRun.find(({ kind }) => kind !== 'capacity' || target.freeCapacity === 0)
  return decisive?.reason ?? null
}

/**
 * Includes the obstacles of the whole run: each of them is one of every room.
 * @param roomsBefore how many rooms before this one take capacity
 * @param bytesBefore the size of the rooms before this one on the page
 */
export function obstaclesOfRoom(
  circumstances: Circumstances,
  room: PlannedRoom,
  answers: RoomAnswers,
  { roomsBefore, bytesBefore }: { roomsBefore: number; bytesBefore: number },
): Obstacle[] {
  const found = whyNotMove(factsOf(circumstances, room, answers, roomsBefore)).map(presentObstacle)
  if (!isMovableRoom(room)) return found
  return [...found, ...risksOf(circumstances, room, answers, bytesBefore)]
}

function factsOf(
  { sourceName, target, removals, skipsSessions, answers }: Circumstances,
  room: PlannedRoom,
  of: RoomAnswers,
  roomsBefore: number,
): MoveFacts {
  const { state, product } = room
  const way = { source: sourceName, target: target.name, isSameServer: isSameServer(answers) }
  const facts = { ...way, targetIsDisabled: target.isDisabled, room: room.name }
  if (room.id === null || state === null || product === null) return { ...facts, home: 'nowhere' }
  return {
    ...facts,
    home: room.isInSource ? 'source' : 'elsewhere',
    isBusy: room.isBusy,
    state,
    product,
    targetProducts: target.products,
    // A room that takes no capacity has another obstacle.
    freeCapacity: room.takesCapacity && target.freeCapacity !== null ? target.freeCapacity - roomsBefore : null,
    removalInTarget: removals.get(room.id) ?? null,
    ...inSource(room.id, of.source),
    ...('found' in of.sessions && !skipsSessions ? { sessions: of.sessions.found } : {}),
    ...inTarget(room.id, of.target),
  }
}

function inSource(roomId: string, answer: Answer<RoomInfo | null>): Pick<MoveFacts, 'inSource'> {
  if ('is' in answer) return {}
  if (answer.found?.roomId !== roomId) return { inSource: 'missing' }
  return { inSource: answer.found.locked ? 'locked' : 'unlocked' }
}

function inTarget(roomId: string, answer: Answer<RoomInfo | null>): Pick<MoveFacts, 'inTarget'> {
  if ('is' in answer) return {}
  if (answer.found === null) return { inTarget: 'nothing' }
  return { inTarget: answer.found.roomId === roomId ? 'left-copy' : 'other-room' }
}

function isSameServer({ source, target }: Circumstances['answers']): boolean {
  if ('is' in source || 'is' in target) return false
  return source.found.instanceId !== null && source.found.instanceId === target.found.instanceId
}

/** The risks of one room, such as a region that answers, but not about this room. */
function risksOf(circumstances: Circumstances, { id }: PlannedRoom, of: RoomAnswers, bytesBefore: number): Obstacle[] {
  const { sourceName, target, answers, skipsSessions, minutesToWait } = circumstances
  const isSeen = 'found' in of.source && of.source.found?.roomId === id
  return [
    ...unreachable(sourceName, of.source),
    ...(isSeen && skipsSessions ? useOf(of.sessions) : []),
    ...(isSameServer(answers) ? [] : unreachable(target.name, of.target)),
    ...tooEarly(target.name, minutesToWait),
    ...scarceSpace(circumstances, of.source, bytesBefore),
  ]
}

function useOf(sessions: Answer<number>): Obstacle[] {
  if ('is' in sessions || sessions.found === 0) return []
  const isOne = sessions.found === 1
  const inUse = isOne ? because('move-while-in-use-once') : because('move-while-in-use', { sessions: sessions.found })
  return [obstacleBecause('session', 'hint', inUse)]
}

/** For a while the target holds the backup and what is restored from it, and the source holds the backup. */
function scarceSpace(
  { sourceName, target, answers }: Circumstances,
  of: Answer<RoomInfo | null>,
  bytesBefore: number,
): Obstacle[] {
  const size = 'found' in of ? (of.found?.size ?? 0) : 0
  const tooFull = (region: string) => obstacleBecause('disk-space', 'fails', because('move-disk-full', { region }))
  if (size > freeBytes(answers.source)) return [tooFull(sourceName)]
  const free = freeBytes(answers.target)
  if (2 * size > free) return [tooFull(target.name)]
  if (bytesBefore + 2 * size <= free) return []
  return [obstacleBecause('disk-space', 'hint', because('move-disk-full-later', { region: target.name }))]
}

function freeBytes(status: Answer<RegionStatus>): number {
  return 'found' in status ? status.found.freeBytes : Number.POSITIVE_INFINITY
}

function unreachable(region: string, answer: Answer<unknown>): Obstacle[] {
  if ('found' in answer) return []
  switch (answer.is) {
    case 'silent': {
      const why = answer.why ?? because('named-region-unreachable', { region, error: 'timeout' })
      return [obstacleBecause('region-unreachable', 'fails', why)]
    }
    case 'refused':
      return [obstacleBecause('region-refuses', 'fails', because('move-region-refuses', { region, told: answer.told }))]
    case 'login refused':
      return [obstacleBecause('region-refuses', 'fails', because('move-region-refuses-login', { region }))]
  }
}

function tooEarly(region: string, minutes: number): Obstacle[] {
  return minutes > 0 ? [obstacleBecause('too-early', 'fails', because('move-too-early', { region, minutes }))] : []
}
