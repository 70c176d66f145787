import { type ReactNode, type RefObject, useMemo, useRef } from 'react'
import { type Column, type Direction, gridOf, type RowData } from './column.ts'
import classes from './Table.module.css'
import type { TableProps } from './Table.tsx'
import { TableHead } from './TableHead.tsx'
import { type RowAttributes, TableRow } from './TableRow.tsx'
import { TipLayer } from './TipLayer.tsx'
import type { Columns } from './use-columns.ts'
import { useIsWider } from './use-is-wider.ts'
import { useRowSlots } from './use-row-slots.ts'
import { useWidestName } from './use-widest-name.ts'

interface TableGridProps<Row extends RowData, Id extends string, SortId extends Id>
  extends TableProps<Row, Id, SortId> {
  frame: RefObject<HTMLDivElement | null>
  grid: Columns<Row>
  isOutdated: boolean
}

const noNames: readonly string[] = []

/**
 * The table itself. Where columns have sizes, rows are grids of their own instead of table rows, so that the browser
 * lays out and paints only those in view: a page of a hundred is turned as fast as one of twenty.
 */
export function TableGrid<Row extends RowData, Id extends string, SortId extends Id>(
  props: TableGridProps<Row, Id, SortId>,
) {
  const { frame, isOutdated, selection, rowAttributes, details } = props
  const { rows, shown, widths } = props.grid
  const table = useRef<HTMLTableElement>(null)
  const isSized = shown.some(({ size }) => size !== undefined)
  const isWider = useIsWider(frame)
  useWidestName(table, rows)
  const names = useMemo(() => (props.reusesRows ? rows.map(({ id }) => id) : noNames), [props.reusesRows, rows])
  const slots = useRowSlots(names)
  const { template, minWidth } = gridOf(shown, widths)
  return (
    <TipLayer
      frame={frame}
      className={`${classes.scroll} ${rows.length === 0 ? classes.short : ''}`}
      tabIndex={isWider ? 0 : undefined}
    >
      <table
        ref={table}
        className={`${classes.table} ${isSized ? classes.sized : classes.fluid} ${props.className ?? ''}`}
        style={isSized ? ({ '--columns': template, minWidth } as object) : undefined}
        aria-busy={isOutdated}
        data-outdated={isOutdated || undefined}
        data-dense={props.isDense || undefined}
        data-wider={isWider || undefined}
      >
        {props.label !== undefined && (
          <caption className={props.hasVisibleLabel ? classes.caption : classes.hidden}>{props.label}</caption>
        )}
        <TableHead
          columns={shown}
          filters={props.filters}
          sort={props.sort}
          onSort={props.onSort as ((by: string, dir: Direction) => void) | undefined}
          sizing={props.remembered === undefined ? undefined : props.grid}
        />
        <tbody>
          {rows.map(({ id, original }) => (
            <TableRow
              key={slots.get(id) ?? id}
              id={id}
              row={original}
              columns={shown as readonly Column<RowData>[]}
              isSized={isSized}
              isSelected={selection?.has(original) ?? false}
              isFocusable={props.hasFocusableRows ?? false}
              attributesOf={rowAttributes as ((row: RowData) => RowAttributes) | undefined}
              details={details as ((row: RowData) => ReactNode) | undefined}
            />
          ))}
        </tbody>
      </table>
    </TipLayer>
  )
}
