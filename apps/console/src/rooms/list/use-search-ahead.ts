import { useCallback, useState } from 'react'
import { type ChangeSearch, parseRoomsSearch, type RoomsSearch } from './search.ts'

/**
 * The search of the list, ahead of the URL: a change is shown and fetched at once, while the router is still
 * navigating. Other changes of the URL (Back, a link) are followed.
 */
export function useSearchAhead(inUrl: RoomsSearch, changeUrl: ChangeSearch): [RoomsSearch, ChangeSearch] {
  const [path, setPath] = useState<SearchPath>([inUrl])
  const followed = afterUrlChange(path, inUrl)
  if (followed !== path) setPath(followed)
  const change = useCallback<ChangeSearch>(
    (to, how) => {
      const next = parseRoomsSearch({ ...to })
      setPath((before) => afterChange(before, next))
      changeUrl(next, how)
    },
    [changeUrl],
  )
  return [shownOf(followed), change]
}

/** The search in the URL, and those that the router is navigating to. The last one is shown. */
export type SearchPath = readonly [RoomsSearch, ...RoomsSearch[]]

/** Exported for its tests. */
export function shownOf(path: SearchPath): RoomsSearch {
  return path.at(-1) ?? path[0]
}

/** Exported for its tests. A search that the URL already has is not waited for. */
export function afterChange(path: SearchPath, change: RoomsSearch): SearchPath {
  return isSame(change, path[0]) ? [change] : [...path, change]
}

/** Exported for its tests. URLs on the way to the last search are passed; any other one, as after Back, counts. */
export function afterUrlChange(path: SearchPath, inUrl: RoomsSearch): SearchPath {
  const at = path.findLastIndex((each) => each === inUrl || isSame(each, inUrl))
  if (at === 0) return path
  // What is shown already stays the same object, so that nothing is drawn again.
  const [known = inUrl, ...rest] = at === -1 ? [] : path.slice(at)
  return [known, ...rest]
}

function isSame(one: RoomsSearch, other: RoomsSearch): boolean {
  return JSON.stringify(parseRoomsSearch({ ...one })) === JSON.stringify(parseRoomsSearch({ ...other }))
}
