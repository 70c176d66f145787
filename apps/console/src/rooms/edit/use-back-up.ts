import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { toastAccepted } from '#operations/index.ts'

/** Backs up a suspended room: classic, or straight from its region to the object store. */
export function useBackUp() {
  const { t } = useTranslation('edit')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ name, kind }: { name: string; kind: 'backup' | 'backupD2O' }) =>
      client.call('backupRoom', { query: { projectRoomName: name, isD2O: kind === 'backupD2O' } }),
    onSuccess: ({ body }, { name, kind }) => {
      toastAccepted(body.operationId, { title: t(`buttons.${kind}`), text: t('backup.accepted', { name }) })
      return queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
    meta: { failed: t('backup.failed') },
  })
}
