import { Button } from '@mantine/core'
import { IconDownload, IconFileText, IconPencil, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Toolbar } from '#ui/Toolbar.tsx'

const icons = {
  new: IconPlus,
  edit: IconPencil,
  delete: IconTrash,
  refresh: IconRefresh,
  exportConfig: IconDownload,
  exportLogs: IconFileText,
} as const
export type ToolbarAction = keyof typeof icons
const actions = Object.keys(icons) as ToolbarAction[]

interface MigrationsToolbarProps {
  /** What is on its way. */
  busy: ToolbarAction | null
  onAction: (action: ToolbarAction) => void
}

export function MigrationsToolbar({ busy, onAction }: MigrationsToolbarProps) {
  const { t } = useTranslation('migrations')
  return (
    <Toolbar>
      {actions.map((action) => {
        const Icon = icons[action]
        return (
          <Button
            key={action}
            size="xs"
            variant={action === 'new' ? 'filled' : 'default'}
            leftSection={<Icon size={15} stroke={1.8} aria-hidden />}
            loading={busy === action}
            onClick={() => onAction(action)}
          >
            {t(`actions.${action}`)}
          </Button>
        )
      })}
    </Toolbar>
  )
}
