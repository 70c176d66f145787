import { Drawer, Modal } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './dialog.module.css'
import { useDialogFrame } from './open-dialogs.ts'

/** Relative to the window, with a minimum for small windows. */
const widths = {
  small: 'sm',
  medium: 'md',
  large: 'lg',
  third: 'max(30vw, 380px)',
  wide: 'max(70vw, 640px)',
  widest: 'max(80vw, 720px)',
} as const
type DialogWidth = keyof typeof widths

/** The others stay at the top because their height may change while they are open. */
const centred: readonly DialogWidth[] = ['small', 'medium', 'large']

export interface DialogProps {
  /** Names the action and the object. */
  title: string
  width?: DialogWidth
  /** Runs on Escape and Close instead of closing the dialog. */
  onClose?: () => void
  /** Whether a click outside closes the dialog too. */
  closesOutside?: boolean
  /** False if the content has its own Close button. */
  hasCloseButton?: boolean
  children: ReactNode
}

/** For `openDialog`: a dialog, possibly above others. Escape closes only the topmost one. */
export function Dialog({ title, width = 'medium', onClose, children, ...dialog }: DialogProps) {
  const { t } = useTranslation('app')
  return (
    <Modal
      {...useDialogFrame(onClose)}
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

/** The buttons of a dialog. They stay in view however long the dialog is. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className={classes.foot}>{children}</div>
}

interface SidePanelProps {
  title: string
  /** In pixels. */
  width: number
  children: ReactNode
}

/** For `openDialog`: a panel on the right. Escape closes it only while no dialog is above it. */
export function SidePanel({ title, width, children }: SidePanelProps) {
  const { t } = useTranslation('app')
  return (
    <Drawer
      {...useDialogFrame()}
      position="right"
      size={width}
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {children}
    </Drawer>
  )
}
