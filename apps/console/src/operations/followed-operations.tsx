/**
 * Operations that were accepted in this tab, until they have ended: their toasts then say how. Only this tab tells it;
 * the panel of operations tells it everywhere.
 */
import type { FinishedOperation } from '@roomkeeper/contract'
import { Link, useMatch } from '@tanstack/react-router'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { client, inBackground } from '#api/client.ts'
import { listenToEvents } from '#api/events.ts'
import { createFollowUp } from '#api/follow-up.ts'
import { readToken } from '#api/token.ts'
import { textOfReasons } from '#locales/error-texts.ts'
import { loadTexts } from '#locales/load-texts.ts'
import { showToast } from '#ui/toast.ts'
import { CheckLogin, tellRefusedLogin } from './FailureText.tsx'
import classes from './FollowedOperations.module.css'
import { openOperations } from './open-panel.ts'
import { isRoom, operationTitle, targetNameAtStart } from './operation-names.ts'

/** An end is told at the earliest after this time, so that the first text can be read. */
const readMilliseconds = 2_000
/** For events that were missed, and for tabs without events. */
const pollMilliseconds = 20_000
/** As many as the server takes in one call. */
const maxIdsPerCall = 100

/** The answer to a call that starts an operation. */
export interface AcceptedAnswer {
  body: { operationId: string }
}

/** The texts of a toast about an operation that was accepted. */
interface AcceptedToast {
  title: string
  /** Shown while it runs. */
  text: string
  /** Shown when it has ended; by default, the operation is named. */
  ends?: {
    done?: string
    failed?: string
    /** Shown below the text, such as a link to what to do next. After a failure, by default, a link to the room. */
    afterDone?: ReactNode
    afterFailure?: ReactNode
  }
}

interface Followed {
  toast: AcceptedToast
  since: number
}

const followed = new Map<string, Followed>()
let following: { note: () => void; stop: () => void } | null = null

/** Says that an operation was accepted. The same toast says by itself how the operation ended. */
export function toastAccepted(operationId: string, toast: AcceptedToast): void {
  followed.set(operationId, { toast, since: performance.now() })
  const { title, text } = toast
  showToast({ id: idOf(operationId), kind: 'running', title, text })
  following ??= startFollowing()
  // It may have ended before this.
  following.note()
}

/** For the end of an operator's session: how their operations end is not told to the next one. */
export function forgetAccepted(): void {
  followed.clear()
  following?.stop()
}

/** Asks for the ends after every event of a followed operation, and now and then. */
function startFollowing() {
  const [note, end] = createFollowUp<string>(tellEnds)
  const noteAll = () => note('all')
  const unsubscribe = listenToEvents((event) => {
    if (event.type === 'reset' || (event.type === 'operation' && followed.has(event.operationId))) noteAll()
  })
  const timer = setInterval(noteAll, pollMilliseconds)
  const stop = () => {
    following = null
    end()
    unsubscribe()
    clearInterval(timer)
  }
  return { note: noteAll, stop }
}

async function tellEnds(): Promise<void> {
  const ids = [...followed.keys()].slice(0, maxIdsPerCall)
  // While a sign-in covers the page, the same operator is waited for.
  if (ids.length === 0 || readToken() === null) return
  const finished = await askFor(ids)
  // Without their texts, operations are named by their process.
  if (finished.length > 0) await loadTexts('titles')
  for (const each of finished) {
    const found = followed.get(each.operationId)
    if (found === undefined) continue
    setTimeout(() => tellOnce(each), Math.max(0, found.since + readMilliseconds - performance.now()))
  }
}

/** Unless it has been told or forgotten meanwhile, or the session has ended, which is waited for. */
function tellOnce(finished: FinishedOperation): void {
  const found = followed.get(finished.operationId)
  if (found === undefined || readToken() === null) return
  followed.delete(finished.operationId)
  tellEnd(finished, found.toast)
  if (followed.size === 0) following?.stop()
}

async function askFor(ids: string[]): Promise<FinishedOperation[]> {
  return (await client.call('finishedOperations', { query: { ids }, headers: inBackground })).body
}

/** In the toast of the operation, which comes again if it was closed. */
function tellEnd(finished: FinishedOperation, { title, ends }: AcceptedToast): void {
  const { operationId, state, projectRoomName: room } = finished
  const id = idOf(operationId)
  const text = i18next.t(`operations:ends.${state}`, {
    name: operationTitle(finished),
    subject: targetNameAtStart(room),
  })
  if (state !== 'failed') {
    const told = state === 'done' ? (ends?.done ?? text) : text
    const more = state === 'done' ? ends?.afterDone : undefined
    showToast({ id, kind: state === 'done' ? 'success' : 'warning', title, text: told, more })
    return
  }
  const { errorReasons, errorText } = finished
  const refused = tellRefusedLogin(errorReasons, errorText ?? '')
  const why = refused === null ? textOfReasons(errorReasons, errorText) : `${refused.what} ${refused.after}`.trim()
  const told = [ends?.failed ?? text, why].filter((each) => each !== null).join(' ')
  const more = (
    <>
      {refused !== null && <CheckRegion />}
      {ends?.afterFailure ?? <NextStep room={room} />}
    </>
  )
  showToast({ id, kind: 'error', title, text: told, more })
}

/** Toasts are shown outside the operator area, which knows who is signed in. */
function CheckRegion() {
  const role = useMatch({
    from: '/project/_signed-in',
    shouldThrow: false,
    select: ({ context }) => context.operator.role,
  })
  return role === undefined ? null : (
    <span className={classes.next}>
      <CheckLogin role={role} className={classes.link} />
    </span>
  )
}

/** Leads to the room, which says what can be done, or to the panel, if the operation was not about one room. */
function NextStep({ room }: { room: string }) {
  const { t } = useTranslation('operations')
  if (!isRoom(room)) {
    return (
      <button type="button" className={classes.link} onClick={openOperations}>
        {t('ends.open')}
      </button>
    )
  }
  return (
    <Link to="/project/edit_project_room/$id" params={{ id: room }} className={classes.link}>
      {t('ends.openRoom', { room })}
    </Link>
  )
}

function idOf(operationId: string): string {
  return `operation:${operationId}`
}
