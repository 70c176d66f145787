/** Checks the seals of the audit trail, and that it has those that were written down outside of the database. */
import { createHash } from 'node:crypto'
import { acknowledgesSeal, type MissedAnchor, readMissed, UnreadableAnchor, verifyAudit } from '#operators/index.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import type { NewFinding } from '../finding.ts'

export async function checkAudit({ db, anchors }: DoctorParts): Promise<NewFinding[]> {
  const { damages } = await verifyAudit(db, new Map())
  const missed: MissedAnchor[] = []
  for (const place of anchors) {
    try {
      missed.push(...(await readMissed(db, place)))
    } catch (error) {
      if (error instanceof UnreadableAnchor) damages.push(error.message)
      // The check of backups reports an unreachable store.
      else if (!place.isStore) throw error
    }
  }
  return [...damages.map(findingOfDamage), ...missed.map(findingOfMissed)]
}

function findingOfDamage(damage: string): NewFinding {
  const subject = createHash('sha256').update(damage).digest('hex').slice(0, 16)
  return { kind: 'audit-damaged', section: 'audit', subject, facts: { damage } }
}

/** One finding for each seal, in how many places it may be. An acknowledgement names the seal by these facts. */
export function findingOfMissed({ place, position, hash, keptAt }: MissedAnchor): NewFinding {
  const facts = { file: place, position, hash, at: keptAt }
  return { kind: 'audit-cut-off', section: 'audit', subject: `${position}:${hash}`, facts }
}

/** SQL about a finding `f`: an anchor may be where only the process that found it looks, so only this ends the finding. */
export const isAcknowledged = acknowledgesSeal(`f.facts ->> 'position'`, `f.facts ->> 'hash'`, `f.facts ->> 'at'`)
