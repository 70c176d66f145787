import type { Notification } from '@roomkeeper/contract'
import { IconBell, IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#ui/EmptyState.tsx'
import { formatMoment } from '#ui/format-moment.ts'
import { IconAction } from '#ui/IconAction.tsx'
import { Panel } from '#ui/Panel.tsx'
import { plainTextOf } from '#ui/rich-text/RichText.tsx'
import table from '#ui/Table.module.css'
import { Pager } from '#ui/table/Pager.tsx'
import classes from './NotificationsTable.module.css'
import { stateOf } from './state-of.ts'
import { useDeleteNotification } from './use-delete-notification.tsx'

const rowsPerPage = 20
/** So much of a message names it in a button. */
const nameLength = 60

interface NotificationsTableProps {
  notifications: readonly Notification[]
  /** From 1. */
  page: number
  /** The one whose changes are being entered. */
  editedId: number | null
  onPage: (page: number) => void
  onEdit: (notification: Notification) => void
  onDeleted: (id: number) => void
}

export function NotificationsTable(props: NotificationsTableProps) {
  const { notifications, page, editedId, onPage, onEdit, onDeleted } = props
  const { t } = useTranslation('notifications')
  const deleteNotification = useDeleteNotification(onDeleted)
  const pages = Math.max(1, Math.ceil(notifications.length / rowsPerPage))
  const shownPage = Math.min(page, pages)
  const rows = notifications.slice((shownPage - 1) * rowsPerPage, shownPage * rowsPerPage)
  return (
    <Panel title={t('table')}>
      {rows.length === 0 ? (
        <EmptyState icon={<IconBell size={36} stroke={1.3} aria-hidden />} title={t('none')} text={t('noneText')} />
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard. */}
          <div className={table.scroll} tabIndex={0}>
            <table className={table.table} aria-label={t('table')}>
              <Head />
              <tbody>
                {rows.map((each) => (
                  <Row
                    key={each.notificationId}
                    notification={each}
                    isEdited={each.notificationId === editedId}
                    onEdit={() => onEdit(each)}
                    onDelete={() => void deleteNotification(each)}
                  />
                ))}
              </tbody>
            </table>
          </div>
          <div className={classes.foot}>
            <Pager
              page={shownPage}
              size={rowsPerPage}
              totalElements={notifications.length}
              totalPages={pages}
              onPage={onPage}
            />
          </div>
        </>
      )}
    </Panel>
  )
}

function Head() {
  const { t } = useTranslation('notifications')
  return (
    <thead>
      <tr>
        {(['message', 'start', 'end', 'popup', 'deactivated', 'state'] as const).map((column) => (
          <th key={column} scope="col">
            {t(`columns.${column}`)}
          </th>
        ))}
        <th scope="col" className={table.right}>
          {t('columns.actions')}
        </th>
      </tr>
    </thead>
  )
}

interface RowProps {
  notification: Notification
  isEdited: boolean
  onEdit: () => void
  onDelete: () => void
}

function Row({ notification, isEdited, onEdit, onDelete }: RowProps) {
  const { t } = useTranslation('notifications')
  const text = plainTextOf(notification.message)
  const message = text.length > nameLength ? `${text.slice(0, nameLength)}…` : text
  const state = stateOf(notification, new Date())
  return (
    <tr aria-current={isEdited || undefined} className={classes.row}>
      <th scope="row">
        <div className={classes.message} title={text}>
          {text}
        </div>
      </th>
      <td className={table.noWrap}>{formatMoment(notification.startDate).slice(0, -3)}</td>
      <td className={table.noWrap}>{formatMoment(notification.endDate).slice(0, -3)}</td>
      <td>{t(notification.displayPopup ? 'yes' : 'no')}</td>
      <td>{t(notification.deactivate ? 'yes' : 'no')}</td>
      <td className={table.noWrap} data-state={state}>
        {t(`states.${state}`)}
      </td>
      <td className={classes.actions}>
        <IconAction label={t('edit', { message })} icon={IconPencil} onClick={onEdit} />
        <IconAction label={t('delete', { message })} icon={IconTrash} onClick={onDelete} />
      </td>
    </tr>
  )
}
