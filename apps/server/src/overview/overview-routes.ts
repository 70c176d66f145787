import { type AttentionAct, type AttentionKind, attentionKinds, type Role, routes } from '@roomkeeper/contract'
import { dayInUtc, roleAllows } from '@roomkeeper/rules'
import type { Database } from '#platform/database.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'
import { readCapacity } from './capacity.ts'
import { countDay } from './count-day.ts'
import { findFacts } from './find-facts.ts'

export function overviewHandlers(database: Database): Pick<Handlers, 'attention' | 'today' | 'capacity'> {
  return {
    async attention({ caller }) {
      const facts = await findFacts(database.db)
      const told = facts.filter(({ kind }) => roleAllows(caller.role, attentionKinds[kind]))
      return ok(told.map(({ subject: _, ...fact }) => ({ ...fact, act: actFor(fact.kind, caller.role) })))
    },
    today: async ({ query: { day = dayInUtc(new Date()) } }) => ok(await countDay(database.db, new Date(day))),
    capacity: async ({ query }) => ok(await readCapacity(database.db, query.product)),
  }
}

const acts: Partial<Record<AttentionKind, AttentionAct>> = { findings: 'run-doctor', 'rooms-without-backup': 'protect' }
const callOf = { 'run-doctor': routes.runDoctor, protect: routes.createBackupPolicy } as const

function actFor(kind: AttentionKind, role: Role): AttentionAct | null {
  const act = acts[kind]
  return act !== undefined && roleAllows(role, callOf[act].access) ? act : null
}
