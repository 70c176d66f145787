import { useEffect, useMemo, useState } from 'react'

interface HeldOrderOptions<Row> {
  rows: readonly Row[] | undefined
  rowId: (row: Row) => string | number
  /** What the rows answer: page, order, search. Undefined if nothing holds the order. */
  orderKey: unknown
  /** Whether the rows are still those of a former question. */
  isOutdated: boolean
}

interface HeldOrder<Row> {
  rows: readonly Row[] | undefined
  /** The ids of rows that are gone; their places stay empty. */
  gone: ReadonlySet<string>
  /** The number of places that will hold another row. */
  changes: number
  /** To be called when the pointer or the focus enters the rows, with the element around them, and with null when it leaves. */
  hold: (around: Element | null) => void
  /** Shows the new order at once. */
  release: () => void
}

/** What was shown last in free order. */
interface Shown<Row> {
  rows: readonly Row[] | undefined
  orderKey: unknown
  isOutdated: boolean
}

const noIds: ReadonlySet<string> = new Set()

/**
 * While the order is held, each row keeps its place and only its content changes, so that a click never hits another
 * row. Rows of another page, order or search are shown at once.
 */
export function useStableOrder<Row>({ rows, rowId, orderKey, isOutdated }: HeldOrderOptions<Row>): HeldOrder<Row> {
  const [around, hold] = useState<Element | null>(null)
  useEffect(() => {
    if (around === null) return
    // A row or button that is removed below the pointer may take the event with it by which the pointer leaves.
    const check = ({ target }: Event) => {
      if (!around.contains(target as Node) && !around.contains(document.activeElement)) hold(null)
    }
    document.addEventListener('pointerover', check)
    return () => document.removeEventListener('pointerover', check)
  }, [around])
  const [shown, setShown] = useState<Shown<Row>>({ rows, orderKey, isOutdated })
  const isSame = shown.orderKey === orderKey && !shown.isOutdated && shown.rows !== undefined
  const isFree =
    around === null || orderKey === undefined || isOutdated || !isSame || movesNothing(shown.rows, rows, rowId)
  const isNew = shown.rows !== rows || shown.orderKey !== orderKey || shown.isOutdated !== isOutdated
  if (isFree && isNew) setShown({ rows, orderKey, isOutdated })
  const former = isFree ? rows : shown.rows
  const order = useMemo(() => inFormerOrder(former ?? [], rows ?? [], rowId), [former, rows, rowId])
  const release = () => setShown({ rows, orderKey, isOutdated })
  if (isFree || rows === undefined) return { rows, gone: noIds, changes: 0, hold, release }
  return { ...order, hold, release }
}

/** Whether no row is left that could move, or the others come below all that were there. */
function movesNothing<Row>(
  former: readonly Row[] | undefined,
  rows: readonly Row[] | undefined,
  rowId: (row: Row) => string | number,
) {
  if (rows === undefined || former === undefined || former === rows) return false
  const stay = former.every((row, place) => rows[place] !== undefined && rowId(row) === rowId(rows[place]))
  return rows.length === 0 || stay
}

/** Exported for its tests. @returns the newest rows in the former order, and what that hides */
export function inFormerOrder<Row>(former: readonly Row[], rows: readonly Row[], rowId: (row: Row) => string | number) {
  const idOf = (row: Row) => String(rowId(row))
  if (former === rows) return { rows, gone: noIds, changes: 0 }
  const newest = new Map(rows.map((row) => [idOf(row), row]))
  const places = Math.max(former.length, rows.length)
  const idAt = (list: readonly Row[], place: number) => {
    const row = list[place]
    return row === undefined ? null : idOf(row)
  }
  return {
    rows: former.map((row) => newest.get(idOf(row)) ?? row),
    gone: new Set(former.map(idOf).filter((id) => !newest.has(id))),
    changes: Array.from({ length: places }, (_, place) => idAt(former, place) !== idAt(rows, place)).filter(Boolean)
      .length,
  }
}
