/** The definition of a table's columns. */
import type { RowData } from '@tanstack/react-table'
import type { ReactNode } from 'react'

export type { RowData }

/** A fixed width in pixels, or a share of what the fixed ones leave. */
export type Size = number | { share: number; atLeast: number }

export type Direction = 'asc' | 'desc'

/** The part that a row can open below itself. */
export interface Details {
  /** Of the element, for `aria-controls`. */
  id: string
  isOpen: boolean
  toggle: () => void
}

export interface Column<Row extends RowData, Id extends string = string> {
  id: Id
  title: string
  /** Plain elements where a table has many rows. No hooks: a cell that needs them is a component. */
  cell: (row: Row, details: Details) => ReactNode
  /** It names the row. Other columns give way before it is cut. */
  isName?: boolean
  /** The actions of the row. Stays in view when the table is wider than its container. */
  isActions?: boolean
  isSortable?: boolean
  /** Only who chooses it sees it. */
  isHiddenAtFirst?: boolean
  /** The title is for screen readers only. */
  isTitleHidden?: boolean
  /** Shown instead of the title. */
  head?: ReactNode
  align?: 'end'
  /** A table whose columns have sizes cuts texts, with a tooltip; others wrap them. `whole` is neither cut nor wrapped. */
  text?: 'cut' | 'wrapped' | 'whole'
  size?: Size
}

const unsized: Size = { share: 1, atLeast: 80 }

/** A row's name and what can be done with it are always there. */
export function isChoosable<Row extends RowData>({ isName, isActions, isTitleHidden }: Column<Row>): boolean {
  return !isName && !isActions && !isTitleHidden
}

/** Widths that an operator has chosen, in pixels, by column. */
export type ChosenWidths = Readonly<Record<string, number>>

/** @returns the columns as a CSS grid, and the width below which the table scrolls. */
export function gridOf<Row extends RowData>(columns: readonly Column<Row>[], chosen: ChosenWidths) {
  const tracks = columns.map((column) => trackOf(column, chosen[column.id]))
  return {
    template: tracks.map(({ least, most }) => (least === most ? least : `minmax(${least}, ${most})`)).join(' '),
    minWidth: `calc(${tracks.map(({ least }) => least).join(' + ')})`,
  }
}

function trackOf<Row extends RowData>({ isName, size = unsized }: Column<Row>, chosen: number | undefined) {
  const fixed = chosen ?? (typeof size === 'number' ? size : null)
  if (fixed !== null) return { least: `${fixed}px`, most: `${fixed}px` }
  const { share, atLeast } = size as Exclude<Size, number>
  return { least: isName ? `max(${atLeast}px, var(--rk-widest-name, 0px))` : `${atLeast}px`, most: `${share}fr` }
}
