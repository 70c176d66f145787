import type { Notification } from '@roomkeeper/contract'
import { IconBell, IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { IconAction } from '#ui/ActionButtons.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { formatMoment } from '#ui/format.ts'
import { Panel } from '#ui/Page.tsx'
import { plainTextOf } from '#ui/rich-text/RichText.tsx'
import type { Column } from '#ui/table/column.ts'
import { Table } from '#ui/table/Table.tsx'
import classes from './NotificationsTable.module.css'
import { useDeleteNotification } from './use-notifications.tsx'

const rowsPerPage = 20
/** So many characters of a message name it in a button. */
const nameLength = 60

interface NotificationsTableProps {
  notifications: readonly Notification[]
  /** From 1. */
  page: number
  /** The one that is being edited. */
  editedId: number | null
  onPage: (page: number) => void
  onEdit: (notification: Notification) => void
  onDeleted: (id: number) => void
}

export function NotificationsTable(props: NotificationsTableProps) {
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
        <div className={classes.message} title={plainTextOf(each.message)}>
          {plainTextOf(each.message)}
        </div>
      ),
    },
    { id: 'start', title: t('columns.start'), text: 'whole', cell: ({ startDate }) => minuteOf(startDate) },
    { id: 'end', title: t('columns.end'), text: 'whole', cell: ({ endDate }) => minuteOf(endDate) },
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

/** Without the seconds. */
const minuteOf = (moment: string) => formatMoment(moment).slice(0, -3)

function State({ notification }: { notification: Notification }) {
  const { t } = useTranslation('notifications')
  const state = stateOf(notification, new Date())
  return (
    <span className={classes.state} data-state={state}>
      {t(`states.${state}`)}
    </span>
  )
}

type NotificationState = 'in-force' | 'planned' | 'over' | 'deactivated'

/** Whether customers see it at this moment, and why not. */
function stateOf({ startDate, endDate, deactivate }: Notification, now: Date): NotificationState {
  if (deactivate) return 'deactivated'
  if (Date.parse(startDate) > now.getTime()) return 'planned'
  return Date.parse(endDate) > now.getTime() ? 'in-force' : 'over'
}
