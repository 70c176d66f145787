/** Checks the seals of the audit trail, and that it has those that were written down outside of the database. */
import { createHash } from 'node:crypto'
import { anchorsInFolder, anchorsInStore, type MissedAnchor, readMissed, verifyAudit } from '#operators/index.ts'
import { type Db, queryRows } from '#platform/database.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import type { NewFinding } from '../finding.ts'
import type { StoredFinding } from '../stored-finding.ts'

export async function checkAudit({ db, dataDir, stores }: DoctorParts): Promise<NewFinding[]> {
  const { damages } = await verifyAudit(db, new Map())
  const damaged = damages.map((damage) => ({
    kind: 'audit-damaged' as const,
    section: 'audit' as const,
    subject: createHash('sha256').update(damage).digest('hex').slice(0, 16),
    facts: { damage },
  }))
  const inFolder = await readMissed(db, anchorsInFolder(dataDir))
  // A store that is away is a finding of the backups.
  const inStore = await readMissed(db, anchorsInStore(stores.files)).catch(() => [])
  const [missed] = [...inFolder, ...inStore].toSorted((one, other) => other.position - one.position)
  return missed === undefined ? damaged : [...damaged, findingOfMissed(missed)]
}

/** One finding for all places: who acknowledges it acknowledges all of them. */
export function findingOfMissed({ place, position, keptAt }: MissedAnchor): NewFinding {
  return { kind: 'audit-cut-off', section: 'audit', facts: { file: place, position, at: keptAt } }
}

/** An anchor may be where only the process that found it looks, so nothing but an acknowledgement ends the finding. */
export async function isAcknowledged(db: Db, { facts }: StoredFinding): Promise<boolean> {
  const since = `select from audit where action = 'audit.acknowledge' and at >= $1::timestamptz limit 1`
  return (await queryRows(db, since, [facts.at])).length > 0
}
