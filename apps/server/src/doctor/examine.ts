/**
 * Looks at everything once. Each section that is done is noted, so that whoever goes on with the run begins with the
 * next; the walk over the rooms goes on at the last name. Reads only: nothing but records of findings is written.
 */

import { checkAudit } from './checks/check-audit.ts'
import { checkBackups, StoreUnreachable } from './checks/check-backups.ts'
import { checkCounts } from './checks/check-counts.ts'
import { checkOperations } from './checks/check-operations.ts'
import { type AskedRegion, askRegions, findingsOfRegions } from './checks/check-regions.ts'
import { checkRooms } from './checks/check-rooms.ts'
import { checkRoutes } from './checks/check-routes.ts'
import type { DoctorParts } from './doctor-parts.ts'
import { type FindingDraft, type Section, sections } from './finding.ts'
import { closeWhatIsGone, keepFindingsOfUnreadBackups, recordFinding } from './record-findings.ts'
import { isDone, keepProgress, type Progress, readProgress, whileBeating } from './run-record.ts'

interface Look {
  parts: DoctorParts
  runId: string
  regions: AskedRegion[]
  progress: Progress
}

/** The run has been begun. @throws whatever keeps it from looking on; it can be gone on with */
export function examine(parts: DoctorParts, runId: string): Promise<void> {
  return whileBeating(parts.db, runId, () => lookAtAll(parts, runId))
}

async function lookAtAll(parts: DoctorParts, runId: string): Promise<void> {
  const progress = await readProgress(parts.db, runId)
  const regions = await askRegions(parts, progress.givenUp)
  const look = { parts, runId, regions, progress }
  for (const section of sections) {
    if (isDone(progress, section)) continue
    parts.signal.throwIfAborted()
    if (await lookAt(section, look)) progress.done.push(section)
    await keepProgress(parts.db, runId, progress)
  }
  // A region that went away on the way is told too.
  await recordAll(look, findingsOfRegions(regions))
  await keepFindingsOfUnreadBackups(parts.db, runId)
  await closeWhatIsGone(parts.db, runId, progress)
}

/** @returns whether all of it could be looked at */
async function lookAt(section: Section, look: Look): Promise<boolean> {
  const { parts, runId, regions, progress } = look
  switch (section) {
    case 'regions':
      return true
    case 'rooms':
      await checkRooms(parts, runId, regions, progress)
      return true
    case 'routes':
      await checkRoutes(parts, runId, regions)
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
      return recordAll(look, await checkOperations(parts))
    case 'counts':
      return recordAll(look, await checkCounts(parts))
    case 'audit':
      return recordAll(look, await checkAudit(parts))
  }
}

async function recordAll({ parts, runId }: Look, found: readonly FindingDraft[]): Promise<true> {
  for (const draft of found) await recordFinding(parts.db, runId, draft)
  return true
}
