/**
 * One run over everything. The run records each completed section, so that a worker that takes over continues with the
 * next one, and the comparison of rooms with the last name. A run writes nothing but its own records and findings.
 */

import { checkAudit } from './checks/check-audit.ts'
import { checkBackups, StoreUnreachable } from './checks/check-backups.ts'
import { checkCounts } from './checks/check-counts.ts'
import { checkMoved } from './checks/check-moved.ts'
import { checkOperations } from './checks/check-operations.ts'
import { checkRedirects } from './checks/check-redirects.ts'
import { type AskedRegion, askRegions, findingsOfRegions } from './checks/check-regions.ts'
import { checkRooms } from './checks/check-rooms.ts'
import { checkTime } from './checks/check-time.ts'
import type { DoctorParts } from './doctor-parts.ts'
import { type NewFinding, type Section, sections } from './finding.ts'
import { closeVanished, recordFinding, retainFindingsOfUnreadBackups } from './record-findings.ts'
import { isDone, type Progress, readProgress, saveProgress, withHeartbeat } from './run-record.ts'

interface Examination {
  parts: DoctorParts
  runId: string
  regions: AskedRegion[]
  progress: Progress
}

/** Works on a run that is already recorded. @throws the error that stops the run; the run can be continued later */
export function examine(parts: DoctorParts, runId: string): Promise<void> {
  return withHeartbeat(parts.db, runId, () => examineAll(parts, runId))
}

async function examineAll(parts: DoctorParts, runId: string): Promise<void> {
  const progress = await readProgress(parts.db, runId)
  const regions = await askRegions(parts, progress.givenUp)
  const examination = { parts, runId, regions, progress }
  for (const section of sections) {
    if (isDone(progress, section)) continue
    parts.signal.throwIfAborted()
    if (await examineSection(section, examination)) progress.done.push(section)
    await saveProgress(parts.db, runId, progress)
  }
  // Recorded last, to include regions that stopped answering during the run.
  await recordAll(examination, findingsOfRegions(regions))
  await retainFindingsOfUnreadBackups(parts.db, runId)
  await closeVanished(parts.db, runId, progress)
}

/** @returns whether the whole section could be checked */
async function examineSection(section: Section, examination: Examination): Promise<boolean> {
  const { parts, runId, regions, progress } = examination
  switch (section) {
    case 'regions':
      return true
    case 'rooms':
      await checkRooms(parts, runId, regions, progress)
      await checkMoved(parts, runId, regions, progress.rooms)
      return true
    case 'redirects':
      await checkRedirects(parts, runId, regions)
      progress.asked = progress.asked.filter((id) => regions.some((each) => each.id === id && each.lost === null))
      return true
    case 'backups':
      return checkBackups(parts, runId).then(
        () => true,
        (error: unknown) => {
          if (error instanceof StoreUnreachable) return false
          throw error
        },
      )
    case 'operations':
      return recordAll(examination, await checkOperations(parts))
    case 'counts':
      return recordAll(examination, await checkCounts(parts))
    case 'audit':
      return recordAll(examination, await checkAudit(parts))
    case 'time':
      return recordAll(examination, await checkTime(parts))
  }
}

async function recordAll({ parts, runId }: Examination, found: readonly NewFinding[]): Promise<true> {
  for (const draft of found) await recordFinding(parts.db, runId, draft)
  return true
}
