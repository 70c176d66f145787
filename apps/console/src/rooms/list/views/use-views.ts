import type { View } from '@roomkeeper/contract'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { onColumnsChanged, storedColumns } from '#ui/table/remembered-columns.ts'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { type RoomsSearch, roomsTable } from '../search.ts'
import { columnsNow, isChanged, queryOf } from './view-of-list.ts'

/** The own views and those that others share, by name. */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) => (await client.call('views', { signal })).body,
})

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
