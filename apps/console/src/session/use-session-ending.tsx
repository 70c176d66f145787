import { useEffect } from 'react'
import { client, whenActive } from '#api/client.ts'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { onDemand } from '#ui/on-demand.tsx'
import { endOnServer } from './session.ts'
import { lastMinute, noteCall, secondsSinceCall, sessionEnd } from './session-times.ts'

const SessionEndingDialog = onDemand(() => import('./SessionEndingDialog.tsx'), 'SessionEndingDialog')

/** A form may take longer than a session lasts without a call. */
const typingSeconds = 60

/** Typing keeps the session alive, as calls do: at most once a minute the server is told. */
function useTypingAsActivity(): void {
  useEffect(() => {
    const tell = () => {
      if (secondsSinceCall() < typingSeconds) return
      noteCall()
      void client.call('checkSession', {}).catch(() => undefined)
    }
    addEventListener('input', tell)
    return () => removeEventListener('input', tell)
  }, [])
}

/** Warns in the last minute of the session and ends it after that. Both must be stable; `onEnded` must handle the expiry. */
export function useSessionEnding(onEnded: () => void, onSignOut: () => void): void {
  useEffect(() => whenActive(() => noteCall()), [])
  useTypingAsActivity()
  useEffect(() => {
    let isWarned = false
    const check = () => {
      const end = sessionEnd()
      if (end !== null && end.at <= Date.now()) {
        endOnServer()
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
