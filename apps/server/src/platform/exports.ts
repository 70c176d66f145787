/**
 * Streamed exports take as long as their readers. They have a few connections of their own, and further exports are
 * refused at once.
 */
import type { Readable } from 'node:stream'
import type { CsvForm } from '@roomkeeper/contract'
import type pg from 'pg'
import { streamCsv } from './csv.ts'
import { refuse } from './refuse.ts'

export interface Exports {
  /**
   * Streams the rows of a query as CSV, see streamCsv.
   * @param query without parameters
   * @param operatorId of whoever reads it
   * @throws Refusal `too-many-exports`, `too-many-own-exports`
   */
  csv(query: string, operatorId: string, form: CsvForm): Promise<Readable>
  /**
   * For links to exports: the export itself can still be refused, by another process or a moment later.
   * @throws Refusal `too-many-exports`, `too-many-own-exports`
   */
  check(operatorId: string): void
  close(): Promise<void>
}

export const mostExports = 4
/** So that nobody takes all places, also not by reading slowly. */
const mostOfOperator = 2

/** @param pool has one connection more than there are exports, to cancel those that nobody reads */
export function openExports(pool: pg.Pool): Exports {
  /** Whose exports are under way. */
  const underWay: string[] = []
  const check = (operatorId: string) => {
    const own = underWay.filter((each) => each === operatorId)
    if (own.length >= mostOfOperator) throw refuse('too-many-own-exports', { max: mostOfOperator })
    if (underWay.length >= mostExports) throw refuse('too-many-exports')
  }
  return {
    check,
    async csv(query, operatorId, form) {
      check(operatorId)
      underWay.push(operatorId)
      const onFree = () => void underWay.splice(underWay.indexOf(operatorId), 1)
      try {
        return await streamCsv(pool, query, { onFree, form })
      } catch (error) {
        onFree()
        throw error
      }
    },
    close: () => pool.end(),
  }
}
