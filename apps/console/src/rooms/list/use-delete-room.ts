import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { toastSuccess } from '#ui/toast.ts'

/** @returns deletes a room after asking; stable, so that rows need not be drawn again */
export function useDeleteRoom() {
  const { t } = useTranslation('rooms')
  const queryClient = useQueryClient()
  return useCallback(
    async (name: string) => {
      const isAccepted = await confirm({
        title: t('delete.title'),
        question: t('delete.question', { name }),
        consequence: t('delete.consequence'),
        confirm: t('delete.confirm'),
        danger: true,
        failed: t('delete.failed'),
        run: () => client.call('deleteRoom', { body: { roomName: name } }),
      })
      if (!isAccepted) return
      toastSuccess(t('delete.accepted.title'), t('delete.accepted.text', { name }))
      await queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
    [t, queryClient],
  )
}
