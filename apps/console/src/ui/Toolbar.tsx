import { Button, type ButtonProps } from '@mantine/core'
import type { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ButtonWithReason } from './ActionButtons.tsx'
import classes from './Toolbar.module.css'

export function Toolbar({ children }: { children: ReactNode }) {
  return <div className={classes.root}>{children}</div>
}

interface ToolbarButtonProps extends ButtonProps {
  icon: typeof IconTrash
  /** Why the button is disabled; null if it is enabled; absent if it always is. */
  why?: string | null
  onClick: () => void
  children: ReactNode
}

/** A button in a toolbar or next to the title of a page. */
export function ToolbarButton({ icon: Icon, variant = 'default', why, ...rest }: ToolbarButtonProps) {
  const look = { size: 'xs', variant, leftSection: <Icon size={16} stroke={1.8} aria-hidden /> } as const
  return why === undefined ? <Button {...rest} {...look} /> : <ButtonWithReason {...rest} {...look} why={why} />
}

interface ActionToolbarProps<Action extends string> {
  /** In the order of the buttons; `new` is emphasised. */
  icons: Readonly<Record<Action, typeof IconTrash>>
  label: (action: Action) => string
  /** The action whose request is in progress. */
  busy: Action | null
  /** Why an action is not possible; null: it is. */
  whyNot?: (action: Action) => string | null
  onAction: (action: Action) => void
}

/** A button for each action. */
export function ActionToolbar<Action extends string>({
  icons,
  label,
  busy,
  whyNot = () => null,
  onAction,
}: ActionToolbarProps<Action>) {
  return (
    <Toolbar>
      {(Object.keys(icons) as Action[]).map((action) => (
        <ToolbarButton
          key={action}
          icon={icons[action]}
          variant={action === 'new' ? 'filled' : 'default'}
          loading={busy === action}
          why={whyNot(action)}
          onClick={() => onAction(action)}
        >
          {label(action)}
        </ToolbarButton>
      ))}
    </Toolbar>
  )
}
