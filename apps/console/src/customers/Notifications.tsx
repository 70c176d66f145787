import { use, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import buttons from '#ui/buttons.module.css'
import { type Notice, notificationsInForce } from './customer-calls.ts'
import classes from './Notifications.module.css'

/** The notifications in force: those for a popup in a dialog, once in each session; the others on the page. */
export function Notifications() {
  const { t } = useTranslation('customers')
  const all = use(notificationsInForce())
  const onPage = all.filter(({ displayPopup }) => displayPopup === 0)
  const unseen = all.filter((notice) => notice.displayPopup === 1 && !wasSeen(notice))
  return (
    <>
      {onPage.length > 0 && (
        <section className={classes.list} aria-label={t('notifications')}>
          {onPage.map((notice) => (
            <Message key={notice.notificationId} notice={notice} />
          ))}
        </section>
      )}
      {unseen.length > 0 && <Popup notices={unseen} />}
    </>
  )
}

function Popup({ notices }: { notices: readonly Notice[] }) {
  const { t } = useTranslation(['customers', 'app'])
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      className={classes.popup}
      aria-labelledby="popup-heading"
      onClose={() => notices.forEach(noteSeen)}
    >
      <h2 id="popup-heading">{t('notifications')}</h2>
      {notices.map((notice) => (
        <Message key={notice.notificationId} notice={notice} />
      ))}
      <button type="button" className={buttons.primary} onClick={() => dialog.current?.close()}>
        {t('app:close')}
      </button>
    </dialog>
  )
}

function Message({ notice }: { notice: Notice }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server has cleaned it with an allow-list.
  return <div className={classes.message} dangerouslySetInnerHTML={{ __html: notice.message }} />
}

/** A notification that was changed is a new one. */
function seenKey({ notificationId, message }: Notice): string {
  return `notification-${notificationId}-${message}`
}

function wasSeen(notice: Notice): boolean {
  try {
    return sessionStorage.getItem(seenKey(notice)) !== null
  } catch {
    return false
  }
}

function noteSeen(notice: Notice): void {
  try {
    sessionStorage.setItem(seenKey(notice), '1')
  } catch {
    // No storage: it is shown again.
  }
}
