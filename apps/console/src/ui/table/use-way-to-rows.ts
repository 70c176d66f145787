import { type RefObject, useCallback, useEffect, useState } from 'react'
import { focusFirstRow } from './use-table-keys.ts'

interface WayToRows {
  searchRef: RefObject<HTMLInputElement | null>
  /** What was searched for. */
  text: string
  /** The rows are still those of a former search. */
  isOutdated: boolean
}

/** @returns a function that moves the focus from the search to the first row, once the rows are those of the search */
export function useWayToRows({ searchRef, text, isOutdated }: WayToRows): () => void {
  const [awaited, setAwaited] = useState<string | null>(null)
  useEffect(() => {
    if (awaited === null) return
    const search = searchRef.current
    // An operator who types on stays in the search.
    const isWaiting = document.activeElement === search && search?.value.trim() === awaited
    if (isWaiting && (isOutdated || text !== awaited)) return
    setAwaited(null)
    if (isWaiting) focusFirstRow()
  }, [awaited, isOutdated, text, searchRef])
  return useCallback(() => setAwaited(searchRef.current?.value.trim() ?? null), [searchRef])
}
