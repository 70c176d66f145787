import { useState } from 'react'

export interface Selection<Row> {
  rows: readonly Row[]
  has: (row: Row) => boolean
  toggle: (row: Row) => void
  clear: () => void
}

/** Which rows are selected; those that are gone are not. */
export function useSelection<Row>(all: readonly Row[], idOf: (row: Row) => number | string): Selection<Row> {
  const [ids, setIds] = useState<ReadonlySet<number | string>>(new Set())
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
