import { Checkbox } from '@mantine/core'
import type { ProjectRoom } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { PinnedNotes } from '#notes/index.ts'
import { toastAccepted } from '#operations/index.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { roomQuery } from '../queries.ts'

/** @returns a function that suspends or resumes a room; it asks first, also whether to e-mail the stakeholders */
export function useStateChange() {
  const { t } = useTranslation('edit')
  const queryClient = useQueryClient()
  return async (change: 'suspend' | 'resume', { tenantName: name, pinnedNotes }: ProjectRoom) => {
    const body = { roomName: name, userNotification: true }
    const call = async () => {
      const answer = await (change === 'suspend'
        ? client.call('suspendRoom', { body })
        : client.call('resumeRoom', { body }))
      const title = t(`buttons.${change}`)
      const done = t(`${change}.done`, { name })
      if (answer.status === 202) {
        toastAccepted(answer.body.operationId, { title, text: t(`${change}.accepted`, { name }), ends: { done } })
      } else {
        toastSuccess(title, done)
        await queryClient.cancelQueries(roomQuery(name))
        queryClient.setQueryData(roomQuery(name).queryKey, answer.body)
      }
      void queryClient.invalidateQueries({ queryKey: ['rooms'] })
    }
    await confirm({
      title: t(`${change}.title`, { name }),
      question: t(`${change}.question`, { name }),
      consequence: t(`${change}.consequence`),
      details: (
        <>
          <PinnedNotes mt="md" notes={pinnedNotes} />
          <Checkbox
            mt="md"
            label={t('notify')}
            defaultChecked
            onChange={(event) => {
              body.userNotification = event.currentTarget.checked
            }}
          />
        </>
      ),
      confirm: t('yes'),
      cancel: t('no'),
      danger: change === 'suspend',
      failed: t(`${change}.failed`),
      // The region has already started, so the dialog waits for the answer.
      isBinding: true,
      run: call,
    })
  }
}
