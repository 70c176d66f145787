/** A repair previews what it would change, and then changes exactly that. */
import {
  because,
  type ParamArguments,
  type ReasonCode,
  type RepairPreview,
  type reasonTexts,
} from '@roomkeeper/contract'
import type { RegionClient } from '@roomkeeper/region-protocol'
import type { StepCall } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import type { StoredFinding } from '../stored-finding.ts'
import { type ConsoleRoom, consoleRoomColumns } from '../walk/merge-rooms.ts'

export type RepairCall = StepCall<unknown>
export type Changes = RepairPreview['changes']

export interface RepairKind {
  /** The fields that would change, each with its old and new value. @throws Refusal `repair-impossible` */
  preview(parts: DoctorParts, finding: StoredFinding): Promise<Changes>
  /** May be repeated. Called just after the finding was rechecked. @throws StepFailed, Refusal */
  run(call: RepairCall, parts: DoctorParts, finding: StoredFinding): Promise<void>
}

export function impossible<Code extends ReasonCode>(
  code: Code,
  ...params: ParamArguments<(typeof reasonTexts)[Code]>
): Error {
  return refuse('repair-impossible', { reason: because(code, ...params) })
}

/** @throws Refusal */
export async function roomOf({ db }: DoctorParts, { roomName }: StoredFinding): Promise<ConsoleRoom> {
  const [room] = await queryRows<ConsoleRoom>(db, `select ${consoleRoomColumns} from rooms r where r.name = $1`, [
    roomName,
  ])
  if (room === undefined) throw impossible('room-not-here')
  return room
}

/** @throws Refusal */
export async function regionOf(
  parts: DoctorParts,
  id: number | null,
): Promise<{ id: number; name: string; url: string; client: RegionClient }> {
  const [region] = await queryRows<{ id: number; name: string; url: string }>(
    parts.db,
    'select id, name, url from regions where id = $1',
    [id],
  )
  if (region === undefined) throw impossible('region-not-registered')
  return { ...region, client: await parts.connectRegion(region.id, parts.signal) }
}
