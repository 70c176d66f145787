/** Asks both regions about themselves and about rooms. A missing answer is a result too. */
import type { CodedReason } from '@roomkeeper/contract'
import {
  type RegionClient,
  RegionRefusal,
  type RegionStatus,
  RegionUnreachable,
  type RoomInfo,
} from '@roomkeeper/region-protocol'
import { toldByRegion } from '#operations/index.ts'
import { mapConcurrently } from '#platform/map-concurrently.ts'
import type { ConnectRegion } from '#regions/index.ts'

/** Why there is no answer: the region does not answer, or it refuses to, because of the login or of something else. */
export type NoAnswer =
  | { /** `why` null: the time of the check is over. */ is: 'silent'; why: CodedReason | null }
  | { is: 'refused'; told: string }
  | { is: 'login refused' }

/** What was asked for, or why there is no answer. */
export type Answer<T> = { found: T } | NoAnswer

export interface RegionAnswers {
  source: Answer<RegionStatus>
  target: Answer<RegionStatus>
  rooms: RoomAnswers[]
}

export interface RoomAnswers {
  source: Answer<RoomInfo | null>
  /** How many sessions of users are open. Only active rooms are asked for; others have none. */
  sessions: Answer<number>
  target: Answer<RoomInfo | null>
}

interface Question {
  sourceId: number
  targetId: number
  rooms: readonly { name: string; isActive: boolean }[]
}

/** The time limit for all rooms of a page together. */
const limitSeconds = 6
const roomsAtOnce = 4

export async function askRegions(
  connect: ConnectRegion,
  question: Question,
  gone: AbortSignal,
): Promise<RegionAnswers> {
  const signal = AbortSignal.any([gone, AbortSignal.timeout(limitSeconds * 1000)])
  const [source, target] = await Promise.all([connect(question.sourceId, signal), connect(question.targetId, signal)])
  const [sourceStatus, targetStatus] = await Promise.all([answerOf(source.status()), answerOf(target.status())])
  // A region that does not answer with its status is not asked about its rooms.
  const ofSource = <T>(ask: (region: RegionClient) => Promise<T>) =>
    'is' in sourceStatus ? sourceStatus : answerOf(ask(source))
  const ofTarget = <T>(ask: (region: RegionClient) => Promise<T>) =>
    'is' in targetStatus ? targetStatus : answerOf(ask(target))
  const rooms = await mapConcurrently(question.rooms, roomsAtOnce, async ({ name, isActive }): Promise<RoomAnswers> => {
    const [inSource, sessions, inTarget] = await Promise.all([
      ofSource((region) => region.room(name)),
      isActive ? ofSource(async (region) => (await region.sessions(name)).length) : { found: 0 },
      ofTarget((region) => region.room(name)),
    ])
    return { source: inSource, sessions, target: inTarget }
  })
  return { source: sourceStatus, target: targetStatus, rooms }
}

async function answerOf<T>(asked: Promise<T>): Promise<Answer<T>> {
  try {
    return { found: await asked }
  } catch (error) {
    if (error instanceof RegionUnreachable) return { is: 'silent', why: toldByRegion(error) }
    if (error instanceof RegionRefusal)
      return error.status === 401 ? { is: 'login refused' } : { is: 'refused', told: error.message }
    if (error instanceof DOMException) return { is: 'silent', why: null }
    throw error
  }
}
