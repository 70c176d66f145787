import { Modal } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './Dialog.module.css'
import { useDialogFrame } from './dialog-context.ts'

/** Parts of the window; in a small one at least what the content needs. */
const widths = {
  small: 'sm',
  question: 'md',
  large: 'lg',
  choice: 'max(30vw, 380px)',
  most: 'max(70vw, 640px)',
  wide: 'max(80vw, 720px)',
} as const
type DialogWidth = keyof typeof widths

/** The others may change their height while they are open, and stay where they are at the top. */
const centred: readonly DialogWidth[] = ['small', 'question', 'large']

export interface DialogProps {
  /** Names the action and the object. */
  title: string
  width?: DialogWidth
  /** What Escape and the Close button do instead of closing it. */
  onClose?: () => void
  /** Whether a click beside it closes it too. */
  closesOutside?: boolean
  /** False where the content has a Close button of its own. */
  hasCloseButton?: boolean
  children: ReactNode
}

/** What `openDialog` opens: one that may lie above others. Escape closes only the topmost. */
export function Dialog({ title, width = 'question', onClose, children, ...dialog }: DialogProps) {
  const { t } = useTranslation('app')
  const frame = useDialogFrame()
  return (
    <Modal
      {...frame}
      onClose={onClose ?? frame.onClose}
      title={title}
      size={widths[width]}
      centered={centred.includes(width)}
      closeOnClickOutside={dialog.closesOutside ?? false}
      withCloseButton={dialog.hasCloseButton ?? true}
      closeButtonProps={{ 'aria-label': t('close') }}
      onKeyDown={submitByKey}
    >
      {children}
    </Modal>
  )
}

/** Ctrl or ⌘ with Enter submits the form in the dialog, never one on the page below it. */
function submitByKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.stopPropagation()
  if (event.target instanceof Element) event.target.closest('form')?.requestSubmit()
}

/** The buttons of a dialog, always in view however long it is. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className={classes.root}>{children}</div>
}
