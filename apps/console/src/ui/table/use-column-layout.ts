import { type RefObject, useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react'
import { type ChosenWidths, type Column, hiddenAtFirst, isChoosable } from './column.ts'
import { noteShownColumns, onColumnsSet, rememberColumns, rememberedColumns } from './remembered-columns.ts'

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
  /** The ids of columns to hide at first as the window gets narrower, see `hiddenAtFirst`. */
  narrower: readonly (readonly string[])[] | undefined
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
  narrower,
  frame,
}: ColumnLayoutOptions<Row>): ColumnLayout<Row> {
  const [chosen, setChosen] = useState(() => rememberedColumns(remembered))
  const { columnVisibility, columnSizing, columnOrder } = chosen
  const setWidths = (widths: ChosenWidths) =>
    setChosen((before) => ({ ...before, columnSizing: { ...before.columnSizing, ...widths } }))
  useEffect(() => {
    if (remembered !== undefined) rememberColumns(remembered, chosen)
  }, [remembered, chosen])
  const follow = useEffectEvent((changed: string) => {
    if (changed === remembered) setChosen(rememberedColumns(remembered))
  })
  useEffect(() => onColumnsSet(follow), [])

  // As one text, which is the same as long as the columns are.
  const hidden = useSyncExternalStore(onResize, () =>
    hiddenAtFirst(columns, narrower, document.documentElement.clientWidth).join(),
  )
  const isShownAtFirst = (id: string) => !hidden.split(',').includes(id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown at first follows from `hidden`.
  const shown = useMemo(
    () => orderColumns(columns, columnOrder).filter(({ id }) => columnVisibility[id] ?? isShownAtFirst(id)),
    [columns, columnOrder, columnVisibility, hidden],
  )
  useEffect(() => {
    const ids = shown.map(({ id }) => id)
    if (remembered !== undefined) noteShownColumns(remembered, ids)
  }, [remembered, shown])
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
      const isShown = columnVisibility[id] ?? isShownAtFirst(id)
      return {
        id,
        title,
        isShown,
        toggle: () => {
          const { [id]: _, ...others } = columnVisibility
          // What is as at first is no choice: it goes on following the window's width.
          const own = isShownAtFirst(id) === isShown ? { [id]: !isShown } : {}
          setChosen((before) => ({ ...before, columnVisibility: { ...others, ...own } }))
        },
        widen: (by) => {
          hold(id)
          resize(id, widthOf(id) + by)
        },
        moveLeft: exchange(movable[index - 1], column),
        moveRight: exchange(column, movable[index + 1]),
      }
    }),
    reset: () => setChosen({ columnVisibility: {}, columnSizing: {}, columnOrder: [] }),
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

function onResize(tell: () => void): () => void {
  addEventListener('resize', tell)
  return () => removeEventListener('resize', tell)
}
