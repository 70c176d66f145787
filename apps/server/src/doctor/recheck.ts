/** Rechecks one finding, before a repair and after it. */
import { because, type CodedReason } from '@roomkeeper/contract'
import { RegionUnreachable } from '@roomkeeper/region-protocol'
import { type Db, queryRows } from '#platform/database.ts'
import { isAcknowledged } from './checks/check-audit.ts'
import { backupsOf, findingOfSize } from './checks/check-backups.ts'
import { checkCounts } from './checks/check-counts.ts'
import { checkOperations } from './checks/check-operations.ts'
import { settleRedirect } from './checks/check-redirects.ts'
import { type AskedRegion, askRegions, stoppedAnswering } from './checks/check-regions.ts'
import { checkTime } from './checks/check-time.ts'
import type { DoctorParts } from './doctor-parts.ts'
import { keyOf, type NewFinding } from './finding.ts'
import type { StoredFinding } from './stored-finding.ts'
import type { Copy } from './walk/merge-rooms.ts'
import { reasonOf } from './walk/region-walk.ts'
import { settleSuspect, snapshotOf } from './walk/settle-suspect.ts'

/** Why each region that did not answer did not. */
export interface NoAnswer {
  lost: readonly CodedReason[]
}
export type Verdict = 'still so' | 'gone' | 'under way' | NoAnswer

/** @param operation the rechecking repair, which does not count as work under way */
export async function recheck(
  parts: DoctorParts,
  finding: StoredFinding,
  operation: string | null = null,
): Promise<Verdict> {
  const { db } = parts
  switch (finding.section) {
    case 'rooms':
      return recheckRoom(parts, finding, operation)
    case 'redirects':
      return recheckRedirect(parts, finding, operation)
    case 'backups':
      return among(finding, await recheckBackup(parts, db, finding))
    case 'operations':
      return among(finding, await checkOperations(parts))
    case 'counts':
      return among(finding, await checkCounts(parts))
    case 'audit':
      return finding.kind === 'audit-cut-off' && (await isKnown(db, finding)) ? 'gone' : 'still so'
    case 'time':
      return among(finding, await checkTime(parts))
    default:
      return { lost: [] }
  }
}

async function isKnown(db: Db, { id }: StoredFinding): Promise<boolean> {
  return (await queryRows(db, `select from doctor_findings f where id = $1 and ${isAcknowledged}`, [id])).length > 0
}

function among({ key }: StoredFinding, found: readonly NewFinding[]): 'still so' | 'gone' {
  return found.some((draft) => keyOf(draft) === key) ? 'still so' : 'gone'
}

async function recheckRoom(parts: DoctorParts, finding: StoredFinding, operation: string | null): Promise<Verdict> {
  const name = finding.roomName ?? ''
  const regions = new Map((await askRegions(parts, [])).map((region) => [region.id, region]))
  const needed = finding.regionIds.flatMap((id) => regions.get(id) ?? [])
  const silent = needed.filter(({ lost }) => lost !== null)
  if (silent.length > 0) return noAnswerOf(silent)
  const asked = await Promise.all(needed.map((region) => copyIn(region, name)))
  const stopped = asked.flatMap((answer) => (answer !== null && 'lost' in answer ? [answer] : []))
  if (stopped.length > 0) return noAnswerOf(stopped)
  const copies = asked.flatMap((answer) => (answer !== null && 'info' in answer ? [answer] : []))
  const { room } = await snapshotOf(parts.db, name, [], operation)
  const settled = await settleSuspect(parts.db, { name, room, copies, damaged: [] }, regions, parts.signal, operation)
  if (settled === null) return 'under way'
  if (settled.found === null) return noAnswerOf(settled.silent.flatMap((id) => regions.get(id) ?? []))
  const verdict = among(finding, settled.found)
  const unanswered = settled.silent.flatMap((id) => regions.get(id) ?? [])
  return verdict === 'gone' && unanswered.length > 0 ? noAnswerOf(unanswered) : verdict
}

function noAnswerOf(regions: readonly AskedRegion[]): NoAnswer {
  return {
    lost: regions.map(({ name, lost }) => because('of-region', { region: name, reason: lost ?? stoppedAnswering })),
  }
}

/** A refusal is an answer: the room may be damaged there, which is looked at later. */
async function copyIn(region: AskedRegion, name: string): Promise<Copy | AskedRegion | null> {
  try {
    const info = await region.client.room(name)
    return info === null ? null : { region, info }
  } catch (error) {
    if (error instanceof RegionUnreachable) return { ...region, lost: reasonOf(error) }
    reasonOf(error)
    return null
  }
}

async function recheckRedirect(parts: DoctorParts, finding: StoredFinding, operation: string | null): Promise<Verdict> {
  const { db } = parts
  const name = finding.roomName ?? ''
  const regions = await askRegions(parts, [])
  const region = regions.find(({ id }) => id === finding.regionId)
  if (region === undefined) return 'gone'
  if (region.lost !== null) return noAnswerOf([region])
  const where = { suspect: { name, targetUrl: '' }, after: nameBefore(name) }
  const found = await settleRedirect(db, regions, region, where, operation)
  if (found === 'under way') return found
  if (found !== null && 'lost' in found) return noAnswerOf([{ ...region, lost: found.lost }])
  const recorded = await queryRows(
    db,
    `select from redirects
      where room_name = $1 and region_id = $2 and not exists (select from rooms where name = $1) limit 1`,
    [name, region.id],
  )
  if (recorded.length > 0 && finding.kind === 'redirect-without-room') return 'still so'
  return found === null ? 'gone' : among(finding, [found])
}

const digitsAndLetters = '0123456789abcdefghijklmnopqrstuvwxyz'
const longestName = 24

/** The last possible name before this one. */
export function nameBefore(name: string): string {
  const stem = name.slice(0, -1)
  const position = digitsAndLetters.indexOf(name.at(-1) ?? '')
  return position <= 0 ? stem : `${stem}${digitsAndLetters[position - 1]}`.padEnd(longestName, 'z')
}

async function recheckBackup(parts: DoctorParts, db: Db, { subject }: StoredFinding): Promise<NewFinding[]> {
  const [backup] = await backupsOf(db, { where: 'b.id = $1', most: 1 }, [subject])
  const found = backup === undefined ? null : await findingOfSize(parts, backup)
  return found === null ? [] : [found]
}
