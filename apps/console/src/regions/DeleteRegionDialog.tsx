import type { Region } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { regionsQuery } from '#api/regions.ts'
import { textOf } from '#api/text-of-error.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { useLastPresent } from '#ui/use-last-present.ts'

interface DeleteRegionDialogProps {
  /** null keeps it closed. */
  region: Region | null
  onClose: () => void
}

/** Asks for the region's name before it is removed with all its rooms. */
export function DeleteRegionDialog({ region, onClose }: DeleteRegionDialogProps) {
  const { t } = useTranslation('regions')
  const queryClient = useQueryClient()
  const shown = useLastPresent(region)
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (id: number) => client.call('deleteRegion', { body: { id } }),
    onSuccess: () => {
      toastSuccess(shown?.regionName ?? '', t('delete.done'))
      onClose()
    },
    onSettled: () =>
      Promise.all([regionsQuery.queryKey, ['rooms']].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
  const close = () => {
    reset()
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={region !== null}
      onClose={close}
      title={t('delete.title')}
      question={t('delete.question')}
      consequence={t('delete.consequence', { name: shown?.regionName, count: shown?.numberOfProjectRooms ?? 0 })}
      confirm={t('delete.confirm')}
      nameToType={shown?.regionName}
      isDangerous
      isPending={isPending}
      failure={error === null ? null : { title: t('delete.failed'), text: textOf(error) }}
      onConfirm={() => {
        if (region !== null) mutate(region.regionId)
      }}
    />
  )
}
