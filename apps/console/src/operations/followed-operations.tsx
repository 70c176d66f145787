/**
 * Operations that were accepted in this tab, until they have ended: their toasts then say how. Only this tab tells it;
 * the panel of operations tells it everywhere.
 */
import { type FinishedOperation, roomName } from '@roomkeeper/contract'
import { Link, useMatch } from '@tanstack/react-router'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { client, inBackground } from '#api/client.ts'
import { listenToEvents } from '#api/events.ts'
import { createFollowUp } from '#api/follow-up.ts'
import { readToken } from '#api/token.ts'
import { textOfReasons } from '#ui/coded-text.ts'
import { showToast } from '#ui/ToastHost.tsx'
import type { AcceptedToast } from './accepted-toast.ts'
import { CheckLogin } from './CheckLogin.tsx'
import classes from './FollowedOperations.module.css'
import { requestPanel } from './open-panel.ts'
import { loadTitle, type Titled } from './operation-titles.ts'
import { nameOfSubject } from './process-names.ts'
import { tellRefusedLogin } from './refused-login.ts'

/** An end is told at the earliest after this time, so that the first text can be read. */
const readMilliseconds = 2_000
/** For events that were missed, and for tabs without events. */
const pollMilliseconds = 20_000
/** As many as the server takes in one call. */
const mostAsked = 100

type TitleOf = (operation: Titled) => string

interface Followed {
  toast: AcceptedToast
  since: number
}

const followed = new Map<string, Followed>()
let following: { note: () => void; stop: () => void } | null = null

export function follow(operationId: string, toast: AcceptedToast): void {
  followed.set(operationId, { toast, since: performance.now() })
  const { title, text } = toast
  showToast({ id: idOf(operationId), kind: 'running', title, text })
  following ??= startFollowing()
  // It may have ended before this.
  following.note()
}

/** The next operator is told nothing of what this one has begun. */
export function forgetFollowed(): void {
  followed.clear()
  following?.stop()
}

/** Asks for the ends after every event of a followed operation, and now and then. */
function startFollowing() {
  const [note, end] = createFollowUp<string>(tellEnds)
  const noteAll = () => note('all')
  const deafen = listenToEvents((event) => {
    if (event.type === 'reset' || (event.type === 'operation' && followed.has(event.operationId))) noteAll()
  })
  const timer = setInterval(noteAll, pollMilliseconds)
  const stop = () => {
    following = null
    end()
    deafen()
    clearInterval(timer)
  }
  return { note: noteAll, stop }
}

async function tellEnds(): Promise<void> {
  const ids = [...followed.keys()].slice(0, mostAsked)
  // While a sign-in covers the page, the same operator is waited for.
  if (ids.length === 0 || readToken() === null) return
  const finished = await askFor(ids)
  const titleOf = finished.length === 0 ? null : await loadTitle()
  for (const each of finished) {
    const found = followed.get(each.operationId)
    if (found === undefined || titleOf === null) continue
    setTimeout(() => tellOnce(each, titleOf), Math.max(0, found.since + readMilliseconds - performance.now()))
  }
}

/** Unless it has been told or forgotten meanwhile, or the session has ended, which is waited for. */
function tellOnce(finished: FinishedOperation, titleOf: TitleOf): void {
  const found = followed.get(finished.operationId)
  if (found === undefined || readToken() === null) return
  followed.delete(finished.operationId)
  tellEnd(finished, found.toast, titleOf)
  if (followed.size === 0) following?.stop()
}

async function askFor(ids: string[]): Promise<FinishedOperation[]> {
  return (await client.call('finishedOperations', { query: { ids }, headers: inBackground })).body
}

/** In the toast of the operation, which comes again if it was closed. */
function tellEnd(finished: FinishedOperation, { title, ends }: AcceptedToast, titleOf: TitleOf): void {
  const { operationId, state, projectRoomName: room } = finished
  const id = idOf(operationId)
  const name = titleOf(finished)
  const text = i18next.t(`operations:ends.${state}`, { name, subject: nameOfSubject(room) })
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
      {ends?.afterFailure ?? <WhatNow room={room} />}
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
