import { type RefObject, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { type ChosenWidths, type Column, isChoosable } from './column.ts'
import { onColumnsSet, rememberColumns, rememberedColumns, type Visibility } from './remembered-columns.ts'

const minColumnPixels = 48

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

interface ColumnLayoutOptions<Row extends object> {
  columns: readonly Column<Row>[]
  /** The name under which the operator's choice of columns is stored; undefined if nothing can be chosen. */
  remembered: string | undefined
  /** The element around the table. */
  frame: RefObject<HTMLElement | null>
}

export interface ColumnLayout<Row extends object> {
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

/** The shown columns, and the operator's means of changing the columns. */
export function useColumnLayout<Row extends object>({
  columns,
  remembered,
  frame,
}: ColumnLayoutOptions<Row>): ColumnLayout<Row> {
  const [first] = useState(() => defaultVisibility(columns))
  const [chosen, setChosen] = useState(() => rememberedColumns(remembered, first))
  const { columnVisibility, columnSizing, columnOrder } = chosen
  const setWidths = (widths: ChosenWidths) =>
    setChosen((before) => ({ ...before, columnSizing: { ...before.columnSizing, ...widths } }))
  useEffect(() => {
    if (remembered !== undefined) rememberColumns(remembered, chosen, first)
  }, [remembered, chosen, first])
  const follow = useEffectEvent((changed: string) => {
    if (changed === remembered) setChosen(rememberedColumns(remembered, first))
  })
  useEffect(() => onColumnsSet(follow), [])

  const shown = useMemo(
    () => orderColumns(columns, columnOrder).filter(({ id }) => columnVisibility[id] ?? true),
    [columns, columnOrder, columnVisibility],
  )
  // A column that is not shown is moved too: it has a place for when it is.
  const movable = orderColumns(columns, columnOrder).filter(isMovable)
  const exchange = (one: Column<Row> | undefined, other: Column<Row> | undefined) => {
    if (one === undefined || other === undefined) return null
    const swapped = new Map([
      [one.id, other.id],
      [other.id, one.id],
    ])
    return () => setChosen((before) => ({ ...before, columnOrder: movable.map(({ id }) => swapped.get(id) ?? id) }))
  }

  const widthOf = (id: string) => frame.current?.querySelector<HTMLElement>(`[data-column="${id}"]`)?.offsetWidth ?? 0
  const hold = (id: string) => {
    const before = shown.slice(0, shown.findIndex((each) => each.id === id) + 1)
    setWidths(Object.fromEntries(before.map((each) => [each.id, widthOf(each.id)])))
  }
  const resize = (id: string, width: number) => setWidths({ [id]: Math.max(minColumnPixels, Math.round(width)) })
  return {
    shown,
    widths: columnSizing,
    hold,
    resize,
    fit: (id) =>
      setChosen((before) => {
        const { [id]: _, ...others } = before.columnSizing
        return { ...before, columnSizing: others }
      }),
    choices: movable.filter(isChoosable).map((column): ColumnChoice => {
      const { id, title } = column
      const index = movable.indexOf(column)
      const isShown = columnVisibility[id] ?? true
      return {
        id,
        title,
        isShown,
        toggle: () =>
          setChosen((before) => ({ ...before, columnVisibility: { ...before.columnVisibility, [id]: !isShown } })),
        widen: (by) => {
          hold(id)
          resize(id, widthOf(id) + by)
        },
        moveLeft: exchange(movable[index - 1], column),
        moveRight: exchange(column, movable[index + 1]),
      }
    }),
    reset: () => setChosen({ columnVisibility: first, columnSizing: {}, columnOrder: [] }),
  }
}

/** Columns of checkboxes and actions stay at their ends. */
function isMovable<Row extends object>(column: Column<Row>): boolean {
  return column.isName === true || isChoosable(column)
}

/** The named columns change places among themselves; the others stay where they are. Exported for its tests. */
export function orderColumns<Each extends { id: string }>(columns: readonly Each[], order: readonly string[]): Each[] {
  const rank = (id: string) => order.indexOf(id)
  const named = columns.filter(({ id }) => rank(id) >= 0).sort((one, other) => rank(one.id) - rank(other.id))
  let next = 0
  return columns.map((column) => (rank(column.id) < 0 ? column : (named[next++] ?? column)))
}

function defaultVisibility<Row extends object>(columns: readonly Column<Row>[]): Visibility {
  return Object.fromEntries(columns.filter(({ isHiddenByDefault }) => isHiddenByDefault).map(({ id }) => [id, false]))
}
