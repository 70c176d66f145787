/** Finds that the time of the database has jumped, so that housekeeping removes nothing. */
import { type Jump, openJump } from '#platform/steady-time.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import type { NewFinding } from '../finding.ts'

export async function checkTime({ db }: DoctorParts): Promise<NewFinding[]> {
  const jump = await openJump(db)
  return jump === null ? [] : [findingOfJump(jump)]
}

export function findingOfJump({ from, to, until }: Jump): NewFinding {
  return { kind: 'time-jumped', section: 'time', facts: { from, to, until } }
}
