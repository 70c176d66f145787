/** Checks redirects: each must lead to the region that has its room, directly or over other redirecting regions. */

import { because, type CodedReason } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'
import { pause } from '#platform/pause.ts'
import { type DoctorParts, regionPage } from '../doctor-parts.ts'
import type { NewFinding } from '../finding.ts'
import { recordFinding, retainFindingsOf } from '../record-findings.ts'
import { giveUpWhenTooMuch, isInOrder, type RegionWalk, reasonOf } from '../walk/region-walk.ts'
import { snapshotOf } from '../walk/settle-suspect.ts'
import { stoppedAnswering } from './check-regions.ts'

export interface Route {
  name: string
  targetUrl: string
}

export async function checkRedirects(parts: DoctorParts, runId: string, regions: readonly RegionWalk[]): Promise<void> {
  for (const region of regions) if (region.lost === null) await checkRegion(parts, runId, regions, region)
  await checkRecords(parts, runId)
}

async function checkRegion(
  { db, signal }: DoctorParts,
  runId: string,
  regions: readonly RegionWalk[],
  region: RegionWalk,
): Promise<void> {
  for (let after = ''; ; ) {
    const page = await routesAfter(region, after, signal)
    if (page === null) return
    const names = page.routes.map(({ name }) => name)
    if (!isInOrder(names, after, page.next)) {
      region.lost = because('redirects-not-in-order')
      return
    }
    const suspects = []
    for (const route of page.routes)
      if ((await judgeRedirect(db, regions, region, route)) !== null) suspects.push(route)
    for (const suspect of suspects) {
      region.trouble.suspects += 1
      const found = await settleRedirect(db, regions, region, { suspect, after })
      if (found === 'under way') await retainFindingsOf(db, runId, suspect.name)
      else if (found !== null && 'lost' in found) region.lost = found.lost
      else if (found !== null) {
        region.trouble.findings += 1
        await recordFinding(db, runId, found)
      }
      giveUpWhenTooMuch(region)
      if (region.lost !== null) return
    }
    if (page.next === null) return
    if (names.length === 0) region.trouble.suspects += regionPage.rooms
    giveUpWhenTooMuch(region)
    if (region.lost !== null) return
    after = page.next
    await pause(regionPage.pauseMilliseconds, signal)
  }
}

/** @returns null if the region lists no redirects or no longer answers */
async function routesAfter(region: RegionWalk, after: string, signal: AbortSignal) {
  try {
    return await region.client.routes(after, regionPage.rooms)
  } catch (error) {
    signal.throwIfAborted()
    region.lost = reasonOf(error)
    return null
  }
}

/**
 * Checks the console, the region, and the console again, as for rooms.
 * @returns `lost`: why the region does not answer
 */
export async function settleRedirect(
  db: Db,
  regions: readonly RegionWalk[],
  region: RegionWalk,
  { suspect, after }: { suspect: Route; after: string },
  except: string | null = null,
): Promise<NewFinding | 'under way' | { lost: CodedReason } | null> {
  const before = await snapshotOf(db, suspect.name, [], except)
  const page = await listAgain(region, after)
  const now = await snapshotOf(db, suspect.name, [], except)
  if ('lost' in page) return page
  if (before.underWay || now.underWay || before.mark !== now.mark) return 'under way'
  const still = page.routes.find(({ name }) => name === suspect.name)
  return still === undefined ? null : judgeRedirect(db, regions, region, still)
}

/** A region that lists its redirects no more has answered a moment before. */
async function listAgain(region: RegionWalk, after: string) {
  try {
    return (await region.client.routes(after, regionPage.rooms)) ?? { lost: stoppedAnswering }
  } catch (error) {
    return { lost: reasonOf(error) }
  }
}

async function judgeRedirect(
  db: Db,
  regions: readonly RegionWalk[],
  region: RegionWalk,
  { name, targetUrl }: Route,
): Promise<NewFinding | null> {
  const [room] = await queryRows<{ id: string; regionId: number }>(
    db,
    'select id, region_id from rooms where name = $1',
    [name],
  )
  const about = { section: 'redirects', regionId: region.id, room: { id: room?.id ?? null, name } } as const
  const facts = { region: region.name, room: name, target: targetUrl }
  if (room === undefined) return { ...about, kind: 'redirect-without-room', facts }
  const leads = await leadsTo(db, regions, room, targetUrl)
  return leads && room.regionId !== region.id ? null : { ...about, kind: 'redirect-misleads', facts }
}

/** Whether a visitor who is sent to this address ends up at the room. */
async function leadsTo(
  db: Db,
  regions: readonly RegionWalk[],
  room: { id: string; regionId: number },
  targetUrl: string,
): Promise<boolean> {
  const bare = (url: string) => url.replace(/\/+$/, '')
  const routes = await queryRows<{ regionId: number; targetRegionId: number }>(
    db,
    'select region_id, target_region_id from redirects where room_id = $1',
    [room.id],
  )
  const onward = new Map(routes.map((each) => [each.regionId, each.targetRegionId]))
  let at = regions.find(({ url }) => bare(url) === bare(targetUrl))?.id
  for (let hops = 0; at !== undefined && hops <= onward.size; hops += 1) {
    if (at === room.regionId) return true
    at = onward.get(at)
  }
  return false
}

/** Finds recorded redirects of deleted rooms: their region was unreachable then, or does not list redirects. */
async function checkRecords({ db }: DoctorParts, runId: string): Promise<void> {
  const rows = await queryRows<{ roomName: string; regionId: number; region: string; target: string }>(
    db,
    `select route.room_name, route.region_id, source.name as region, target.url as target
       from redirects route join regions source on source.id = route.region_id
       join regions target on target.id = route.target_region_id
      where not exists (select from rooms where rooms.id = route.room_id or rooms.name = route.room_name)
        and not exists (select from operations o where o.room_id = route.room_id and o.ended_at is null)
      order by route.room_name limit 10000`,
  )
  for (const { roomName: name, regionId, region, target } of rows) {
    const facts = { region, room: name, target }
    const room = { id: null, name }
    await recordFinding(db, runId, { kind: 'redirect-without-room', section: 'redirects', regionId, room, facts })
  }
}
