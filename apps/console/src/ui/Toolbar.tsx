import { Button, type ButtonProps, Group } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export function Toolbar({ children }: { children: ReactNode }) {
  return (
    <Group gap="xs" mb="xs" data-screen-only>
      {children}
    </Group>
  )
}

interface ToolbarButtonProps extends ButtonProps {
  icon: Icon
  title?: string
  onClick: () => void
  children: ReactNode
}

/** A button in a toolbar or next to the title of a page. */
export function ToolbarButton({ icon: Icon, variant = 'default', ...rest }: ToolbarButtonProps) {
  return <Button {...rest} size="xs" variant={variant} leftSection={<Icon size={16} stroke={1.8} aria-hidden />} />
}
