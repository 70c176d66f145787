/** Compares the rooms of the console with the rooms of all regions. */
import { because } from '@roomkeeper/contract'
import { pause } from '#platform/pause.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import { recordFinding, retainFindingsOf } from '../record-findings.ts'
import { type Progress, saveProgress } from '../run-record.ts'
import { judgeRoom } from '../walk/judge-room.ts'
import { consoleRooms, mergeRooms, type Namesakes } from '../walk/merge-rooms.ts'
import { giveUpWhenTooMuch, roomsOfRegion } from '../walk/region-walk.ts'
import { settleSuspect } from '../walk/settle-suspect.ts'
import type { AskedRegion } from './check-regions.ts'

const roomsBetweenRecords = 2000

/** Continues from the recorded progress and updates it. */
export async function checkRooms(
  parts: DoctorParts,
  runId: string,
  regions: readonly AskedRegion[],
  progress: Progress,
): Promise<void> {
  const { db, signal } = parts
  const byId = new Map(regions.map((region) => [region.id, region]))
  const answering = regions.filter(({ lost }) => lost === null)
  const theirs = answering.map((region) => ({ region, rooms: roomsOfRegion(region, progress.after, signal) }))
  const save = async () => {
    progress.givenUp = regions.filter(({ lost }) => lost !== null).map(({ id }) => id)
    await saveProgress(db, runId, progress)
  }
  for await (const namesakes of mergeRooms(consoleRooms(db, progress.after), theirs, progress.after)) {
    signal.throwIfAborted()
    if (isSuspect(namesakes, byId)) await settle(parts, runId, namesakes, byId)
    progress.after = namesakes.name
    progress.rooms += 1
    if (progress.rooms % roomsBetweenRecords !== 0) continue
    await save()
    await parts.report([because('log-rooms-looked-at', { rooms: progress.rooms })], progress.rooms)
    // Yields to other work of this process.
    await pause(0)
  }
  await save()
  progress.asked = regions.filter(({ lost }) => lost === null).map(({ id }) => id)
}

function isSuspect(namesakes: Namesakes, regions: ReadonlyMap<number, AskedRegion>): boolean {
  return namesakes.room?.busy === true ? false : judgeRoom(namesakes, regions).length > 0
}

async function settle(
  { db, signal }: DoctorParts,
  runId: string,
  suspect: Namesakes,
  regions: ReadonlyMap<number, AskedRegion>,
): Promise<void> {
  const settled = await settleSuspect(db, suspect, regions, signal)
  if (settled === null || settled.silent.length > 0) await retainFindingsOf(db, runId, suspect.name)
  const found = settled?.found ?? []
  for (const draft of found) await recordFinding(db, runId, draft)
  for (const { regionId } of found) {
    const region = regions.get(regionId ?? 0)
    if (region !== undefined) region.trouble.findings += 1
  }
  // The rest of the progress bar is for the console's rooms.
  if (suspect.room === null)
    for (const { region } of [...suspect.copies, ...suspect.damaged]) region.trouble.suspects += 1
  for (const region of regions.values()) giveUpWhenTooMuch(region)
}
