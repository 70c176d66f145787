/** Changes of regions, with a question if something would be lost. */
import type { Region } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { regionsQuery } from '#api/queries.ts'
import { toastAccepted } from '#operations/index.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { changeOfState } from './region-form.ts'

/** @returns a function that removes a region and all its rooms after its name was typed */
export function useDeleteRegion() {
  const { t } = useTranslation('regions')
  const refetch = useRefetch('regions', 'rooms')
  return async ({ regionId, regionName: name, numberOfProjectRooms: count }: Region) => {
    const isDeleted = await confirm({
      title: t('delete.title'),
      question: t('delete.question'),
      consequence: t('delete.consequence', { name, count }),
      confirm: t('delete.confirm'),
      nameToType: name,
      danger: true,
      failed: t('delete.failed'),
      run: () => client.call('deleteRegion', { body: { id: regionId } }).finally(refetch),
    })
    if (isDeleted) toastSuccess(name, t('delete.done'))
  }
}

/** @returns a function that disables a region after asking */
export function useDisableRegion() {
  const { t } = useTranslation('regions')
  const refetch = useRefetch('regions', 'rooms')
  return async (region: Region) => {
    const { regionName: name, numberOfProjectRooms: count } = region
    const isDisabled = await confirm({
      title: t('disable.title'),
      question: t('disable.question', { name }),
      consequence: t('disable.consequence', { count }),
      confirm: t('disable.title'),
      danger: true,
      failed: t('edit.failed'),
      run: () => client.call('changeRegion', { body: changeOfState(region, 'disabled') }).finally(refetch),
    })
    if (isDisabled) toastSuccess(name, t('edit.saved'))
  }
}

/** @returns a function that updates the system databases of a region, or of all regions, after asking */
export function useUpdateSystemDatabases() {
  const { t } = useTranslation('regions')
  const refetch = useRefetch('operations', 'monitoring', 'rooms')
  return async (region: Region | null) => {
    await confirm({
      title: t('update.title'),
      question: region === null ? t('update.questionAll') : t('update.question'),
      consequence: region === null ? t('update.consequenceAll') : t('update.consequence', { name: region.regionName }),
      confirm: t('update.title'),
      failed: t('update.failed'),
      run: async () => {
        const { body } = await (region === null
          ? client.call('updateSystemDatabases', {})
          : client.call('updateSystemDatabasesOfRegion', { body: { regionId: region.regionId } }))
        toastAccepted(body.operationId, { title: t('update.title'), text: t('update.accepted') })
        refetch()
      },
    })
  }
}

function useRefetch(...keys: readonly string[]): () => void {
  const queryClient = useQueryClient()
  return () => {
    for (const key of keys) void queryClient.invalidateQueries({ queryKey: [key] })
  }
}

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
    meta: { failed: t('edit.failed') },
    // The shown state of a room depends on whether its region is disabled.
    onSettled: () =>
      Promise.all([regionsQuery.queryKey, ['rooms']].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
}
