import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { Column, RowData } from './column.ts'

export interface Selection<Row> {
  rows: readonly Row[]
  has: (row: Row) => boolean
  toggle: (row: Row) => void
  clear: () => void
}

/** The selected rows that still exist. */
export function useSelection<Row>(
  all: readonly Row[],
  idOf: (row: Row) => number | string,
  initial: readonly (number | string)[] = [],
): Selection<Row> {
  const [ids, setIds] = useState<ReadonlySet<number | string>>(new Set(initial))
  return {
    rows: all.filter((row) => ids.has(idOf(row))),
    has: (row) => ids.has(idOf(row)),
    toggle: (row) => {
      const next = new Set(ids)
      if (!next.delete(idOf(row))) next.add(idOf(row))
      setIds(next)
    },
    clear: () => setIds(new Set()),
  }
}

/** Which rows are selected, and how to change that. */
export interface RowSelection<Row> {
  has: (row: Row) => boolean
  toggle: (row: Row) => void
  /** The title of the column. */
  title: string
  /** The label of a row's checkbox. */
  labelOf: (row: Row) => string
  /** Why a row cannot be selected or deselected now. */
  whyNot?: (row: Row) => string | null
  /** A checkbox in the head, for all rows of the page. */
  page?: { label: string; toggle: () => void }
}

/** The column of checkboxes. @param rows the rows of the page */
export function selectColumn<Row extends RowData>(selection: RowSelection<Row>, rows: readonly Row[]): Column<Row> {
  const { page } = selection
  const selected = rows.filter(selection.has).length
  return {
    id: 'select',
    title: selection.title,
    isTitleHidden: true,
    size: 32,
    ...(page === undefined
      ? {}
      : {
          head: (
            <Checkbox
              size="xs"
              aria-label={page.label}
              checked={selected > 0 && selected === rows.length}
              indeterminate={selected > 0 && selected < rows.length}
              onChange={page.toggle}
            />
          ),
        }),
    cell: (row) => {
      const why = selection.whyNot?.(row) ?? null
      return (
        <Checkbox
          size="xs"
          aria-label={selection.labelOf(row)}
          title={why ?? undefined}
          disabled={why !== null}
          checked={selection.has(row)}
          onChange={() => selection.toggle(row)}
        />
      )
    },
  }
}
