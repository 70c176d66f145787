import { memo, type ReactNode, useId, useState } from 'react'
import type { Column } from './column.ts'
import classes from './Table.module.css'

/** Attributes of a row for styles and assistive technology. */
export interface RowAttributes {
  'data-state'?: string
  'aria-current'?: true | undefined
}

interface TableRowProps {
  id: string
  row: object
  columns: readonly Column<object>[]
  isSized: boolean
  /** Whether cells have their titles with them, for a phone. */
  hasTitles: boolean
  /** The row no longer exists, but its place stays empty for now. */
  isGone: boolean
  isSelected: boolean
  isCurrent: boolean
  isFocusable: boolean
  attributesOf: ((row: object) => RowAttributes) | undefined
  details: ((row: object) => ReactNode) | undefined
}

/** Memoised, with plain elements: there are up to a hundred rows, and turning a page must feel instant. */
export const TableRow = memo(function TableRow(props: TableRowProps) {
  const { id, row, columns, isSized, details } = props
  const [isOpen, setIsOpen] = useState(false)
  const detailsId = useId()
  if (props.isGone) return <tr aria-hidden className={classes.gone} />
  const context = { id: detailsId, isOpen, toggle: () => setIsOpen(!isOpen), isSelected: props.isSelected, columns }
  return (
    <>
      <tr
        aria-current={props.isCurrent || undefined}
        {...props.attributesOf?.(row)}
        data-row={id}
        data-selected={props.isSelected || undefined}
        tabIndex={props.isFocusable ? -1 : undefined}
      >
        {columns.map((column) => {
          const Cell = column.isName ? 'th' : 'td'
          return (
            <Cell
              key={column.id}
              scope={column.isName ? 'row' : undefined}
              className={classNameOf(column, isSized)}
              data-actions={column.isActions || undefined}
              data-cut={(isSized && isCut(column)) || undefined}
              data-title={props.hasTitles ? titleOf(column) : undefined}
            >
              {column.cell(row, context)}
            </Cell>
          )
        })}
      </tr>
      {isOpen && details !== undefined && (
        <tr id={detailsId} className={classes.details}>
          <td colSpan={columns.length}>{details(row)}</td>
        </tr>
      )}
    </>
  )
})

function isCut({ text = 'cut', isActions }: Column<object>): boolean {
  return text === 'cut' && !isActions
}

function titleOf({ title, isName, isActions, isTitleHidden }: Column<object>): string | undefined {
  return isName || isActions || isTitleHidden ? undefined : title
}

/** Undefined for most cells, which have the default style. */
function classNameOf(column: Column<object>, isSized: boolean): string | undefined {
  if (column.isActions) return classes.actions
  const text = isSized ? 'cut' : 'wrapped'
  const names = [
    column.align === 'end' && classes.end,
    column.isOnCard && classes.onCard,
    column.text !== undefined && column.text !== text && classes[column.text],
  ].filter(Boolean)
  return names.length === 0 ? undefined : names.join(' ')
}

interface RowKeys {
  names: readonly string[]
  byName: ReadonlyMap<string, number>
}

/**
 * Keys for the rows of a table. A row that stays keeps its key (and the focus in it); a new row gets the key, and so
 * the rendered elements, of a removed one. Turning a page of 100 rows then only changes their texts.
 */
export function useRowKeys(names: readonly string[]): ReadonlyMap<string, number> {
  const [keys, setKeys] = useState<RowKeys>(() => nextRowKeys(null, names))
  if (keys.names === names) return keys.byName
  const next = nextRowKeys(keys, names)
  setKeys(next)
  return next.byName
}

/** Exported for its tests. */
export function nextRowKeys(before: RowKeys | null, names: readonly string[]): RowKeys {
  const stay = new Map(
    names.flatMap((name) => {
      const key = before?.byName.get(name)
      return key === undefined ? [] : [[name, key] as const]
    }),
  )
  const taken = new Set(stay.values())
  let free = 0
  const keyOf = (name: string) => {
    const kept = stay.get(name)
    if (kept !== undefined) return kept
    while (taken.has(free)) free++
    return free++
  }
  return { names, byName: new Map(names.map((name) => [name, keyOf(name)])) }
}
