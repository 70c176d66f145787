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
  /**
   * The same, in one transaction with the changes that the work makes in region.db, which saves a sync. When the work
   * throws, its changes are taken back, but not the fence.
   * @throws {Refusal} 'overtaken', before the work is done
   */
  admitWith<T>(fence: Fence | undefined, work: () => T): T
  /** Remembers nothing. @throws {Refusal} 'overtaken' */
  refuseOvertaken(fence: Fence | undefined): void
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
  /** @throws {Refusal} 'overtaken' */
  const isNew = (mark: Fence | undefined): mark is Fence => {
    if (mark === undefined) return false
    const known = find.get(mark.operation) as { fence: number } | undefined
    if (known !== undefined && mark.fence < known.fence) throw refuse('overtaken')
    return known === undefined || mark.fence > known.fence
  }
  const remember = ({ operation, fence }: Fence) => raise.run(operation, fence, new Date().toISOString())
  const admit = (mark: Fence | undefined): void => {
    if (isNew(mark)) committing(database, () => remember(mark))
  }
  return {
    admit,
    admitWith(mark, work) {
      const isRemembered = !isNew(mark)
      try {
        return inTransaction(database, () => {
          if (!isRemembered) remember(mark)
          return work()
        })
      } catch (error) {
        admit(mark)
        throw error
      }
    },
    refuseOvertaken: (mark) => void isNew(mark),
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
