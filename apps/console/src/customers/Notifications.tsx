import { use } from 'react'
import { type Notice, notificationsInForce } from './customer-calls.ts'
import { NoticeList, NoticePopup } from './NoticeDisplay.tsx'

/** The notifications in force: those for a popup in a dialog, once in each session; the others on the page. */
export function Notifications() {
  const all = use(notificationsInForce())
  const onPage = all.filter(({ displayPopup }) => displayPopup === 0)
  const unseen = all.filter((notice) => notice.displayPopup === 1 && !wasSeen(notice))
  return (
    <>
      {onPage.length > 0 && <NoticeList notices={onPage} />}
      {unseen.length > 0 && <NoticePopup notices={unseen} onClose={() => unseen.forEach(noteSeen)} />}
    </>
  )
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
