import type { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ButtonWithReason } from './ActionButtons.tsx'
import { Toolbar } from './Toolbar.tsx'

interface ActionToolbarProps<Action extends string> {
  /** In the order of the buttons; `new` is emphasised. */
  icons: Readonly<Record<Action, typeof IconTrash>>
  label: (action: Action) => string
  /** The action whose request is in progress. */
  busy: Action | null
  /** Why an action is not possible; null: it is. */
  whyNot?: (action: Action) => string | null
  onAction: (action: Action) => void
  /** What stands behind the last button. */
  children?: ReactNode
}

/** A button for each action. Apart from the other buttons: pages that show no reasons load no tooltips for it. */
export function ActionToolbar<Action extends string>({
  icons,
  label,
  busy,
  whyNot = () => null,
  onAction,
  children,
}: ActionToolbarProps<Action>) {
  return (
    <Toolbar>
      {(Object.entries(icons) as [Action, typeof IconTrash][]).map(([action, Icon]) => (
        <ButtonWithReason
          key={action}
          size="xs"
          variant={action === 'new' ? 'filled' : 'default'}
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
