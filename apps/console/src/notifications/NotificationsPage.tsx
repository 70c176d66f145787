import type { Notification } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { BackButton, Page } from '#ui/Page.tsx'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { NotificationEditor } from './NotificationEditor.tsx'
import { NotificationsTable } from './NotificationsTable.tsx'
import { notificationsQuery, useEntry } from './use-notifications.tsx'

interface NotificationsPageProps {
  /** Of the table, from 1. */
  page: number
  onPage: (page: number) => void
  onBack: () => void
}

/** The screen on which notifications for customers are written, changed and removed. */
export function NotificationsPage({ page, onPage, onBack }: NotificationsPageProps) {
  const { t } = useTranslation('notifications')
  const { data, error, isPending, refetch } = useQuery(notificationsQuery)
  const entry = useEntry()
  const editor = useRef<HTMLDivElement>(null)
  const mayDiscard = () =>
    confirm({
      title: t('leave.title'),
      question: t('leave.text'),
      confirm: t('leave.discardEntries'),
      cancel: t('leave.stay'),
      danger: true,
    })
  const edit = async (notification: Notification) => {
    if (entry.form.isUnsaved() && !(await mayDiscard())) return
    // The form is replaced, and has to be mounted to take the focus.
    flushSync(() => entry.begin(notification))
    editor.current?.scrollIntoView({ block: 'nearest' })
    editor.current?.querySelector('form')?.focus()
  }
  if (isPending) return <FullScreenSpinner />
  return (
    <Page title={t('title')} width="form" before={<BackButton onClick={onBack} />}>
      <div ref={editor}>
        <NotificationEditor key={entry.round} entry={entry} />
      </div>
      {error !== null && <LoadFailure title={t('loadFailed')} text={textOf(error)} onAgain={() => void refetch()} />}
      {data !== undefined && (
        <NotificationsTable
          notifications={data}
          page={page}
          editedId={entry.id}
          onPage={onPage}
          onEdit={(notification) => void edit(notification)}
          onDeleted={(id) => {
            if (id === entry.id) entry.begin(null)
          }}
        />
      )}
    </Page>
  )
}
