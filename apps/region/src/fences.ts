/** Remembers the highest fence of each operation, so that a worker that was overtaken can change nothing more. */
import type { DatabaseSync } from 'node:sqlite'
import { refuse } from '#refusals.ts'
import { committing, inTransaction } from '#sqlite/database-handles.ts'

export interface Fence {
  operation: string
  fence: number
}

export interface Fences {
  /** Remembers the fence. @throws {Refusal} 'overtaken' when the operation has had a higher fence. */
  admit(fence: Fence | undefined): void
  /** Remembers each fence that is higher than the known one. */
  raise(fences: readonly Fence[]): void
  /** Forgets operations whose fence was last raised more than this many days ago. */
  forgetOlderThan(days: number): void
}

export function createFences(database: DatabaseSync): Fences {
  const find = database.prepare('SELECT fence FROM fences WHERE operation = ?')
  const raise = database.prepare(
    `INSERT INTO fences (operation, fence, seenAt) VALUES (?, ?, ?)
     ON CONFLICT (operation) DO UPDATE SET fence = excluded.fence, seenAt = excluded.seenAt`,
  )
  const forget = database.prepare('DELETE FROM fences WHERE seenAt < ?')
  return {
    admit(mark) {
      if (mark === undefined) return
      const known = find.get(mark.operation) as { fence: number } | undefined
      if (known !== undefined && mark.fence < known.fence) throw refuse('overtaken')
      if (known === undefined || mark.fence > known.fence)
        committing(database, () => raise.run(mark.operation, mark.fence, new Date().toISOString()))
    },
    raise(fences) {
      const seenAt = new Date().toISOString()
      inTransaction(database, () => {
        for (const { operation, fence } of fences) {
          const known = find.get(operation) as { fence: number } | undefined
          if (known === undefined || fence > known.fence) raise.run(operation, fence, seenAt)
        }
      })
    },
    forgetOlderThan(days) {
      forget.run(new Date(Date.now() - days * 86_400_000).toISOString())
    },
  }
}
