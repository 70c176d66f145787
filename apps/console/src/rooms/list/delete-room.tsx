import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { client } from '#api/client.ts'
import { keepDaysQuery } from '#api/queries.ts'
import { toastAccepted } from '#operations/index.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import { DeletedLink } from '../deleted/DeletedLink.tsx'

const WhatIsKept = onDemand(async () => ({ default: (await import('./WhatIsKept.tsx')).WhatIsKept }))

/** Deletes the room after asking. */
export async function deleteRoom(name: string, t: TFunction<'rooms'>, queryClient: QueryClient): Promise<void> {
  const body = { roomName: name, withoutBackup: false }
  const afterDone = () => {
    const days = queryClient.getQueryData(keepDaysQuery.queryKey) ?? 0
    return days > 0 && !body.withoutBackup ? <DeletedLink name={name}>{t('delete.bringBack')}</DeletedLink> : null
  }
  await confirm({
    title: t('delete.title'),
    question: t('delete.question', { name }),
    consequence: t('delete.consequence'),
    details: (
      <WhatIsKept
        onChoose={(withoutBackup) => {
          body.withoutBackup = withoutBackup
        }}
      />
    ),
    confirm: t('delete.confirm'),
    danger: true,
    failed: t('delete.failed'),
    run: async () => {
      const { operationId } = (await client.call('deleteRoom', { body })).body
      toastAccepted(operationId, {
        title: t('delete.accepted.title'),
        text: t('delete.accepted.text', { name }),
        ends: { done: t('delete.done', { name }), afterDone: afterDone() ?? undefined },
      })
      void queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
  })
}
