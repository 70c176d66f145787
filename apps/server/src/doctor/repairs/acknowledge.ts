/** Records that an administrator knows that the end of the audit trail is missing. */
import { because } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import { sealAudit } from '#operators/index.ts'
import { reasonOfFinding } from '../finding.ts'
import type { RepairKind } from './repair-kind.ts'

export const acknowledge: RepairKind = {
  async preview(_, { facts }) {
    return [{ field: 'missedSeal', from: facts.position ?? null, to: null }]
  },
  async run(call, _, finding) {
    const { id: operationId, startedBy: actor, requestId } = call
    const detail = reasonOfFinding(finding)
    await call.log([because('log-acknowledged')])
    await call.finish(async (tx) => {
      await recordChange(tx, { actor, kind: 'audit.acknowledge', detail, operationId, requestId })
      // It counts once it has a seal; until then each process would report the finding again.
      await sealAudit(tx)
    })
  },
}
