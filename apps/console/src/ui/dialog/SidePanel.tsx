import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useDialogFrame } from './dialog-context.ts'

interface SidePanelProps {
  title: string
  /** In pixels. */
  width: number
  children: ReactNode
}

/** What `openDialog` opens: a panel on the right of the page. Escape closes it only while no dialog lies above it. */
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
