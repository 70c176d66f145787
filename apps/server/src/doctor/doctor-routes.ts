/** The calls of the doctor: findings, runs, repairs. */
import { because, type CodedReason, type Repair, type RepairPreview } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import { startOnce, startOperation } from '#operations/index.ts'
import { type Database, queryRows } from '#platform/database.ts'
import { accepted, type Handlers, ok } from '#platform/http/handler.ts'
import { Refusal, refuse } from '#platform/refuse.ts'
import type { StartingCall } from '#rooms/index.ts'
import type { DoctorParts } from './doctor-parts.ts'
import { reasonOfFinding } from './finding.ts'
import { inEnglish, repairFinding, whyNotNow } from './operations/repair-finding.ts'
import { recheck } from './recheck.ts'
import { repairKinds } from './repairs/repair-kinds.ts'
import { startRun } from './start-run.ts'
import { findFinding, pageOfFindings, repairsOf, type StoredFinding } from './stored-finding.ts'
import { reasonOf } from './walk/region-walk.ts'

type DoctorHandlers = Pick<Handlers, 'doctorFindings' | 'runDoctor' | 'repairFinding'>

export interface DoctorCore extends Pick<DoctorParts, 'connectRegion' | 'stores' | 'secrets' | 'anchors'> {
  database: Database
}

export function doctorHandlers(core: DoctorCore): DoctorHandlers {
  const { database } = core
  return {
    doctorFindings: async ({ query }) => ok(await pageOfFindings(database.db, query)),
    async runDoctor(call) {
      const { caller, requestId } = call
      const request = { caller, route: 'runDoctor', key: call.header('idempotency-key'), body: {} }
      const id = await startOnce(database, request, async (tx) => {
        const operationId = await startRun(tx, { startedBy: caller.actor, requestId })
        await recordChange(tx, { actor: caller.actor, kind: 'doctor.run', operationId, requestId })
        return operationId
      })
      return accepted(id)
    },
    async repairFinding(call) {
      const { repair, preview } = call.body
      if (!preview) return accepted(await startRepair(core, call, { id: call.params.id, repair }))
      const { connectRegion, stores, secrets, anchors } = core
      const parts = {
        connectRegion,
        stores,
        secrets,
        anchors,
        db: database.db,
        signal: call.signal,
        report: async () => undefined,
      }
      return ok(await previewOf(parts, call.params.id, repair))
    },
  }
}

/** @throws Refusal `finding-unknown`, `repair-impossible`, `room-busy` */
function startRepair(core: DoctorCore, call: StartingCall, wanted: { id: string; repair: Repair }): Promise<string> {
  const { caller, requestId } = call
  const request = { caller, route: 'repairFinding', key: call.header('idempotency-key'), body: wanted }
  return startOnce(core.database, request, async (tx) => {
    const finding = await findFinding(tx, wanted.id)
    checkOffered(finding, wanted.repair)
    const [known] = await queryRows<{ id: string; name: string }>(tx, 'select id, name from rooms where id = $1', [
      finding.roomId,
    ])
    const operationId = await startOperation(tx, repairFinding, {
      input: { finding: finding.id, repair: wanted.repair },
      room: known ?? null,
      subject: finding.roomName ?? String(finding.facts.region ?? finding.facts.what ?? ''),
      regionId: finding.regionId,
      startedBy: caller.actor,
      requestId,
    })
    await queryRows(tx, 'update doctor_findings set operation_id = $2 where id = $1', [finding.id, operationId])
    const detail = because(`audit-repair-${wanted.repair}`, { reason: reasonOfFinding(finding) })
    const entry = { actor: caller.actor, kind: 'doctor.repair' as const, detail, operationId, requestId }
    await recordChange(tx, known === undefined ? entry : { ...entry, room: known })
    return operationId
  })
}

/** Asks the regions again, so that the preview shows what the repair would do now. */
async function previewOf(parts: DoctorParts, id: string, repair: Repair): Promise<RepairPreview> {
  const finding = await findFinding(parts.db, id)
  checkOffered(finding, repair)
  try {
    const verdict = await recheck(parts, finding)
    if (verdict !== 'still so') return impossibleBecause(whyNotNow(verdict))
    return { reason: null, reasons: [], changes: await repairKinds[repair].preview(parts, finding) }
  } catch (error) {
    return impossibleBecause([error instanceof Refusal ? error.reason : reasonOf(error)])
  }
}

function impossibleBecause(reasons: readonly CodedReason[]): RepairPreview {
  return { reason: inEnglish(reasons), reasons: [...reasons], changes: [] }
}

function checkOffered(finding: StoredFinding, repair: Repair): void {
  if (!repairsOf(finding).includes(repair))
    throw refuse('repair-impossible', { reason: because('no-repair-for-finding') })
}
