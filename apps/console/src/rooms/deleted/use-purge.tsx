import type { DeletedRoom } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { toastAccepted } from '#operations/index.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { DeletedLink } from './DeletedLink.tsx'

/** @returns a function that purges a deleted room, after its name was typed */
export function usePurge() {
  const { t } = useTranslation('deleted')
  const queryClient = useQueryClient()
  return async ({ id, projectRoomName: name }: DeletedRoom) => {
    const purge = async () => {
      const { operationId } = (await client.call('purgeDeletedRoom', { params: { id }, body: { typedName: name } }))
        .body
      toastAccepted(operationId, {
        title: t('purge.confirm'),
        text: t('purge.accepted', { name }),
        ends: {
          done: t('purge.done', { name }),
          afterDone: (
            <DeletedLink name={name} isPurged>
              {t('certificate.link')}
            </DeletedLink>
          ),
          afterFailure: <DeletedLink name={name}>{t('toDeleted')}</DeletedLink>,
        },
      })
    }
    await confirm({
      title: t('purge.title', { name }),
      question: t('purge.question', { name }),
      consequence: t('purge.consequence'),
      nameToType: name,
      confirm: t('purge.confirm'),
      danger: true,
      failed: t('purge.failed'),
      run: () => purge().finally(() => queryClient.invalidateQueries({ queryKey: ['deleted-rooms'] })),
    })
  }
}
