/** What is asked before something is done with a region. */
import type { Region } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { toastSuccess } from '#ui/toast.ts'

/** @returns removes a region with all its rooms, once its name was typed */
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

/** @returns updates the system databases of all rooms of a region, or of all regions, after asking */
export function useUpdateSystemDatabases() {
  const { t } = useTranslation('regions')
  const refetch = useRefetch('operations', 'monitoring', 'rooms')
  return async (region: Region | null) => {
    const isAccepted = await confirm({
      title: t('update.title'),
      question: region === null ? t('update.questionAll') : t('update.question'),
      consequence: region === null ? t('update.consequenceAll') : t('update.consequence', { name: region.regionName }),
      confirm: t('update.title'),
      failed: t('update.failed'),
      run: () =>
        region === null
          ? client.call('updateSystemDatabases', {})
          : client.call('updateSystemDatabasesOfRegion', { body: { regionId: region.regionId } }),
    })
    if (!isAccepted) return
    toastSuccess(t('update.title'), t('update.accepted'))
    refetch()
  }
}

function useRefetch(...keys: readonly string[]): () => void {
  const queryClient = useQueryClient()
  return () => {
    for (const key of keys) void queryClient.invalidateQueries({ queryKey: [key] })
  }
}
