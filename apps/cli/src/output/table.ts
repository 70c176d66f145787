/**
 * Tables that fit the terminal: columns are cut with …, and where that is not enough, the least important ones go. The
 * first column names the row: it is cut only where it stands alone.
 */
import { shownText } from '#terminal/shown-text.ts'
import type { Paint } from '#terminal/terminal.ts'
import { cutTo, padTo, textWidth } from '#terminal/text-width.ts'
import type { Column } from './view.ts'

const gap = 2
/** No column is cut to less, unless its content is narrower. */
const leastWidth = 10

export interface Layout<Row> {
  columns: readonly { column: Column<Row>; width: number; side: 'left' | 'right' }[]
  /** Whether cells that do not fit are cut. */
  isCut: boolean
  paint: Paint
}

/**
 * @param rows those by which the widths are chosen; later ones follow them
 * @param width of the terminal; null: lines may be as long as they are
 */
export function layoutOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | null,
  paint: Paint = (text) => text,
): Layout<Row> {
  const all = columns.map((column) => {
    const values = rows.map((row) => column.value(row))
    const isNumeric = values.length > 0 && values.every((value) => typeof value === 'number' || value == null)
    const natural = Math.max(textWidth(column.title), ...values.map((value) => textWidth(cellText(value))))
    return { column, width: natural, side: isNumeric ? ('right' as const) : ('left' as const) }
  })
  return width === null ? { columns: all, isCut: false, paint } : { columns: fitted(all, width), isCut: true, paint }
}

type Placed<Row> = Layout<Row>['columns'][number]

function fitted<Row>(all: Placed<Row>[], width: number): Placed<Row>[] {
  const kept = [...all]
  const least = (each: Placed<Row>) =>
    each === all[0] ? each.width : Math.min(each.width, Math.max(leastWidth, textWidth(each.column.title)))
  const total = (measure: (each: Placed<Row>) => number) =>
    kept.reduce((sum, each) => sum + measure(each), gap * (kept.length - 1))
  while (total(least) > width) {
    const others = kept.slice(1).filter(({ column }) => column.rank > 0)
    if (others.length === 0) break
    const worst = others.reduce((one, other) => (other.column.rank >= one.column.rank ? other : one))
    kept.splice(kept.indexOf(worst), 1)
  }
  let placed = kept.map((each) => ({ ...each, room: least(each) }))
  let excess = total((each) => each.width) - width
  while (excess > 0) {
    const widest = placed.reduce((one, other) => (other.width - other.room > one.width - one.room ? other : one))
    if (widest.width <= widest.room) break
    placed = placed.map((each) => (each === widest ? { ...each, width: each.width - 1 } : each))
    excess -= 1
  }
  if (placed.length === 1 && excess > 0) placed = placed.map((each) => ({ ...each, width }))
  return placed.map(({ room: _, ...each }) => each)
}

export function headerLine<Row>(layout: Layout<Row>): string {
  const titles = layout.columns.map(({ column, width, side }) => padTo(cutTo(column.title, width), width, side))
  return layout.paint(titles.join(' '.repeat(gap)).trimEnd(), 'bold')
}

export function rowLine<Row>({ columns, isCut, paint }: Layout<Row>, row: Row): string {
  const cells = columns.map(({ column, width, side }, index) => {
    const whole = cellText(column.value(row))
    const isLast = index === columns.length - 1
    const text = isCut ? cutTo(whole, width) : whole
    const padded = isLast && side === 'left' ? text : padTo(text, width, side)
    return paint(padded, column.colour?.(row) ?? null)
  })
  return cells.join(' '.repeat(gap)).trimEnd()
}

export function cellText(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return shownText(String(value))
}
