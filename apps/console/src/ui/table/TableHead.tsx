import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { type PointerEvent, type ReactNode, useRef } from 'react'
import { type Column, type Direction, isChoosable } from './column.ts'
import classes from './TableHead.module.css'
import type { ColumnLayout } from './use-column-layout.ts'

type Sizing = Pick<ColumnLayout<object>, 'hold' | 'resize' | 'fit'>

interface TableHeadProps<Row extends object> {
  columns: readonly Column<Row>[]
  filters: Readonly<Record<string, ReactNode>> | undefined
  sort: { by: string; dir: Direction } | undefined
  onSort: ((by: string, dir: Direction) => void) | undefined
  /** Undefined if columns cannot be resized. */
  sizing: Sizing | undefined
}

export function TableHead<Row extends object>({ columns, filters, sort, onSort, sizing }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const dir = sort?.by === column.id ? sort.dir : null
          return (
            <th
              key={column.id}
              scope="col"
              className={classes.head}
              data-column={column.id}
              data-align={column.align}
              data-actions={column.isActions || undefined}
              aria-sort={column.isSortable ? ariaSortOf(dir) : undefined}
            >
              <Title column={column} dir={dir} onSort={() => onSort?.(column.id, dir === 'asc' ? 'desc' : 'asc')} />
              {sizing !== undefined && (column.isName || isChoosable(column)) && (
                <ResizeHandle id={column.id} sizing={sizing} />
              )}
            </th>
          )
        })}
      </tr>
      {filters !== undefined && (
        <tr className={classes.filters}>
          {columns.map(({ id }) => (
            <td key={id}>{filters[id]}</td>
          ))}
        </tr>
      )}
    </thead>
  )
}

interface TitleProps<Row extends object> {
  column: Column<Row>
  dir: Direction | null
  onSort: () => void
}

/** The first click sorts ascending, the next one descending. */
function Title<Row extends object>({ column, dir, onSort }: TitleProps<Row>) {
  if (column.head !== undefined) return column.head
  if (column.isTitleHidden) return <span className="rk-hidden">{column.title}</span>
  const title = (
    <span className={classes.title} data-cut>
      {column.title}
    </span>
  )
  if (!column.isSortable) return title
  const Icon = dir === null ? IconArrowsSort : dir === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <button type="button" className={classes.sort} onClick={onSort}>
      {title}
      <Icon size={14} stroke={2} aria-hidden />
    </button>
  )
}

const dragPixels = 3

/** Follows the pointer while held; a double click restores the default width. The columns menu is for the keyboard. */
function ResizeHandle({ id, sizing: { hold, resize, fit } }: { id: string; sizing: Sizing }) {
  /** Where the pointer was pressed; null once it has been dragged. A click without dragging changes no width. */
  const pressedAt = useRef<number>(null)
  const start = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    pressedAt.current = event.clientX
  }
  const follow = (event: PointerEvent<HTMLElement>) => {
    const { currentTarget: handle, pointerId, clientX } = event
    const head = handle.parentElement?.getBoundingClientRect()
    if (!handle.hasPointerCapture(pointerId) || head === undefined) return
    if (pressedAt.current !== null) {
      if (Math.abs(clientX - pressedAt.current) < dragPixels) return
      pressedAt.current = null
      hold(id)
    }
    resize(id, clientX - head.left)
  }
  return (
    <span
      aria-hidden
      className={classes.grip}
      onPointerDown={start}
      onPointerMove={follow}
      onDoubleClick={() => fit(id)}
    />
  )
}

function ariaSortOf(dir: Direction | null) {
  if (dir === null) return 'none'
  return dir === 'asc' ? 'ascending' : 'descending'
}
