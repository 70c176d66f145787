/** How the rows of one noun are shown: declared once for each noun, used by every format. */
import type { Colour } from '#terminal/terminal.ts'

export interface Column<Row> {
  title: string
  value(row: Row): string | number | boolean | null | undefined
  /** Where the terminal is too narrow, columns with a higher number give way first. Those of 0 stay. The first one names the row, and stays whole. */
  rank: number
  colour?(row: Row): Colour | null
}

export interface View<Row> {
  /** The field or fields by which `--quiet` names a row. */
  name(row: Row): string
  /** What is said instead of a table without rows. */
  none: string
  /** The columns of tables. */
  columns: readonly Column<Row>[]
  /** All fields of a row, in their order: the columns of CSV, and what `--json` and `--columns` may name. */
  fields: readonly string[]
}

/** A time of the server in tables and logs, to the second: `2027-01-31 09:30:00Z`, where Z says that it is UTC. */
export function timeText(time: string): string
export function timeText(time: string | null | undefined): string | null
export function timeText(time: string | null | undefined): string | null {
  return time == null ? null : `${time.slice(0, 19).replace('T', ' ')}Z`
}
