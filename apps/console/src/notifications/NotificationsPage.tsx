import type { Notification } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { BackButton } from '#ui/BackButton.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { LeaveQuestion } from '#ui/LeaveQuestion.tsx'
import { LoadFailure } from '#ui/LoadFailure.tsx'
import { Page } from '#ui/Page.tsx'
import { NotificationEditor } from './NotificationEditor.tsx'
import { NotificationsTable } from './NotificationsTable.tsx'
import { notificationsQuery } from './queries.ts'
import { useEntry } from './use-entry.ts'

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
  const [wanted, setWanted] = useState<Notification | null>(null)
  const editor = useRef<HTMLDivElement>(null)
  const edit = (notification: Notification) => {
    setWanted(null)
    entry.begin(notification)
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
          onEdit={(notification) => (entry.hasChanges ? setWanted(notification) : edit(notification))}
          onDeleted={(id) => {
            if (id === entry.id) entry.begin(null)
          }}
        />
      )}
      <ConfirmDialog
        isOpen={wanted !== null}
        onClose={() => setWanted(null)}
        title={t('leave.title')}
        question={t('leave.text')}
        confirm={t('leave.discardEntries')}
        cancel={t('leave.stay')}
        isDangerous
        isPending={false}
        failure={null}
        onConfirm={() => {
          if (wanted !== null) edit(wanted)
        }}
      />
      <LeaveQuestion
        isNeeded={() => entry.hasChanges}
        title={t('leave.title')}
        text={t('leave.text')}
        stay={t('leave.stay')}
        leave={t('leave.discard')}
      />
    </Page>
  )
}
