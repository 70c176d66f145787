import { lazy, useEffect } from 'react'
import { whenActive } from '#api/client.ts'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { endSession } from './session.ts'
import { lastMinute, noteCall, sessionEnd } from './session-times.ts'

const SessionEndingDialog = lazy(async () => ({
  default: (await import('./SessionEndingDialog.tsx')).SessionEndingDialog,
}))

/** Warns in the last minute of the session and ends it after that. Both must be stable; `onEnded` must leave the page. */
export function useSessionEnding(onEnded: () => void, onSignOut: () => void): void {
  useEffect(() => whenActive(() => noteCall()), [])
  useEffect(() => {
    let isWarned = false
    const check = () => {
      const end = sessionEnd()
      if (end !== null && end.at <= Date.now()) {
        endSession()
        onEnded()
      }
      const ending = lastMinute()
      if (ending === null || isWarned) return
      isWarned = true
      const onClose = () => {
        isWarned = false
      }
      openDialog(<SessionEndingDialog first={ending} onSignOut={onSignOut} />, { outlastsPage: true, onClose })
    }
    // Checking every second costs nothing and also works after the computer has slept.
    const timer = setInterval(check, 1000)
    return () => clearInterval(timer)
  }, [onEnded, onSignOut])
}
