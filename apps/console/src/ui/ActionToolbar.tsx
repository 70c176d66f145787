import { Button } from '@mantine/core'
import type { IconTrash } from '@tabler/icons-react'
import { Toolbar } from './Toolbar.tsx'

interface ActionToolbarProps<Action extends string> {
  /** In the order of the buttons; `new` stands out. */
  icons: Readonly<Record<Action, typeof IconTrash>>
  label: (action: Action) => string
  /** What is on its way to the server. */
  busy: Action | null
  onAction: (action: Action) => void
}

/** The buttons above a table. */
export function ActionToolbar<Action extends string>({ icons, label, busy, onAction }: ActionToolbarProps<Action>) {
  return (
    <Toolbar>
      {(Object.keys(icons) as Action[]).map((action) => {
        const Icon: typeof IconTrash = icons[action]
        return (
          <Button
            key={action}
            size="xs"
            variant={action === 'new' ? 'filled' : 'default'}
            leftSection={<Icon size={15} stroke={1.8} aria-hidden />}
            loading={busy === action}
            onClick={() => onAction(action)}
          >
            {label(action)}
          </Button>
        )
      })}
    </Toolbar>
  )
}
