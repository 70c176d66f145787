/** Named views of the list: what they keep of it, what it takes of them, and the calls. */
import type { View, ViewColumns } from '@roomkeeper/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { apiQuery } from '#api/queries.ts'
import { isSessionEnd, textOf } from '#locales/error-texts.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { onColumnsChanged, rememberedColumns, setColumns, storedColumns } from '#ui/table/remembered-columns.ts'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { parseRoomsSearch, type RoomsSearch, roomsTable } from '../search.ts'

/** The own views and those that others share, by name. */
export const viewsQuery = { ...apiQuery(['views'], 'views', {}), staleTime: 10_000 }

/** The view that was chosen, and whether the list has been changed since. Undefined: none, or it is gone. */
export function useActiveView(search: RoomsSearch): { view: View; isChanged: boolean } | undefined {
  const { data = [] } = useQuery({ ...viewsQuery, enabled: search.view !== undefined })
  useSyncExternalStore(onColumnsChanged, () => storedColumns(roomsTable))
  const view = data.find(({ id }) => id === search.view)
  return view === undefined ? undefined : { view, isChanged: isChanged(view, search) }
}

export function useViewActions() {
  const { t } = useTranslation('views')
  const queryClient = useQueryClient()
  const refetch = () => queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey })
  return {
    saveChanges: async ({ id, name }: View, search: RoomsSearch) => {
      try {
        await client.call('changeView', { params: { id }, body: { query: queryOf(search), columns: columnsNow() } })
        await refetch()
        toastSuccess(t('saved'), name)
      } catch (error) {
        if (!isSessionEnd(error)) toastError(t('saveFailed'), textOf(error))
      }
    },
    /** @returns whether it was confirmed and done */
    remove: async ({ id, name, isShared }: View): Promise<boolean> => {
      const isRemoved = await confirm({
        title: t('remove.title'),
        question: t(isShared ? 'remove.sharedQuestion' : 'remove.question', { name }),
        confirm: t('remove.confirm'),
        danger: true,
        failed: t('remove.failed'),
        run: () => client.call('deleteView', { params: { id } }).finally(refetch),
      })
      if (isRemoved) toastSuccess(t('remove.done'), name)
      return isRemoved
    },
  }
}

/** Search, filters and order as in the address of the list, without `?`. Pages are not part of a view. */
export function queryOf({ page, size, view, ...kept }: RoomsSearch): string {
  return defaultStringifySearch(parseRoomsSearch({ ...kept })).slice(1)
}

function searchOf({ id, query }: View, { size }: RoomsSearch): RoomsSearch {
  const { page: _, ...kept } = parseRoomsSearch(defaultParseSearch(query))
  return { ...kept, size, view: id }
}

/** Gives the list the columns of the view. @returns the search to go to */
export function showView(view: View, search: RoomsSearch = {}): RoomsSearch {
  showColumns(view.columns)
  return searchOf(view, search)
}

/** The columns of the list as they are now. */
export function columnsNow(): ViewColumns {
  const { columnVisibility, columnSizing, columnOrder } = rememberedColumns(roomsTable)
  const idsThatAre = (shown: boolean) => Object.keys(columnVisibility).filter((id) => columnVisibility[id] === shown)
  return {
    hidden: idsThatAre(false),
    shown: idsThatAre(true),
    widths: Object.entries(columnSizing).map(([column, width]) => ({ column, width })),
    order: columnOrder,
  }
}

export function showColumns({ hidden, shown, widths, order }: ViewColumns): void {
  setColumns(roomsTable, {
    columnVisibility: Object.fromEntries([
      ...hidden.map((id) => [id, false] as const),
      ...shown.map((id) => [id, true] as const),
    ]),
    columnSizing: Object.fromEntries(widths.map(({ column, width }) => [column, width])),
    columnOrder: order,
  })
}

/** Whether the list is not as the view has it. */
function isChanged(view: View, search: RoomsSearch): boolean {
  return queryOf(searchOf(view, search)) !== queryOf(search) || columnsText(view.columns) !== columnsText(columnsNow())
}

/** Equal columns give equal texts, regardless of the order in which they were chosen. */
function columnsText({ hidden, shown, widths, order }: ViewColumns): string {
  const sized = widths.map(({ column, width }) => [column, width]).toSorted()
  return JSON.stringify([hidden.toSorted(), shown.toSorted(), sized, order])
}
