import {
  type AttentionAct,
  type AttentionKind,
  attentionKinds,
  type Product,
  type Role,
  routes,
} from '@roomkeeper/contract'
import { dayInUtc, roleAllows } from '@roomkeeper/rules'
import type { Database } from '#platform/database.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'
import { sharedReads } from '#platform/shared-reads.ts'
import { readCapacity } from './capacity.ts'
import { countDay } from './count-day.ts'
import { findFacts } from './find-facts.ts'

const dayMilliseconds = 86_400_000

export function overviewHandlers({ db }: Database): Pick<Handlers, 'attention' | 'today' | 'capacity'> {
  // All consoles that show the overview ask again after the same event.
  const sharedFacts = sharedReads(() => findFacts(db))
  const sharedDays = sharedReads((day: { from: Date; to: Date }) => countDay(db, day))
  const sharedCapacity = sharedReads((product: Product | null) => readCapacity(db, product))
  return {
    async attention({ caller }) {
      const facts = await sharedFacts(null)
      const told = facts.filter(({ kind }) => roleAllows(caller.role, attentionKinds[kind]))
      return ok(told.map(({ subject: _, ...fact }) => ({ ...fact, act: actFor(fact.kind, caller.role) })))
    },
    async today({ query: { day = dayInUtc(new Date()), to } }) {
      const from = new Date(day)
      return ok(await sharedDays({ from, to: new Date(to ?? from.getTime() + dayMilliseconds) }))
    },
    capacity: async ({ query }) => ok(await sharedCapacity(query.product ?? null)),
  }
}

const acts: Partial<Record<AttentionKind, AttentionAct>> = { findings: 'run-doctor', 'rooms-without-backup': 'protect' }
const callOf = { 'run-doctor': routes.runDoctor, protect: routes.createBackupPolicy } as const

function actFor(kind: AttentionKind, role: Role): AttentionAct | null {
  const act = acts[kind]
  return act !== undefined && roleAllows(role, callOf[act].access) ? act : null
}
