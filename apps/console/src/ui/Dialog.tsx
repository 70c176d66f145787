import { Modal } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { handledEscapes, useDialogStack } from './use-dialog-stack.ts'

/** Parts of the window; in a small one at least what the content needs. */
const widths = {
  question: 'md',
  choice: 'max(30vw, 380px)',
  most: 'max(70vw, 640px)',
  wide: 'max(80vw, 720px)',
} as const
export type DialogWidth = keyof typeof widths

const lowestLayer = 200

export interface DialogProps {
  isOpen: boolean
  onClose: () => void
  /** Names the action and the object. */
  title: string
  width?: DialogWidth
  /** Whether a click beside it closes it too. */
  closesOutside?: boolean
  /** False where the content has a Close button of its own. */
  hasCloseButton?: boolean
  /** Mounted anew with each opening. */
  children: ReactNode
}

/** A dialog that may lie above others: Escape closes only the topmost, and the focus goes back to where it was. */
export function Dialog({ isOpen, onClose, title, width = 'question', children, ...dialog }: DialogProps) {
  const { t } = useTranslation('app')
  const { level, isTop } = useDialogStack(isOpen)
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={widths[width]}
      // What changes its height while it is open stays where it is at the top.
      centered={width === 'question'}
      zIndex={lowestLayer + level}
      closeOnEscape={isTop}
      closeOnClickOutside={dialog.closesOutside ?? false}
      withCloseButton={dialog.hasCloseButton ?? true}
      closeButtonProps={{ 'aria-label': t('close') }}
      onKeyDown={submitByKey}
      __handledEscapeEvents={handledEscapes}
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
