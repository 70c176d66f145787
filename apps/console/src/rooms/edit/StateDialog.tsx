import { Checkbox } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#api/text-of-error.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { roomQuery } from '../queries.ts'

export type StateChange = 'suspend' | 'resume'

interface StateDialogProps {
  change: StateChange
  name: string
  isOpen: boolean
  onClose: () => void
}

/** Asks before a room is suspended or resumed, and whether its people are told. */
export function StateDialog({ change, name, isOpen, onClose }: StateDialogProps) {
  const { t } = useTranslation('edit')
  const [notifies, setNotifies] = useState(true)
  const { mutate, isPending, error, reset } = useStateChange(change, name)
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    if (isOpen) setNotifies(true)
  }
  const refuse = () => {
    // The region is at it already: the answer is waited for.
    if (isPending) return
    setNotifies(false)
    reset()
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={refuse}
      title={t(`${change}.title`, { name })}
      question={t(`${change}.question`, { name })}
      consequence={t(`${change}.consequence`)}
      confirm={t('yes')}
      cancel={t('no')}
      isPending={isPending}
      failure={error === null ? null : { title: t(`${change}.failed`), text: textOf(error) }}
      onConfirm={() => mutate(notifies, { onSuccess: onClose })}
    >
      <Checkbox
        mt="md"
        label={t('notify')}
        checked={notifies}
        onChange={(event) => setNotifies(event.currentTarget.checked)}
      />
    </ConfirmDialog>
  )
}

function useStateChange(change: StateChange, name: string) {
  const { t } = useTranslation('edit')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (userNotification: boolean) => {
      const body = { roomName: name, userNotification }
      return change === 'suspend' ? client.call('suspendRoom', { body }) : client.call('resumeRoom', { body })
    },
    onSuccess: async (answer) => {
      const isDone = answer.status === 200
      toastSuccess(t(`buttons.${change}`), t(isDone ? `${change}.done` : `${change}.accepted`, { name }))
      if (isDone) {
        await queryClient.cancelQueries(roomQuery(name))
        queryClient.setQueryData(roomQuery(name).queryKey, answer.body)
      }
      void queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
  })
}
