import { attentionKinds } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import type { Database } from '#platform/database.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'
import { findFacts } from './find-facts.ts'

export function overviewHandlers(database: Database): Pick<Handlers, 'attention'> {
  return {
    async attention({ caller }) {
      const facts = await findFacts(database.db)
      const told = facts.filter(({ kind }) => roleAllows(caller.role, attentionKinds[kind]))
      return ok(told.map(({ subject: _, ...fact }) => fact))
    },
  }
}
