import type { Notification } from '@roomkeeper/contract'
import { useState } from 'react'
import { emptyForm, formOf, isDraft, type NotificationForm, readForm } from './notification-form.ts'

/** What is being entered: a new notification, or changes to one that is stored. */
interface Begun {
  id: number | null
  initial: NotificationForm
  /** Grows with each beginning. */
  round: number
}

export function useEntry() {
  const [begun, setBegun] = useState<Begun>(() => ({ id: null, initial: emptyForm(new Date()), round: 0 }))
  const [form, setForm] = useState(begun.initial)
  const read = readForm(form)
  return {
    id: begun.id,
    round: begun.round,
    form,
    draft: isDraft(read) ? read : null,
    problems: isDraft(read) ? {} : read,
    hasChanges: JSON.stringify(form) !== JSON.stringify(begun.initial),
    set: (changes: Partial<NotificationForm>) => setForm((before) => ({ ...before, ...changes })),
    /** Forgets what was entered. null: a new one. */
    begin: (notification: Notification | null) => {
      const initial = notification === null ? emptyForm(new Date()) : formOf(notification)
      setBegun(({ round }) => ({ id: notification?.notificationId ?? null, initial, round: round + 1 }))
      setForm(initial)
    },
  }
}

export type Entry = ReturnType<typeof useEntry>
