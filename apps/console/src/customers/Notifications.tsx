import { use, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import buttons from '#ui/buttons.module.css'
import { RichText } from '#ui/rich-text/RichText.tsx'
import { type Notice, notificationsInForce } from './customer-calls.ts'
import classes from './Notifications.module.css'

/** The notifications in force: popups in a dialog, once in each session; the others on the page. */
export function Notifications() {
  const all = use(notificationsInForce())
  const onPage = all.filter(({ displayPopup }) => displayPopup === 0)
  const notShown = all.filter((notice) => notice.displayPopup === 1 && !wasShown(notice))
  return (
    <>
      {onPage.length > 0 && <NoticeList notices={onPage} />}
      {notShown.length > 0 && <NoticePopup notices={notShown} onClose={() => notShown.forEach(recordShown)} />}
    </>
  )
}

/** A changed notification counts as a new one. */
function shownKey({ notificationId, message }: Notice): string {
  return `notification-${notificationId}-${message}`
}

function wasShown(notice: Notice): boolean {
  try {
    return sessionStorage.getItem(shownKey(notice)) !== null
  } catch {
    return false
  }
}

function recordShown(notice: Notice): void {
  try {
    sessionStorage.setItem(shownKey(notice), '1')
  } catch {
    // Without storage, the popup is shown again.
  }
}

/** The parts of a notification that customers see. */
interface ShownNotice {
  notificationId: number
  /** HTML. */
  message: string
}

/** Notifications on the page, above everything else. */
export function NoticeList({ notices }: { notices: readonly ShownNotice[] }) {
  const { t } = useTranslation('customers')
  return (
    <section className={classes.list} aria-label={t('notifications')}>
      {notices.map((notice) => (
        <Message key={notice.notificationId} notice={notice} />
      ))}
    </section>
  )
}

/** Notifications in a dialog above the page. */
export function NoticePopup({ notices, onClose }: { notices: readonly ShownNotice[]; onClose: () => void }) {
  const { t } = useTranslation(['customers', 'app'])
  const dialog = useRef<HTMLDialogElement>(null)
  const headingId = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className={classes.popup} aria-labelledby={headingId} onClose={onClose}>
      <h2 id={headingId}>{t('notifications')}</h2>
      {notices.map((notice) => (
        <Message key={notice.notificationId} notice={notice} />
      ))}
      <button type="button" className={buttons.primary} onClick={() => dialog.current?.close()}>
        {t('app:close')}
      </button>
    </dialog>
  )
}

function Message({ notice }: { notice: ShownNotice }) {
  return (
    <div className={classes.message}>
      <RichText html={notice.message} />
    </div>
  )
}
