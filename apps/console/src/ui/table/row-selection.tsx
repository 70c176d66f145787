import { createContext, use, useMemo, useRef, useState } from 'react'
import type { Column } from './column.ts'
import { isSelected, named, rangeOf, type Selected, withRows } from './selected-rows.ts'

/** What a table shows of a selection, and how it changes it. */
export interface RowSelection<Row> {
  selected: Selected<unknown>
  onSelect: (ids: readonly string[], isOn: boolean) => void
  /** The title of the column. */
  title: string
  /** The label of a row's checkbox. Must be stable if there are many rows, or every row is rendered again. */
  labelOf: (row: Row) => string
  /** Why a row cannot be selected now. Such a row counts as not selected. */
  whyNot?: (row: Row) => string | null
  /** The label of a checkbox in the head, for all rows of the page. If absent, there is none. */
  pageLabel?: string
}

/** A selection of rows that are all loaded. */
export interface Selection<Row> extends Pick<RowSelection<Row>, 'selected' | 'onSelect'> {
  /** The selected rows that still exist. */
  rows: readonly Row[]
}

/** @param idOf as the table's `rowId` */
export function useSelection<Row>(
  all: readonly Row[],
  idOf: (row: Row) => number | string,
  initial: readonly string[] = [],
): Selection<Row> {
  const [selected, setSelected] = useState(() => named(initial))
  return {
    rows: all.filter((row) => isSelected(selected, String(idOf(row)))),
    selected,
    onSelect: (ids, isOn) => setSelected((before) => withRows(before, ids, isOn)),
  }
}

/** @returns a function that says whether a row is selected */
export function selectedIn<Row>(selection: RowSelection<Row> | undefined): (row: Row, id: string) => boolean {
  if (selection === undefined) return () => false
  const { selected, whyNot } = selection
  return (row, id) => isSelected(selected, id) && (whyNot?.(row) ?? null) === null
}

interface PageSelection {
  rows: number
  selected: number
  toggle: () => void
}

/** For the checkbox in the head, so that a click on a row renders neither the columns nor the other rows again. */
export const PageSelectionContext = createContext<PageSelection>({ rows: 0, selected: 0, toggle: () => undefined })

/**
 * The column of checkboxes, first among the columns, if there is a selection. With Shift, a click selects all rows
 * since the last one.
 * @param rows those on the screen, in their order there: nothing unseen is ever selected with them
 */
export function useSelectColumn<Row extends object>(
  own: readonly Column<Row>[],
  selection: RowSelection<Row> | undefined,
  rows: readonly Row[],
  rowId: (row: Row) => number | string,
): { columns: readonly Column<Row>[]; page: PageSelection } {
  const idOf = (row: Row) => String(rowId(row))
  const has = selectedIn(selection)
  const { title, labelOf, whyNot, pageLabel, onSelect } = selection ?? {}
  const ids = rows.filter((row) => (whyNot?.(row) ?? null) === null).map(idOf)
  const latest = useRef({ ids, onSelect })
  latest.current = { ids, onSelect }
  const last = useRef<string>(null)
  const columns = useMemo((): readonly Column<Row>[] => {
    if (title === undefined || labelOf === undefined) return own
    const select = (row: Row, isOn: boolean, isRange: boolean) => {
      const id = String(rowId(row))
      const now = latest.current
      now.onSelect?.(isRange ? rangeOf(now.ids, last.current, id) : [id], isOn)
      last.current = id
    }
    const column: Column<Row> = {
      id: 'select',
      title,
      isTitleHidden: true,
      size: 32,
      head: pageLabel === undefined ? undefined : <PageCheckbox label={pageLabel} />,
      cell: (row, { isSelected: isOn }) => (
        <RowCheckbox
          label={labelOf(row)}
          isOn={isOn}
          whyNot={whyNot?.(row) ?? null}
          onToggle={(isRange) => select(row, !isOn, isRange)}
        />
      ),
    }
    return [column, ...own]
  }, [own, title, labelOf, whyNot, pageLabel, rowId])
  const selected = rows.filter((row) => has(row, idOf(row))).length
  const page = { rows: ids.length, selected, toggle: () => onSelect?.(ids, selected < ids.length) }
  return { columns, page }
}

/** Selects the rows of the page; if all are selected already, deselects them. */
function PageCheckbox({ label }: { label: string }) {
  const { rows, selected, toggle } = use(PageSelectionContext)
  return (
    <input
      type="checkbox"
      ref={(input) => {
        if (input !== null) input.indeterminate = selected > 0 && selected < rows
      }}
      aria-label={label}
      checked={selected > 0 && selected === rows}
      disabled={rows === 0}
      onChange={toggle}
    />
  )
}

interface RowCheckboxProps {
  label: string
  isOn: boolean
  whyNot: string | null
  onToggle: (isRange: boolean) => void
}

/** A plain element, because there are up to a hundred rows. */
function RowCheckbox({ label, isOn, whyNot, onToggle }: RowCheckboxProps) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      title={whyNot ?? undefined}
      disabled={whyNot !== null}
      checked={isOn}
      onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  )
}
