/**
 * The comparison reads the console and the regions at different moments. So before a suspect becomes a finding, it is
 * checked again in the console, then in the regions, then in the console. Both sides show the same moment only if no
 * operation was under way before or after, and nothing changed in between.
 */
import { englishReason } from '@roomkeeper/contract'
import { RegionRefusal, type RoomInfo } from '@roomkeeper/region-protocol'
import { type Db, queryRows } from '#platform/database.ts'
import { pause } from '#platform/pause.ts'
import type { NewFinding } from '../finding.ts'
import { judgeRoom, type RegionsById } from './judge-room.ts'
import { type ConsoleRoom, type Copy, consoleRoomColumns, type DamagedCopy, type Namesakes } from './merge-rooms.ts'
import { damagedIn, type RegionWalk, reasonOf } from './region-walk.ts'

const tries = 4
const pauseMilliseconds = 250

export interface Settled {
  /** Null if nothing can be said, because the region that is to have the room does not answer. */
  found: NewFinding[] | null
  /** Regions that had a copy but did not answer now: findings about them may still be true. */
  silent: readonly number[]
}

/** @returns null if nothing can be said at the moment */
export async function settleSuspect(
  db: Db,
  suspect: Namesakes,
  regions: RegionsById,
  signal: AbortSignal,
  exceptOperation: string | null = null,
): Promise<Settled | null> {
  for (let tried = 0; tried < tries; tried += 1) {
    if (tried > 0) await pause(pauseMilliseconds * tried, signal)
    signal.throwIfAborted()
    const ids = [suspect.room?.id, ...suspect.copies.map(({ info }) => info.roomId)].filter((id) => id !== undefined)
    const before = await snapshotOf(db, suspect.name, ids, exceptOperation)
    if (before.underWay) return null
    const holders = [...suspect.copies, ...suspect.damaged].map(({ region }) => region.id)
    const asked = new Set([...holders, before.room?.regionId ?? 0])
    const { copies, damaged, silent } = await copiesIn(suspect.name, asked, regions)
    if (silent.some((id) => id === before.room?.regionId)) return { found: null, silent }
    const after = await snapshotOf(db, suspect.name, ids, exceptOperation)
    if (after.underWay || after.mark !== before.mark) continue
    const found = judgeRoom({ name: suspect.name, room: after.room, copies, damaged }, regions)
    return { found: await withHistory(db, await withoutActiveLocks(db, found)), silent }
  }
  return null
}

async function copiesIn(name: string, ids: ReadonlySet<number>, regions: RegionsById) {
  const copies: Copy[] = []
  const damaged: DamagedCopy[] = []
  const silent: number[] = []
  for (const id of ids) {
    const region = regions.get(id)
    if (region === undefined || region.lost !== null) continue
    const answer = await ask(region, name)
    if (answer.is === 'silent') silent.push(id)
    else if (answer.is === 'damaged') damaged.push({ region, reason: answer.reason })
    else if (answer.info !== null) copies.push({ region, info: answer.info })
  }
  return { copies, damaged, silent }
}

type RegionAnswer = { is: 'told'; info: RoomInfo | null } | { is: 'damaged'; reason: string } | { is: 'silent' }

async function ask(region: RegionWalk, name: string): Promise<RegionAnswer> {
  let refusal: unknown = null
  const info = await region.client.room(name).catch((error: unknown) => {
    reasonOf(error)
    refusal = error
    return null
  })
  if (info !== null) return { is: 'told', info }
  // A region that answers that it has no such room may list it as damaged.
  const isSetAside = refusal instanceof RegionRefusal && refusal.type === roomIsDamaged
  if (refusal === null && !region.damaged.has(name)) return { is: 'told', info }
  const reason = await reportedDamage(region, name)
  if (reason === 'no answer') return { is: 'silent' }
  if (reason !== null) return { is: 'damaged', reason }
  // A region with very many damaged rooms lists only some of them.
  if (isSetAside) return { is: 'damaged', reason: englishReason(reasonOf(refusal)) }
  return refusal === null ? { is: 'told', info } : { is: 'silent' }
}

const roomIsDamaged = 'urn:roomkeeper-region:room-damaged'

async function reportedDamage(region: RegionWalk, name: string): Promise<string | null | 'no answer'> {
  try {
    return damagedIn((await region.client.status()).damagedRooms).get(name) ?? null
  } catch (error) {
    reasonOf(error)
    return 'no answer'
  }
}

export interface Snapshot {
  room: ConsoleRoom | null
  /** True if an open operation concerns the name or one of the rooms, which its input may name. */
  underWay: boolean
  /** Differs whenever the console has changed something about the room. */
  mark: string
}

/** What the console knows now about a name and about rooms with these ids. @param except the rechecking operation */
export async function snapshotOf(
  db: Db,
  name: string,
  ids: readonly string[],
  except: string | null = null,
): Promise<Snapshot> {
  const [room] = await queryRows<ConsoleRoom & { version: number }>(
    db,
    `select ${consoleRoomColumns}, r.version from rooms r where r.name = $1`,
    [name],
  )
  // `underWay` replaces it, and leaves out the rechecking operation.
  if (room !== undefined) room.busy = false
  const [work] = await queryRows<{ underWay: boolean; newest: string | null }>(
    db,
    `select exists (
              select from operations where state in ('waiting', 'running', 'cancelling') and id is distinct from $3
                 and (room_name = $1 or room_id = any($2::uuid[])
                      or exists (select from unnest($2::uuid[]) as id where strpos(input::text, id::text) > 0))
            ) as under_way,
            (select id::text || ended_at from operations where room_id = any($2::uuid[]) and id is distinct from $3
              order by n desc limit 1) as newest`,
    [name, ids, except],
  )
  const underWay = work?.underWay === true
  const mark = JSON.stringify([room?.id, room?.version, room?.regionId, room?.state, work?.newest])
  return { room: room ?? null, underWay, mark }
}

/** Locks of operations that have just ended are left to expire, which takes a minute from the last renewal. */
const lockGraceSeconds = 120

async function withoutActiveLocks(db: Db, found: NewFinding[]): Promise<NewFinding[]> {
  const kept: NewFinding[] = []
  for (const draft of found) {
    if (draft.kind !== 'lock-orphaned' || !(await isHolderActive(db, String(draft.facts.holder)))) kept.push(draft)
  }
  return kept
}

/** The holder of our own locks contains the operation's id. */
export async function isHolderActive(db: Db, holder: string): Promise<boolean> {
  const [id] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(holder) ?? []
  if (id === undefined) return false
  const found = await queryRows(
    db,
    `select from operations where id = $1 and (ended_at is null or ended_at > now() - make_interval(secs => $2))`,
    [id, lockGraceSeconds],
  )
  return found.length > 0
}

/** Adds when this console last had the unknown room, or when it was purged. */
async function withHistory(db: Db, found: NewFinding[]): Promise<NewFinding[]> {
  return Promise.all(
    found.map(async (each) => {
      if (each.kind !== 'room-unknown' || each.room?.id == null) return each
      const [known] = await queryRows<{ purged: string | null; former: string | null }>(
        db,
        `select (select max(purged_at) from purged_rooms where room_id = $1::uuid) as purged,
                (select max(ended_at) from operations where room_id = $1::uuid) as former`,
        [each.room.id],
      )
      if (known?.purged != null) return { ...each, facts: { ...each.facts, purged: known.purged } }
      return known?.former == null ? each : { ...each, facts: { ...each.facts, former: known.former } }
    }),
  )
}
