import type { CustomerPage } from '@roomkeeper/contract'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { findRoom } from './customer-calls.ts'
import classes from './EmbeddedComponent.module.css'

interface EmbeddedComponentProps {
  page: CustomerPage
  /** The component cannot be shown: its script did not load, or not in time. */
  onFailure: () => void
}

const timeoutMilliseconds = 10_000

/** Named again, because the contract's list would bring its schemas with it. */
const pages: Record<CustomerPage, CustomerPage> = {
  login: 'login',
  forgot_password: 'forgot_password',
  reset_password: 'reset_password',
  forgot_project_room_name: 'forgot_project_room_name',
}

/**
 * The customers' component in a frame with an opaque origin: its script is foreign and must reach neither the operator's
 * token nor the stored lists. It leaves the frame by messages only.
 */
export function EmbeddedComponent({ page, onFailure }: EmbeddedComponentProps) {
  const { t, i18n } = useTranslation(['customers', 'app'])
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setIsReady] = useState(false)
  const fail = useEffectEvent(onFailure)
  const receive = useEffectEvent((event: MessageEvent<unknown>) => {
    const view = frame.current?.contentWindow
    if (!view || event.source !== view || event.origin !== 'null') return
    const message = messageOf(event.data)
    if (message === null) return
    if (message.roomkeeper === 'ready') setIsReady(true)
    else if (message.roomkeeper === 'failed') onFailure()
    else if (message.roomkeeper === 'open-page') location.assign(`./${message.page}`)
    else void openRoom(message.name, view)
  })
  useEffect(() => {
    const listen = (event: MessageEvent<unknown>) => void receive(event)
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [])
  useEffect(() => {
    if (isReady) return
    const timer = setTimeout(() => fail(), timeoutMilliseconds)
    return () => clearTimeout(timer)
  }, [isReady])
  const query = new URLSearchParams({ page, lang: i18n.language })
  return (
    <main>
      <title>{t('app:pageTitle', { page: t(`${page}.title`) })}</title>
      {!isReady && <FullScreenSpinner />}
      <iframe
        ref={frame}
        className={classes.frame}
        hidden={!isReady}
        title={t(`${page}.title`)}
        sandbox="allow-scripts allow-forms"
        src={`./customer_component?${query}`}
      />
    </main>
  )
}

/** The only places that the component can lead to: rooms, by the address that the server gives, and customers' pages. */
type Message =
  | { roomkeeper: 'ready' }
  | { roomkeeper: 'failed' }
  | { roomkeeper: 'open-room'; name: string }
  | { roomkeeper: 'open-page'; page: CustomerPage }

function messageOf(data: unknown): Message | null {
  if (typeof data !== 'object' || data === null || !('roomkeeper' in data)) return null
  const { roomkeeper, name, page } = data as { roomkeeper: unknown; name?: unknown; page?: unknown }
  if (roomkeeper === 'ready' || roomkeeper === 'failed') return { roomkeeper }
  if (roomkeeper === 'open-room' && typeof name === 'string') return { roomkeeper, name }
  const known = Object.values(pages).find((each) => each === page)
  return roomkeeper === 'open-page' && known !== undefined ? { roomkeeper, page: known } : null
}

async function openRoom(name: string, view: Window): Promise<void> {
  const found = await findRoom(name)
  if (typeof found !== 'string') return location.assign(found.url)
  // An opaque origin cannot be named.
  view.postMessage({ roomkeeper: 'refused', why: found }, '*')
}
