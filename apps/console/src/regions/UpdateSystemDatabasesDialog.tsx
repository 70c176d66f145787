import type { Region } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#api/text-of-error.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { useLastPresent } from '#ui/use-last-present.ts'

type Scope = Region | 'all'

interface UpdateSystemDatabasesDialogProps {
  /** null keeps it closed. */
  scope: Scope | null
  onClose: () => void
}

/** Asks before the system databases of all rooms of a region, or of all regions, are updated. */
export function UpdateSystemDatabasesDialog({ scope, onClose }: UpdateSystemDatabasesDialogProps) {
  const { t } = useTranslation('regions')
  const queryClient = useQueryClient()
  const shown = useLastPresent(scope)
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: update,
    onSuccess: () => {
      toastSuccess(t('update.title'), t('update.accepted'))
      close()
      return Promise.all(
        ['operations', 'monitoring', 'rooms'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
      )
    },
  })
  const close = () => {
    reset()
    onClose()
  }
  const isAll = shown === 'all'
  return (
    <ConfirmDialog
      isOpen={scope !== null}
      onClose={close}
      title={t('update.title')}
      question={isAll ? t('update.questionAll') : t('update.question')}
      consequence={isAll ? t('update.consequenceAll') : t('update.consequence', { name: shown?.regionName })}
      confirm={t('update.title')}
      isPending={isPending}
      failure={error === null ? null : { title: t('update.failed'), text: textOf(error) }}
      onConfirm={() => {
        if (scope !== null) mutate(scope)
      }}
    />
  )
}

function update(scope: Scope) {
  if (scope === 'all') return client.call('updateSystemDatabases', {})
  return client.call('updateSystemDatabasesOfRegion', { body: { regionId: scope.regionId } })
}
