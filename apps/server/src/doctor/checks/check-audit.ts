/** Checks the seals of the audit trail. */
import { createHash } from 'node:crypto'
import { readAnchor, verifyAudit } from '#operators/index.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import type { NewFinding } from '../finding.ts'

export async function checkAudit({ db, dataDir }: DoctorParts): Promise<NewFinding[]> {
  const kept = await readAnchor(dataDir)
  const { damages } = await verifyAudit(db, new Map(kept === null ? [] : [[`the folder ${dataDir}`, kept]]))
  return damages.map((damage) => ({
    kind: 'audit-damaged',
    section: 'audit',
    subject: createHash('sha256').update(damage).digest('hex').slice(0, 16),
    facts: { damage },
  }))
}
