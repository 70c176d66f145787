/** What is told at once when time does not go on as it should: housekeeping and the scheduler find it, not a run. */
import { randomUUID } from 'node:crypto'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import type { Jump } from '#platform/steady-time.ts'
import { findingOfJump } from './checks/check-time.ts'
import { recordFinding } from './record-findings.ts'

export async function reportJump(db: Db, jump: Jump): Promise<void> {
  await recordFinding(db, randomUUID(), findingOfJump(jump))
}

export async function closeJump(db: Db): Promise<void> {
  await queryRows(db, `update doctor_findings set closed_at = now() where kind = 'time-jumped' and closed_at is null`)
}

/** @param until the time up to which the policy was said to be scheduled */
export async function reportPolicyAhead(tx: Tx, { name, until }: { name: string; until: string }): Promise<void> {
  const facts = { policy: name, until }
  await recordFinding(tx, randomUUID(), { kind: 'time-ahead', section: 'time', subject: name, facts })
}
