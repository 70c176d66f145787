/** The operation of a run: a worker that takes over continues the run. */
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { NotYet, noUndo, operation } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import { statementWasEnded } from '#platform/database-errors.ts'
import { refuse } from '#platform/refuse.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import { examine } from '../examine.ts'
import type { RepairCall } from '../repairs/repair-kind.ts'
import { endRun } from '../run-record.ts'

const input = z.object({})

export const examineEverything = operation<z.infer<typeof input>>({
  kind: 'doctor.run',
  version: 1,
  process: null,
  input,
  takesSlot: false,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [
    {
      id: 'compare-everything',
      title: 'compare the console with its regions and stores',
      run: (call) => examine(partsOf(call), call.id).catch(countAsFailure),
      undo: noUndo,
      // What the database cannot do in its limit of time is a burden for it, each time.
      retry: { minutes: 12 * 60, longestPauseSeconds: 5 * 60 },
    },
  ],
  done: (tx, { id }) => endRun(tx, id, 'done'),
  failed: (tx, { id }) => endRun(tx, id, 'failed'),
  cancelled: (tx, { id }) => endRun(tx, id, 'cancelled'),
  async retrying() {
    throw refuse('operation-not-retryable', { reason: because('start-check-again') })
  },
})

/** A statement that takes too long may do so for ever, so it counts as a failure and not as an outage. */
function countAsFailure(error: unknown): never {
  throw statementWasEnded(error) ? new NotYet(because('database-ended-statement')) : error
}

export function partsOf(call: RepairCall): DoctorParts {
  const { db, connectRegion, files, objectStore, secrets, anchors } = call.services
  return {
    db,
    connectRegion,
    stores: { files, objectStore },
    secrets,
    anchors,
    signal: call.signal,
    async report(said, rooms) {
      const total = await roomsOf(call)
      await call.log(said)
      await call.progress(total === 0 ? 0 : Math.min(0.9, (rooms / total) * 0.9))
    },
  }
}

async function roomsOf({ services }: RepairCall): Promise<number> {
  const [all] = await queryRows<{ rooms: number | null }>(services.db, 'select sum(room_count) as rooms from regions')
  return all?.rooms ?? 0
}
