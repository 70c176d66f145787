import { Text } from '@mantine/core'
import type { Notification } from '@roomkeeper/contract'
import { IconBan, IconBell, IconCircleCheck, IconClock, IconClockOff, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { textOf } from '#locales/error-texts.ts'
import { IconAction } from '#ui/ActionButtons.tsx'
import { confirm } from '#ui/dialog/confirm.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { formatMinute } from '#ui/format.ts'
import { BackButton, Page, Panel } from '#ui/Page.tsx'
import { type Look, Pill } from '#ui/Pill.tsx'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { plainTextOf } from '#ui/rich-text/RichText.tsx'
import type { Column } from '#ui/table/column.ts'
import { Table } from '#ui/table/Table.tsx'
import { NotificationEditor } from './NotificationEditor.tsx'
import { notificationsQuery, useDeleteNotification, useEntry } from './use-notifications.tsx'

const route = getRouteApi('/project/_signed-in/set_notification')

/** The screen to write, change and delete notifications for customers. */
export function NotificationsPage() {
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
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
    // The form is replaced, and the new form must be mounted before it can be focused.
    flushSync(() => entry.begin(notification))
    editor.current?.scrollIntoView({ block: 'nearest' })
    editor.current?.querySelector('form')?.focus()
  }
  if (isPending) return <FullScreenSpinner />
  return (
    <Page title={t('title')} width="form" before={<BackButton />}>
      <div ref={editor}>
        <NotificationEditor key={entry.round} entry={entry} />
      </div>
      {error !== null && <LoadFailure title={t('loadFailed')} text={textOf(error)} onAgain={() => void refetch()} />}
      {data !== undefined && (
        <NotificationsTable
          notifications={data}
          page={page}
          editedId={entry.id}
          onPage={(to) => void navigate({ search: to === 1 ? {} : { page: to } })}
          onEdit={(notification) => void edit(notification)}
          onDeleted={(id) => {
            if (id === entry.id) entry.begin(null)
          }}
        />
      )}
    </Page>
  )
}

const rowsPerPage = 20
/** The accessible name of a button quotes this many characters of the message. */
const nameLength = 60

interface NotificationsTableProps {
  notifications: readonly Notification[]
  /** Counted from 1. */
  page: number
  /** The notification being edited. */
  editedId: number | null
  onPage: (page: number) => void
  onEdit: (notification: Notification) => void
  onDeleted: (id: number) => void
}

function NotificationsTable(props: NotificationsTableProps) {
  const { notifications, page, editedId, onPage, onEdit, onDeleted } = props
  const { t } = useTranslation('notifications')
  const deleteNotification = useDeleteNotification(onDeleted)
  const totalPages = Math.max(1, Math.ceil(notifications.length / rowsPerPage))
  const shownPage = Math.min(page, totalPages)
  const columns: Column<Notification>[] = [
    {
      id: 'message',
      title: t('columns.message'),
      isName: true,
      cell: (each) => (
        <Text inherit lineClamp={2} maw={420} title={plainTextOf(each.message)}>
          {plainTextOf(each.message)}
        </Text>
      ),
    },
    { id: 'start', title: t('columns.start'), text: 'whole', cell: ({ startDate }) => formatMinute(startDate) },
    { id: 'end', title: t('columns.end'), text: 'whole', cell: ({ endDate }) => formatMinute(endDate) },
    { id: 'popup', title: t('columns.popup'), cell: ({ displayPopup }) => t(displayPopup ? 'yes' : 'no') },
    { id: 'deactivated', title: t('columns.deactivated'), cell: ({ deactivate }) => t(deactivate ? 'yes' : 'no') },
    { id: 'state', title: t('columns.state'), text: 'whole', cell: (each) => <State notification={each} /> },
    {
      id: 'actions',
      title: t('columns.actions'),
      isActions: true,
      cell: (each) => (
        <>
          <IconAction label={t('edit', { message: nameOf(each) })} icon={IconPencil} onClick={() => onEdit(each)} />
          <IconAction
            label={t('delete', { message: nameOf(each) })}
            icon={IconTrash}
            onClick={() => void deleteNotification(each)}
          />
        </>
      ),
    },
  ]
  return (
    <Panel title={t('table')}>
      <Table
        label={t('table')}
        columns={columns}
        rows={notifications.slice((shownPage - 1) * rowsPerPage, shownPage * rowsPerPage)}
        rowId={({ notificationId }) => notificationId}
        rowAttributes={({ notificationId }) => ({ 'aria-current': notificationId === editedId || undefined })}
        empty={<EmptyState icon={IconBell} title={t('none')} text={t('noneText')} />}
        pages={{ page: shownPage, size: rowsPerPage, totalElements: notifications.length, totalPages, onPage }}
      />
    </Panel>
  )
}

function nameOf({ message }: Notification): string {
  const text = plainTextOf(message)
  return text.length > nameLength ? `${text.slice(0, nameLength)}…` : text
}

function State({ notification }: { notification: Notification }) {
  const { t } = useTranslation('notifications')
  const state = stateOf(notification, new Date())
  return <Pill {...looks[state]}>{t(`states.${state}`)}</Pill>
}

const looks = {
  'in-force': { tone: 'good', icon: IconCircleCheck },
  planned: { tone: 'busy', icon: IconClock },
  over: { tone: 'quiet', icon: IconClockOff },
  deactivated: { tone: 'quiet', icon: IconBan },
} as const satisfies Record<NotificationState, Look>

type NotificationState = 'in-force' | 'planned' | 'over' | 'deactivated'

/** Whether customers see the notification now, and if not, why. */
function stateOf({ startDate, endDate, deactivate }: Notification, now: Date): NotificationState {
  if (deactivate) return 'deactivated'
  if (Date.parse(startDate) > now.getTime()) return 'planned'
  return Date.parse(endDate) > now.getTime() ? 'in-force' : 'over'
}
