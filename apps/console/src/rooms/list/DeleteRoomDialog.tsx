import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#api/text-of-error.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { useLastPresent } from '#ui/use-last-present.ts'

interface DeleteRoomDialogProps {
  /** null keeps it closed. */
  name: string | null
  onClose: () => void
}

/** Asks before a room is deleted; stays open when the server refuses. */
export function DeleteRoomDialog({ name, onClose }: DeleteRoomDialogProps) {
  const { t } = useTranslation('rooms')
  const queryClient = useQueryClient()
  const shown = useLastPresent(name)
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (roomName: string) => client.call('deleteRoom', { body: { roomName } }),
    onSuccess: (_, roomName) => {
      toastSuccess(t('delete.accepted.title'), t('delete.accepted.text', { name: roomName }))
      onClose()
      return queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
  })
  const close = () => {
    reset()
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={name !== null}
      onClose={close}
      title={t('delete.title')}
      question={t('delete.question', { name: shown })}
      consequence={t('delete.consequence')}
      confirm={t('delete.confirm')}
      isDangerous
      isPending={isPending}
      failure={error === null ? null : { title: t('delete.failed'), text: textOf(error) }}
      onConfirm={() => {
        if (name !== null) mutate(name)
      }}
    />
  )
}
