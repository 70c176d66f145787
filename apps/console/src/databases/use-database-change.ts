import type { ProjectRoom, RoomDatabase } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { formatMoment } from '#ui/format.ts'
import { toastError, toastSuccess } from '#ui/toast.ts'

/** Starts the backup of a database. Nothing is asked before, so a failure is told in a toast. */
export function useBackUpDatabase(projectRoomName: string) {
  const { t } = useTranslation('databases')
  const tellAccepted = useTellAccepted()
  return useMutation({
    mutationFn: (databaseName: string) => client.call('backupDatabase', { body: { projectRoomName, databaseName } }),
    onSuccess: (_, name) => tellAccepted('backup', name),
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('backup.failed'), textOf(error))
    },
  })
}

const routes = { restore: 'restoreDatabase', delete: 'deleteDatabase' } as const

/** @returns replaces or removes a database after asking, because its content is lost */
export function useDatabaseChange({ tenantName: room }: ProjectRoom) {
  const { t } = useTranslation('databases')
  const tellAccepted = useTellAccepted()
  return async (kind: keyof typeof routes, { databaseName: name, backupAt }: RoomDatabase) => {
    const isAccepted = await confirm({
      title: t(`${kind}.title`, { name }),
      question: t(`${kind}.question`, { name, room }),
      consequence: t(`${kind}.consequence`, { at: backupAt === null ? '' : formatMoment(backupAt) }),
      confirm: t(`${kind}.confirm`),
      danger: true,
      failed: t(`${kind}.failed`),
      run: () => client.call(routes[kind], { body: { projectRoomName: room, databaseName: name } }),
    })
    if (isAccepted) await tellAccepted(kind, name)
  }
}

function useTellAccepted() {
  const { t } = useTranslation('databases')
  const queryClient = useQueryClient()
  return (kind: 'backup' | keyof typeof routes, name: string) => {
    toastSuccess(t(`${kind}.title`, { name }), t('accepted'))
    return queryClient.invalidateQueries({ queryKey: ['rooms'] })
  }
}
