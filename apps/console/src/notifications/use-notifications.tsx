import { Blockquote } from '@mantine/core'
import type { Notification } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { apiQuery } from '#api/queries.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import type { FormErrors } from '#ui/form/resource-form.ts'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { RichText } from '#ui/rich-text/RichText.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { emptyForm, formOf, isDraft, type NotificationForm, readForm } from './notification-form.ts'

/** All notifications, the latest start first. */
export const notificationsQuery = apiQuery(['notifications'], 'notifications', {})

/** The notification in the form: a new one, or a stored one that is being changed. */
export function useEntry() {
  const { t } = useTranslation('notifications')
  const queryClient = useQueryClient()
  // `round` grows each time the form is started anew.
  const [current, setBegun] = useState<{ id: number | null; round: number }>({ id: null, round: 0 })
  const form = useResourceForm({
    initial: emptyForm(new Date()),
    bodyOf: readForm,
    checks: (values) => problemsOf(values),
    submit: async (draft) => {
      if (!isDraft(draft)) return current
      const { body } = await (current.id === null
        ? client.call('createNotification', { body: draft })
        : client.call('changeNotification', { body: { ...draft, notificationId: current.id } }))
      return { id: body.notificationId, round: current.round }
    },
    onSuccess: (saved, _, sent) => {
      toastSuccess(t('saved.title'), t('saved.text'))
      // Another notification was begun meanwhile: it stays. So does what was added to this one.
      if (saved.round === current.round) {
        if (JSON.stringify(form.values) === JSON.stringify(sent)) begin(null)
        else setBegun(saved)
      }
      return queryClient.invalidateQueries(notificationsQuery)
    },
  })

  function problemsOf(values: NotificationForm): FormErrors {
    const read = readForm(values)
    if (isDraft(read)) return {}
    return Object.fromEntries(Object.entries(read).map(([field, problem]) => [field, t(`problems.${problem}`)]))
  }
  /** Starts the form anew, discarding the entries. @param notification null for a new one */
  function begin(notification: Notification | null): void {
    setBegun(({ round }) => ({ id: notification?.notificationId ?? null, round: round + 1 }))
    form.load(notification === null ? emptyForm(new Date()) : formOf(notification))
  }
  return { ...current, form, begin }
}

export type Entry = ReturnType<typeof useEntry>

/** @returns a function that deletes a notification after asking */
export function useDeleteNotification(onDeleted: (id: number) => void) {
  const { t } = useTranslation('notifications')
  const queryClient = useQueryClient()
  return async ({ notificationId: id, message }: Notification) => {
    const isDeleted = await confirm({
      title: t('deletion.title'),
      question: t('deletion.question'),
      consequence: t('deletion.consequence'),
      details: (
        <Blockquote mt="md" p="sm" color="gray">
          <RichText html={message} />
        </Blockquote>
      ),
      confirm: t('deletion.confirm'),
      danger: true,
      failed: t('deletion.failed'),
      run: () => client.call('deleteNotification', { params: { id: String(id) } }),
    })
    if (!isDeleted) return
    toastSuccess(t('deleted.title'), t('deleted.text'))
    onDeleted(id)
    await queryClient.invalidateQueries(notificationsQuery)
  }
}
