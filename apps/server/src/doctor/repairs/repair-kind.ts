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
import { refuse } from '#platform/refuse.ts'
import type { StoredRoom } from '#rooms/index.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import type { StoredFinding } from '../stored-finding.ts'

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
export async function roomOf({ db }: DoctorParts, { roomName }: StoredFinding): Promise<StoredRoom> {
  const room = await db
    .selectFrom('rooms')
    .selectAll()
    .where('name', '=', roomName ?? '')
    .executeTakeFirst()
  if (room === undefined) throw impossible('room-not-here')
  return room
}

/** @throws Refusal */
export async function regionOf(
  parts: DoctorParts,
  id: number | null,
): Promise<{ id: number; name: string; url: string; client: RegionClient }> {
  const region = await parts.db
    .selectFrom('regions')
    .select(['id', 'name', 'url'])
    .where('id', '=', id ?? 0)
    .executeTakeFirst()
  if (region === undefined) throw impossible('region-not-registered')
  return { ...region, client: await parts.connectRegion(region.id, parts.signal) }
}
