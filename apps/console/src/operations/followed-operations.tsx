/**
 * Operations that were accepted in this tab, until they have ended: their toasts then say how. Only this tab tells it;
 * the panel of operations tells it everywhere.
 */
import { type FinishedOperation, ProblemError, roomName } from '@roomkeeper/contract'
import { Link } from '@tanstack/react-router'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { client, inBackground } from '#api/client.ts'
import { listenToEvents } from '#api/events.ts'
import { createFollowUp } from '#api/follow-up.ts'
import { readToken } from '#api/token.ts'
import { textOfReasons } from '#ui/coded-text.ts'
import { showToast, whenToastsClose } from '#ui/ToastHost.tsx'
import type { AcceptedToast } from './accepted-toast.ts'
import classes from './FollowedOperations.module.css'
import { requestPanel } from './open-panel.ts'
import { nameOfProcess, nameOfSubject } from './process-names.ts'

/** An end is told at the earliest after this time, so that the first text can be read. */
const readMilliseconds = 2_000
/** For events that were missed, and for tabs without events. */
const pollMilliseconds = 20_000
/** As many as the server takes in one call. */
const mostAsked = 100

interface Followed {
  toast: AcceptedToast
  since: number
}

const followed = new Map<string, Followed>()
let stop: (() => void) | null = null

export function follow(operationId: string, toast: AcceptedToast): void {
  followed.set(operationId, { toast, since: performance.now() })
  const { title, text } = toast
  showToast({ id: idOf(operationId), kind: 'running', title, text })
  stop ??= startFollowing()
}

/** Asks for the ends after every event of a followed operation, and now and then. */
function startFollowing(): () => void {
  const [note, end] = createFollowUp<string>(tellEnds)
  const noteAll = () => note('all')
  const deafen = listenToEvents((event) => {
    if (event.type === 'reset' || (event.type === 'operation' && followed.has(event.operationId))) noteAll()
  })
  const timer = setInterval(noteAll, pollMilliseconds)
  const forgetAll = whenToastsClose(() => {
    followed.clear()
    stop?.()
  })
  noteAll()
  return () => {
    stop = null
    end()
    deafen()
    clearInterval(timer)
    forgetAll()
  }
}

async function tellEnds(): Promise<void> {
  const ids = [...followed.keys()].slice(0, mostAsked)
  // Without a session, the next one is waited for; a new sign-in closes all toasts.
  if (ids.length === 0 || readToken() === null) return
  const finished = await askFor(ids)
  for (const each of finished) {
    const found = followed.get(each.operationId)
    if (found === undefined) continue
    followed.delete(each.operationId)
    setTimeout(() => tellEnd(each, found.toast), Math.max(0, found.since + readMilliseconds - performance.now()))
  }
  if (followed.size === 0) stop?.()
}

async function askFor(ids: string[]): Promise<FinishedOperation[]> {
  try {
    return (await client.call('finishedOperations', { query: { ids }, headers: inBackground })).body
  } catch (error) {
    // A server of the release before does not know the call: nothing can be followed.
    if (error instanceof ProblemError && error.problem.status === 404) followed.clear()
    throw error
  }
}

/** In the toast of the operation, which comes again if it was closed. */
function tellEnd(finished: FinishedOperation, { title, ends }: AcceptedToast): void {
  const { operationId, state, projectRoomName: room, processType } = finished
  const id = idOf(operationId)
  const name = processType === null ? i18next.t('operations:otherProcess') : nameOfProcess(processType)
  const text = i18next.t(`operations:ends.${state}`, { name, subject: nameOfSubject(room) })
  if (state !== 'failed') {
    const told = state === 'done' ? (ends?.done ?? text) : text
    showToast({ id, kind: state === 'done' ? 'success' : 'warning', title, text: told })
    return
  }
  const why = textOfReasons(finished.errorReasons, finished.errorText)
  const told = [ends?.failed ?? text, why].filter((each) => each !== null).join(' ')
  showToast({ id, kind: 'error', title, text: told, more: <WhatNow room={room} /> })
}

/** Leads to the room, which says what can be done, or to the panel, if the operation was not about one room. */
function WhatNow({ room }: { room: string }) {
  const { t } = useTranslation('operations')
  if (!roomName.safeParse(room).success) {
    return (
      <button type="button" className={classes.link ?? ''} onClick={requestPanel}>
        {t('ends.open')}
      </button>
    )
  }
  return (
    <Link to="/project/edit_project_room/$id" params={{ id: room }} className={classes.link ?? ''}>
      {t('ends.openRoom', { room })}
    </Link>
  )
}

function idOf(operationId: string): string {
  return `operation:${operationId}`
}
