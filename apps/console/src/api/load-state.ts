import type { UseQueryResult } from '@tanstack/react-query'
import type { LoadState } from '#ui/table/NotLoaded.tsx'
import { isSessionEnd, textOf } from './text-of-error.ts'

/** How it stands with a query, for the table of its rows. @param failed says that they could not be loaded */
export function loadStateOf(query: UseQueryResult, failed: string): LoadState {
  const { error, refetch, isPlaceholderData } = query
  return {
    failure: error === null || isSessionEnd(error) ? null : { title: failed, text: textOf(error) },
    onAgain: () => void refetch(),
    isOutdated: isPlaceholderData,
  }
}
