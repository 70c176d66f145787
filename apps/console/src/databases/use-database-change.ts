import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { toastError, toastSuccess } from '#ui/toast.ts'

const routes = { backup: 'backupDatabase', restore: 'restoreDatabase', delete: 'deleteDatabase' } as const

/** Starts an operation on one database of a room. A backup has no dialog, so its failure is told in a toast. */
export function useDatabaseChange(projectRoomName: string, kind: keyof typeof routes) {
  const { t } = useTranslation('databases')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (databaseName: string) => client.call(routes[kind], { body: { projectRoomName, databaseName } }),
    onSuccess: (_, name) => {
      toastSuccess(t(`${kind}.title`, { name }), t('accepted'))
      return queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
    onError: (error) => {
      if (kind === 'backup' && !isSessionEnd(error)) toastError(t('backup.failed'), textOf(error))
    },
  })
}
