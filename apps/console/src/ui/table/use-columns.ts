import {
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type RefObject, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { type ChosenWidths, type Column, isChoosable, type RowData } from './column.ts'
import { onColumnsSet, rememberColumns, rememberedColumns, type Visibility } from './remembered-columns.ts'

const features = tableFeatures({ columnVisibilityFeature, columnSizingFeature, columnOrderingFeature })
const narrowest = 48
const noRows: readonly never[] = []

export interface ColumnChoice {
  id: string
  title: string
  isShown: boolean
  toggle: () => void
  /** Changes the rendered width by a number of pixels. */
  widen: (by: number) => void
  /** Null: there is no column to change places with. */
  moveLeft: (() => void) | null
  moveRight: (() => void) | null
}

interface ColumnsOptions<Row extends RowData> {
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  rowId: (row: Row) => string | number
  /** The name under which the operator's choice of columns is stored; undefined if nothing can be chosen. */
  remembered: string | undefined
  /** The element around the table. */
  frame: RefObject<HTMLElement | null>
}

export interface Columns<Row extends RowData> {
  rows: readonly { id: string; original: Row }[]
  shown: readonly Column<Row>[]
  widths: ChosenWidths
  /** Fixes the rendered widths of a column and of those before it, so that resizing changes only the others. */
  hold: (id: string) => void
  resize: (id: string, width: number) => void
  /** Restores the default width of a column. */
  fit: (id: string) => void
  choices: readonly ColumnChoice[]
  reset: () => void
}

/** The rows, the shown columns, and the operator's means of changing the columns. */
export function useColumns<Row extends RowData>(options: ColumnsOptions<Row>): Columns<Row> {
  const { columns, rows, rowId, remembered, frame } = options
  const [first] = useState(() => visibilityAtFirst(columns))
  const [initialState] = useState(() => rememberedColumns(remembered, first))
  const table = useTable(
    {
      features,
      columns: useMemo(() => columns.map(({ id }) => ({ id })), [columns]),
      data: rows ?? noRows,
      getRowId: (row: Row) => String(rowId(row)),
      initialState,
    },
    ({ columnVisibility, columnSizing, columnOrder }) => ({ columnVisibility, columnSizing, columnOrder }),
  )
  const { state } = table
  useEffect(() => {
    if (remembered !== undefined) rememberColumns(remembered, state, first)
  }, [remembered, state, first])
  const follow = useEffectEvent((changed: string) => {
    if (changed !== remembered) return
    const { columnVisibility, columnSizing, columnOrder } = rememberedColumns(remembered, first)
    table.setColumnVisibility(columnVisibility)
    table.setColumnSizing(columnSizing)
    table.setColumnOrder(columnOrder)
  })
  useEffect(() => onColumnsSet(follow), [])

  const leaves = table.getVisibleLeafColumns()
  const shown = useMemo(() => {
    const ids = new Set(leaves.map(({ id }) => id))
    return inOrder(columns, state.columnOrder).filter(({ id }) => ids.has(id))
  }, [leaves, columns, state.columnOrder])
  // A column that is not shown is moved too: it has a place for when it is.
  const movable = inOrder(columns, state.columnOrder).filter(isMovable)
  const exchange = (one: Column<Row> | undefined, other: Column<Row> | undefined) => {
    if (one === undefined || other === undefined) return null
    const swapped = new Map([
      [one.id, other.id],
      [other.id, one.id],
    ])
    return () => table.setColumnOrder(movable.map(({ id }) => swapped.get(id) ?? id))
  }

  const widthOf = (id: string) => frame.current?.querySelector<HTMLElement>(`[data-column="${id}"]`)?.offsetWidth ?? 0
  const hold = (id: string) => {
    const before = shown.slice(0, shown.findIndex((each) => each.id === id) + 1)
    table.setColumnSizing((widths) => ({
      ...widths,
      ...Object.fromEntries(before.map((each) => [each.id, widthOf(each.id)])),
    }))
  }
  const resize = (id: string, width: number) =>
    table.setColumnSizing((widths) => ({ ...widths, [id]: Math.max(narrowest, Math.round(width)) }))
  return {
    rows: table.getRowModel().rows,
    shown,
    widths: state.columnSizing,
    hold,
    resize,
    fit: (id) => table.getColumn(id)?.resetSize(),
    choices: movable.filter(isChoosable).map((column): ColumnChoice => {
      const { id, title } = column
      const index = movable.indexOf(column)
      return {
        id,
        title,
        isShown: table.getColumn(id)?.getIsVisible() ?? true,
        toggle: () => table.getColumn(id)?.toggleVisibility(),
        widen: (by) => {
          hold(id)
          resize(id, widthOf(id) + by)
        },
        moveLeft: exchange(movable[index - 1], column),
        moveRight: exchange(column, movable[index + 1]),
      }
    }),
    reset: () => {
      table.setColumnVisibility(first)
      table.resetColumnSizing(true)
      table.setColumnOrder([])
    },
  }
}

/** Columns of checkboxes and actions stay at their ends. */
function isMovable<Row extends RowData>(column: Column<Row>): boolean {
  return column.isName === true || isChoosable(column)
}

/** The named columns change places among themselves; the others stay where they are. Exported for its tests. */
export function inOrder<Each extends { id: string }>(columns: readonly Each[], order: readonly string[]): Each[] {
  const rank = (id: string) => order.indexOf(id)
  const named = columns.filter(({ id }) => rank(id) >= 0).sort((one, other) => rank(one.id) - rank(other.id))
  let next = 0
  return columns.map((column) => (rank(column.id) < 0 ? column : (named[next++] ?? column)))
}

function visibilityAtFirst<Row extends RowData>(columns: readonly Column<Row>[]): Visibility {
  return Object.fromEntries(columns.filter(({ isHiddenAtFirst }) => isHiddenAtFirst).map(({ id }) => [id, false]))
}
