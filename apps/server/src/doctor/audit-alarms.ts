/** Reports a missing seal as a finding at once, without waiting for a run of the doctor. */
import { randomUUID } from 'node:crypto'
import type { MissedAnchor } from '#operators/index.ts'
import type { Tx } from '#platform/database.ts'
import { findingOfMissed } from './checks/check-audit.ts'
import { recordFinding } from './record-findings.ts'

export async function reportMissedAnchor(tx: Tx, missed: MissedAnchor): Promise<void> {
  await recordFinding(tx, randomUUID(), findingOfMissed(missed))
}
