import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { handledEscapes, useDialogStack } from './use-dialog-stack.ts'

interface SidePanelProps {
  isOpen: boolean
  onClose: () => void
  title: string
  /** In pixels. */
  width: number
  /** Mounted anew with each opening. */
  children: ReactNode
}

/** A panel on the right of the page. Escape closes it only while no dialog lies above it. */
export function SidePanel({ isOpen, onClose, title, width, children }: SidePanelProps) {
  const { t } = useTranslation('app')
  const { isTop } = useDialogStack(isOpen)
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={width}
      title={title}
      closeOnEscape={isTop}
      closeButtonProps={{ 'aria-label': t('close') }}
      __handledEscapeEvents={handledEscapes}
    >
      {children}
    </Drawer>
  )
}
