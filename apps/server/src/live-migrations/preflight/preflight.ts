/** The preflight: what would happen to each selected room if the migration started now. Changes nothing. */
import type { Preflight, PreflightRoom, RoomSelection } from '@roomkeeper/contract'
import { isMovableState } from '@roomkeeper/rules'
import type { Db } from '#platform/database.ts'
import { findCapacity, type RegionCapacity } from '#regions/index.ts'
import { findMigration } from '../configurations.ts'
import { nameOfRegion } from '../operations/check-home.ts'
import { minutesToWait, removalsInTarget } from '../removals-in-target.ts'
import { checkNotEmpty } from '../selected-rooms.ts'
import type { MigrationParts } from '../start-migration.ts'
import { askRegions, type RoomAnswers } from './ask-regions.ts'
import { estimateSeconds, type Pace, readPace } from './estimate-seconds.ts'
import { type Circumstances, obstaclesOfRoom, obstaclesOfRun, whyNotStart } from './obstacles.ts'
import { type PlannedRoom, readSelectionPage, type SelectionPage } from './selection-page.ts'

/** @throws Refusal `migration-unknown`, `invalid-input`, `invalid-filter` */
export async function preflight(
  { database: { db }, connectRegion }: MigrationParts,
  selection: RoomSelection,
  at: { page: number; size: number },
  gone: AbortSignal,
): Promise<Preflight> {
  checkNotEmpty(selection)
  const migration = await findMigration(db, selection.liveMigrationData.id)
  const { sourceRegion: sourceId, targetRegion: targetId } = migration
  const [sourceName, target] = await Promise.all([nameOfRegion(db, sourceId), findTarget(db, targetId)])
  const targetIsCapped = target.freeCapacity !== null
  const plan = { selection, sourceId, targetProducts: target.products, targetIsCapped }
  const page = await readSelectionPage(db, plan, { offset: at.page * at.size, size: at.size })
  const rooms = page.rooms.map(({ name, state }) => ({ name, isActive: state === 'DEFAULT' }))
  const ids = page.rooms.flatMap(({ id }) => id ?? [])
  const [answers, pace, removals, minutes] = await Promise.all([
    askRegions(connectRegion, { sourceId, targetId, rooms }, gone),
    readPace(db),
    removalsInTarget(db, targetId, ids),
    minutesToWait(db, targetId),
  ])
  const skipsSessions = selection.skippActiveSessions
  const circumstances = { sourceName, target, removals, minutesToWait: minutes, skipsSessions, answers }
  const obstacles = obstaclesOfRun(circumstances, page)
  return {
    totalElements: page.total,
    totalPages: Math.ceil(page.total / at.size),
    obstacles,
    whyNotStart: whyNotStart(obstacles, circumstances),
    rooms: assessRooms(circumstances, page, answers.rooms, pace),
  }
}

function assessRooms(
  circumstances: Circumstances,
  { rooms, capacity }: SelectionPage,
  answers: readonly RoomAnswers[],
  pace: Pace,
): PreflightRoom[] {
  const before = { roomsBefore: capacity.before, bytesBefore: 0 }
  return rooms.flatMap((room, index) => {
    const answer = answers[index]
    if (answer === undefined) return []
    const obstacles = obstaclesOfRoom(circumstances, room, answer, before)
    const bytes = 'found' in answer.source ? (answer.source.found?.size ?? null) : null
    // A room that is not moved gives its place back.
    if (obstacles.every(({ effect }) => effect === 'hint')) {
      if (room.takesCapacity) before.roomsBefore += 1
      before.bytesBefore += bytes ?? 0
    }
    return [{ ...shown(room), bytes, seconds: bytes === null ? null : estimateSeconds(pace, bytes), obstacles }]
  })
}

function shown({ name, state, priority, isInSource }: PlannedRoom) {
  const projectRoomState = isInSource && isMovableState(state) ? state : ('OTHER' as const)
  return { projectRoomName: name, projectRoomState, priority }
}

async function findTarget(db: Db, regionId: number): Promise<RegionCapacity> {
  const target = await findCapacity(db, regionId)
  if (target === null) throw new Error('The target of the configuration is gone.')
  return target
}
