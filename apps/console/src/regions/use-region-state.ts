import type { Region } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { regionsQuery } from '#api/queries.ts'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { changeOfState } from './region-form.ts'

interface StateChange {
  region: Region
  action: 'enable' | 'disable'
}

/** Enables or disables a region: saves it with the new state. */
export function useRegionState() {
  const { t } = useTranslation('regions')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ region, action }: StateChange) =>
      client.call('changeRegion', { body: changeOfState(region, action === 'enable' ? 'enabled' : 'disabled') }),
    onSuccess: (_, { region }) => toastSuccess(region.regionName, t('edit.saved')),
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('edit.failed'), textOf(error))
    },
    // The rooms of a disabled region are shown in another state.
    onSettled: () =>
      Promise.all([regionsQuery.queryKey, ['rooms']].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
}
