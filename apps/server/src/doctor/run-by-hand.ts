/** A run without a worker, for `npm run doctor`: checks everything in this process, and returns the open findings. */
import { randomUUID } from 'node:crypto'
import { because, type Finding } from '@roomkeeper/contract'
import { pause } from '#platform/pause.ts'
import { Refusal } from '#platform/refuse.ts'
import type { DoctorParts } from './doctor-parts.ts'
import { examine } from './examine.ts'
import { endRun, insertRun } from './run-record.ts'
import { pageOfFindings } from './stored-finding.ts'

export interface RunByHand {
  rooms: number
  seconds: number
  findings: Finding[]
  /** How many findings are open; `findings` may hold fewer. */
  total: number
}

const waitMilliseconds = 500
const mostListed = 1000

/** Waits until no other run is under way. */
export async function runByHand(parts: DoctorParts): Promise<RunByHand> {
  const { db } = parts
  const id = randomUUID()
  await insertRunWhenFree(parts, id)
  const startedAt = performance.now()
  try {
    await examine(parts, id)
    await endRun(db, id, 'done')
  } catch (error) {
    await endRun(db, id, 'failed').catch(() => undefined)
    throw error
  }
  const seconds = (performance.now() - startedAt) / 1000
  const wanted = { page: 0, size: mostListed, closed: false, search: '', severity: '' }
  const { data: findings, totalElements: total, lastRun } = await pageOfFindings(db, wanted)
  return { rooms: lastRun?.rooms ?? 0, seconds, findings, total }
}

async function insertRunWhenFree(parts: DoctorParts, id: string): Promise<void> {
  for (let isAnnounced = false; ; isAnnounced = true) {
    try {
      return await insertRun(parts.db, { id, operationId: null, startedBy: 'npm run doctor' })
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'doctor-running')) throw error
      if (!isAnnounced) await parts.report([because('log-other-check')], 0)
      parts.signal.throwIfAborted()
      await pause(waitMilliseconds, parts.signal)
    }
  }
}
