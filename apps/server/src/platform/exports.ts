/**
 * Streamed exports take as long as their readers. They have a few connections of their own, and further exports are
 * refused at once.
 */
import type { Readable } from 'node:stream'
import type pg from 'pg'
import { streamCsv } from './csv.ts'
import { refuse } from './refuse.ts'

export interface Exports {
  /**
   * Streams the rows of a query as CSV, see streamCsv.
   * @param query without parameters
   * @throws Refusal `too-many-exports`
   */
  csv(query: string): Promise<Readable>
  /**
   * For links to exports: the export itself can still be refused, by another process or a moment later.
   * @throws Refusal `too-many-exports`
   */
  check(): void
  close(): Promise<void>
}

export const mostExports = 4

/** @param pool has one connection more than there are exports, to cancel those that nobody reads */
export function openExports(pool: pg.Pool): Exports {
  let underWay = 0
  const onFree = () => {
    underWay -= 1
  }
  const check = () => {
    if (underWay >= mostExports) throw refuse('too-many-exports')
  }
  return {
    check,
    async csv(query) {
      check()
      underWay += 1
      try {
        return await streamCsv(pool, query, { onFree })
      } catch (error) {
        onFree()
        throw error
      }
    },
    close: () => pool.end(),
  }
}
