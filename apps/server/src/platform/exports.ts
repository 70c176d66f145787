/**
 * Streamed exports take as long as their readers, so they have a few connections of their own. Further exports are refused
 * at once.
 */
import type { Readable } from 'node:stream'
import type { CsvForm } from '@roomkeeper/contract'
import type pg from 'pg'
import { streamCsv } from './csv.ts'
import { refuse } from './refuse.ts'

/** A query without parameters, in parts, so that its rows can be counted. */
export interface ExportedRows {
  columns: string
  from: string
  order: string
}

export interface ExportReader {
  operatorId: string
  /** Called before the first byte. @param rows how many there are at that moment */
  record(rows: number): Promise<void>
}

export interface Exports {
  /**
   * Records that the rows are read, and streams them as CSV, see streamCsv.
   * @throws Refusal `too-many-exports`, `too-many-own-exports`; what the recording throws
   */
  csv(rows: ExportedRows, reader: ExportReader, form: CsvForm): Promise<Readable>
  /**
   * For links to exports: the export itself can still be refused, by another process or a moment later.
   * @throws Refusal `too-many-exports`, `too-many-own-exports`
   */
  check(operatorId: string): void
  close(): Promise<void>
}

export const maxExports = 4
/** Keeps one operator from occupying every export slot. */
const maxExportsOfOperator = 2

/** @param pool has one connection more than there are exports, to cancel exports whose readers are gone */
export function openExports(pool: pg.Pool): Exports {
  /** The operators whose exports are under way. */
  const underWay: string[] = []
  const check = (operatorId: string) => {
    const own = underWay.filter((each) => each === operatorId)
    if (own.length >= maxExportsOfOperator) throw refuse('too-many-own-exports', { max: maxExportsOfOperator })
    if (underWay.length >= maxExports) throw refuse('too-many-exports')
  }
  return {
    check,
    async csv(rows, { operatorId, record }, form) {
      check(operatorId)
      underWay.push(operatorId)
      const onFree = () => void underWay.splice(underWay.indexOf(operatorId), 1)
      try {
        await record(await countRows(pool, rows))
        return await streamCsv(pool, statementOf(rows), { onFree, form })
      } catch (error) {
        onFree()
        throw error
      }
    },
    close: () => pool.end(),
  }
}

export function statementOf({ columns, from, order }: ExportedRows): string {
  return `select ${columns} from ${from} order by ${order}`
}

async function countRows(pool: pg.Pool, { from }: ExportedRows): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::float8 as count from ${from}`)
  return rows[0]?.count ?? 0
}
