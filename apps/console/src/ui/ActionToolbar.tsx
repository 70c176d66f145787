import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ButtonWithReason } from './ActionButtons.tsx'
import { Toolbar } from './Toolbar.tsx'

interface ActionToolbarProps<Action extends string> {
  /** In the order of the buttons. */
  icons: Readonly<Record<Action, Icon>>
  label: (action: Action) => string
  /** The action that is emphasised. */
  primary: Action
  /** The action whose request is in progress. */
  busy: Action | null
  /** Why an action is not possible; null: it is. */
  whyNot?: (action: Action) => string | null
  onAction: (action: Action) => void
  /** What stands behind the last button. */
  children?: ReactNode
}

/** A button for each action. It has a file of its own, so that pages without reasons do not load tooltips. */
export function ActionToolbar<Action extends string>({
  icons,
  label,
  primary,
  busy,
  whyNot = () => null,
  onAction,
  children,
}: ActionToolbarProps<Action>) {
  return (
    <Toolbar>
      {(Object.entries(icons) as [Action, Icon][]).map(([action, Icon]) => (
        <ButtonWithReason
          key={action}
          size="xs"
          variant={action === primary ? 'filled' : 'default'}
          leftSection={<Icon size={16} stroke={1.8} aria-hidden />}
          loading={busy === action}
          why={whyNot(action)}
          onClick={() => onAction(action)}
        >
          {label(action)}
        </ButtonWithReason>
      ))}
      {children}
    </Toolbar>
  )
}
