import { type ReactNode, useEffect, useId, useRef } from 'react'
import buttons from '#ui/buttons.module.css'
import { RichText } from '#ui/rich-text/RichText.tsx'
import classes from './CustomerNotice.module.css'

/** A notification as customers see it: a strip above the page. Without Mantine, which their pages do without. */
export function NoticeStrip({ message }: { message: string }) {
  return (
    <aside className={classes.strip}>
      <RichText html={message} />
    </aside>
  )
}

interface NoticePopupProps {
  title: string
  message: string
  /** The words of its one button. */
  close: string
  onClose: () => void
  /** Stands below the message. */
  children?: ReactNode
}

/** A notification as customers see it when it is to be displayed as a popup. */
export function NoticePopup({ title, message, close, onClose, children }: NoticePopupProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog ref={dialog} className={classes.popup} aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId}>{title}</h2>
      <RichText html={message} />
      {children}
      <button type="button" className={buttons.primary} onClick={onClose}>
        {close}
      </button>
    </dialog>
  )
}
