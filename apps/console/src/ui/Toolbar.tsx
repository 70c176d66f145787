import { Button, type ButtonProps } from '@mantine/core'
import type { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Toolbar.module.css'

export function Toolbar({ children }: { children: ReactNode }) {
  return (
    <div className={classes.root} data-screen-only>
      {children}
    </div>
  )
}

interface ToolbarButtonProps extends ButtonProps {
  icon: typeof IconTrash
  onClick: () => void
  children: ReactNode
}

/** A button in a toolbar or next to the title of a page. */
export function ToolbarButton({ icon: Icon, variant = 'default', ...rest }: ToolbarButtonProps) {
  return <Button {...rest} size="xs" variant={variant} leftSection={<Icon size={16} stroke={1.8} aria-hidden />} />
}
