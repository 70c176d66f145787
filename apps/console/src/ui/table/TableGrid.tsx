import {
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type Column, type Direction, gridOf } from './column.ts'
import { type RowSelection, selectedIn } from './row-selection.tsx'
import classes from './Table.module.css'
import { TableHead } from './TableHead.tsx'
import { type RowAttributes, TableRow, useRowKeys } from './TableRow.tsx'
import { TipLayer } from './TipLayer.tsx'
import type { ColumnLayout } from './use-column-layout.ts'

export interface TableGridProps<Row extends object, Id extends string, SortId extends Id = Id> {
  /** The caption: what the table contains. */
  label?: string
  /** Whether the caption is visible. */
  hasVisibleLabel?: boolean
  /** Must be stable if there are many rows, or every row is rendered again. */
  columns: readonly Column<Row, Id>[]
  rowId: (row: Row) => string | number
  rowAttributes?: (row: Row) => RowAttributes
  /** New rows reuse the elements of removed rows, which is faster. Not for cells with their own state. */
  reusesRows?: boolean
  /** Rows can be focused with the keys of `usePageKeys`. */
  hasFocusableRows?: boolean
  /** Called when a row is clicked, where nothing else in it is meant. */
  onRowClick?: (id: string) => void
  /** The id of the row that is shown elsewhere. */
  currentRow?: string | undefined
  /** Content that a row can open below itself. */
  details?: (row: Row) => ReactNode
  selection?: RowSelection<Row>
  /** Filters by column, below the titles; shown even if there are no rows. */
  filters?: Partial<Record<Id, ReactNode>>
  sort?: { by: SortId; dir: Direction }
  onSort?: (by: SortId, dir: Direction) => void
  /** Columns can be resized, hidden and moved, and the choice is stored under this name. Only for columns with sizes. */
  remembered?: string
  /** The ids of columns to hide as the window gets narrower, unless an operator chooses them. */
  narrower?: readonly (readonly string[])[]
  /** Less padding around the texts. */
  isDense?: boolean
  className?: string | undefined
}

interface DrawnGridProps<Row extends object, Id extends string, SortId extends Id>
  extends TableGridProps<Row, Id, SortId> {
  rows: readonly Row[]
  frame: RefObject<HTMLDivElement | null>
  grid: ColumnLayout<Row>
  isOutdated: boolean
  /** The ids of rows whose places stay empty. */
  gone: ReadonlySet<string>
  /** Called when the pointer or the focus enters or leaves the rows. */
  onHold: ((around: Element | null) => void) | undefined
}

const noNames: readonly string[] = []

/**
 * The table itself. If columns have sizes, each row is a grid instead of a table row, so that the browser lays out and
 * paints only rows in view: turning a page of a hundred rows is as fast as one of twenty.
 */
export function TableGrid<Row extends object, Id extends string, SortId extends Id>(
  props: DrawnGridProps<Row, Id, SortId>,
) {
  const { rows, rowId, frame, isOutdated, selection, rowAttributes, details } = props
  const { shown, widths } = props.grid
  const table = useRef<HTMLTableElement>(null)
  // Considers only the table's own columns: the column of checkboxes has a size in any table.
  const isSized = props.columns.some(({ size }) => size !== undefined)
  const isWider = useIsWider(frame)
  useWidestName(table, rows)
  const ids = useMemo(() => rows.map((row) => String(rowId(row))), [rows, rowId])
  const keys = useRowKeys(props.reusesRows ? ids : noNames)
  const isSelected = selectedIn(selection)
  const { template, minWidth } = gridOf(shown, widths)
  // On a phone: cards of what matters most, or else all cells below each other, each with its title.
  const isCards = shown.some(({ isOnCard }) => isOnCard)
  return (
    <TipLayer
      frame={frame}
      className={`${classes.scroll} ${rows.length === 0 ? classes.short : ''}`}
      tabIndex={isWider ? 0 : undefined}
    >
      <table
        ref={table}
        className={`${classes.table} ${isSized ? classes.sized : ''} ${props.className ?? ''}`}
        style={isSized ? ({ '--columns': template, '--least': minWidth } as object) : undefined}
        data-cards={isCards || undefined}
        data-stacked={!isCards || undefined}
        aria-busy={isOutdated}
        data-dense={props.isDense || undefined}
        data-wider={isWider || undefined}
      >
        {props.label !== undefined && (
          <caption className={props.hasVisibleLabel ? classes.caption : 'rk-hidden'}>{props.label}</caption>
        )}
        <TableHead
          columns={shown}
          filters={props.filters}
          sort={props.sort}
          onSort={props.onSort as ((by: string, dir: Direction) => void) | undefined}
          sizing={props.remembered === undefined ? undefined : props.grid}
        />
        <tbody
          className={isOutdated ? 'rk-outdated' : undefined}
          {...holding(props.onHold)}
          {...clicking(props.onRowClick)}
        >
          {rows.map((row, place) => {
            const id = ids[place] ?? ''
            return (
              <TableRow
                key={keys.get(id) ?? id}
                id={id}
                row={row}
                columns={shown as readonly Column<object>[]}
                isSized={isSized}
                hasTitles={!isCards}
                isGone={props.gone.has(id)}
                isSelected={isSelected(row, id)}
                isCurrent={props.currentRow === id}
                isFocusable={props.hasFocusableRows ?? false}
                attributesOf={rowAttributes as ((row: object) => RowAttributes) | undefined}
                details={details as ((row: object) => ReactNode) | undefined}
              />
            )
          })}
        </tbody>
      </table>
    </TipLayer>
  )
}

/** @returns properties of the element whose rows are held while the pointer or the focus is in it */
function holding(onHold: ((around: Element | null) => void) | undefined) {
  if (onHold === undefined) return {}
  const hold = ({ currentTarget }: PointerEvent | FocusEvent) => onHold(currentTarget)
  const holdIf = (isHeld: boolean, currentTarget: Element) => onHold(isHeld ? currentTarget : null)
  return {
    onPointerEnter: hold,
    onPointerLeave: ({ currentTarget }: PointerEvent) =>
      holdIf(currentTarget.contains(document.activeElement), currentTarget),
    onFocus: hold,
    onBlur: ({ currentTarget }: FocusEvent) => holdIf(currentTarget.matches(':hover'), currentTarget),
  }
}

/** @returns properties of the element whose rows can be clicked */
function clicking(onRowClick: ((id: string) => void) | undefined) {
  if (onRowClick === undefined) return {}
  return {
    onClick: ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || getSelection()?.type === 'Range') return
      const cell = target.closest('td, th')
      const id = cell?.closest<HTMLElement>('tr[data-row]')?.dataset.row
      const hasOwn = target.closest('a, button, [data-actions]') !== null || cell?.querySelector('input') != null
      if (id !== undefined && !hasOwn) onRowClick(id)
    },
  }
}

/**
 * Whether the content of a scrolling element is wider than the element. The width of its vertical scrollbar is kept as
 * a CSS variable.
 */
function useIsWider(frame: RefObject<HTMLElement | null>): boolean {
  const [isWider, setIsWider] = useState(false)
  useEffect(() => {
    const { current } = frame
    if (current === null) return
    const observer = new ResizeObserver(() => {
      current.style.setProperty('--scrollbar', `${current.offsetWidth - current.clientWidth}px`)
      setIsWider(current.scrollWidth > current.offsetWidth)
    })
    observer.observe(current)
    for (const child of current.children) observer.observe(child)
    return () => observer.disconnect()
  }, [frame])
  return isWider
}

/** Wider names would leave no space for anything else, and names cannot wrap. */
const maxNamePixels = 420

/** A canvas measures text without layout: a hundred names take less than a millisecond. */
const canvas = document.createElement('canvas').getContext('2d')

interface Lettering {
  font: string
  letterSpacing: string
  /** Left plus right, in pixels. */
  padding: number
}

/** Sets the width of the widest name as a CSS variable of the table, so that its column never cuts a name. */
function useWidestName(table: RefObject<HTMLTableElement | null>, rows: readonly unknown[]): void {
  // Read styles once and write them only when they change: both make the browser process the whole table.
  const lettering = useRef<Lettering>(null)
  const applied = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have other names.
  useLayoutEffect(() => {
    const names = [...(table.current?.querySelectorAll<HTMLElement>('tbody th') ?? [])]
    const [first] = names
    if (canvas === null || first === undefined) return
    const isNew = lettering.current === null
    const style = lettering.current ?? letteringOf(first)
    lettering.current = style
    const measure = () => {
      canvas.font = style.font
      canvas.letterSpacing = style.letterSpacing
      const textOf = (name: HTMLElement) => (name.querySelector('[data-name]') ?? name).textContent ?? ''
      const widest = Math.max(...names.map((name) => canvas.measureText(textOf(name)).width))
      const width = Math.min(maxNamePixels, Math.ceil(widest + style.padding + 1))
      if (width !== applied.current) table.current?.style.setProperty('--rk-widest-name', `${width}px`)
      applied.current = width
    }
    measure()
    // The first text of the page may be rendered before its font has loaded.
    if (isNew) void document.fonts.load(style.font).then(measure)
  }, [table, rows])
}

function letteringOf(name: HTMLElement): Lettering {
  const { fontWeight, fontSize, fontFamily, letterSpacing, paddingLeft, paddingRight } = getComputedStyle(name)
  // The `font` shorthand is empty if font-variant-numeric is set.
  const font = `${fontWeight} ${fontSize} ${fontFamily}`
  return { font, letterSpacing, padding: Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight) }
}
