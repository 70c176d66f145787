/** How the rows of one noun are shown: declared once for each noun, used by every format. */
import type { Colour } from '#terminal/colours.ts'

export interface Column<Row> {
  title: string
  value(row: Row): string | number | boolean | null | undefined
  /** Columns with a higher number give way first where the terminal is too narrow. The first one names the row, and stays whole. */
  rank: number
  colour?(row: Row): Colour | null
}

export interface View<Row> {
  /** The field or fields by which `--quiet` names a row. */
  name(row: Row): string
  /** What is said instead of a table without rows. */
  none: string
  /** Of tables. */
  columns: readonly Column<Row>[]
  /** All fields of a row, in their order: the columns of CSV. */
  fields: readonly string[]
}
